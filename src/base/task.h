// SPDX-License-Identifier: Apache-2.0
// Task<T>: what every coroutine of ours returns. Started by co_await or by Scope::spawn, never detached.
#pragma once

#include <boost/asio/awaitable.hpp>

namespace ferryman {

template <class T>
using Task = boost::asio::awaitable<T>;

}  // namespace ferryman
