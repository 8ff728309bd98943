// SPDX-License-Identifier: Apache-2.0
// Addresses as the experiment's programs take them: "127.1.0.4:30000,127.1.0.4:50000".
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ferryman::experiment {

using Tcp = boost::asio::ip::tcp;

/// Empty when one of them is none.
inline std::vector<Tcp::endpoint> read_addresses(std::string_view text) {
  std::vector<Tcp::endpoint> all;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    const std::size_t colon = one.rfind(':');
    if (colon == std::string_view::npos) return {};
    boost::system::error_code bad;
    const auto address = boost::asio::ip::make_address(std::string(one.substr(0, colon)), bad);
    std::uint16_t port = 0;
    const auto parsed = std::from_chars(one.data() + colon + 1, one.data() + one.size(), port);
    if (bad || parsed.ec != std::errc()) return {};
    all.emplace_back(address, port);
  }
  return all;
}

/// A socket that listens there.
inline Tcp::acceptor listen_on(boost::asio::io_context& context, const Tcp::endpoint& at) {
  Tcp::acceptor acceptor(context);
  acceptor.open(at.protocol());
  acceptor.set_option(Tcp::acceptor::reuse_address(true));
  acceptor.bind(at);
  acceptor.listen();
  return acceptor;
}

// One program each; `arguments` as they are described in main.cpp. They end by a signal, or when they are
// done.
int forward(const std::vector<Tcp::endpoint>& from, const std::vector<Tcp::endpoint>& to);
int serve(const std::vector<Tcp::endpoint>& from, int work_ms);

class LoadOrder {
 public:
  std::vector<Tcp::endpoint> to;
  double per_second = 1000;
  std::uint64_t requests = 480'000;
  double fresh = 0.2;       // share of the requests that open a connection of their own
  int oldest_ms = 1000;     // a connection that is kept is used for so long
  int timeout_ms = 10'000;  // of one request
};
int load(const LoadOrder& order);

}  // namespace ferryman::experiment
