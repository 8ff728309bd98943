// SPDX-License-Identifier: Apache-2.0
#include "app/build_info.h"

#include <curl/curl.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <pugixml.hpp>

#include <boost/version.hpp>

namespace ferryman::app {

namespace {

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("gcc {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

}  // namespace

BuildInfo build_info() {
  BuildInfo info;
  info.version = FERRYMAN_VERSION;
  info.compiler = compiler();
  const curl_version_info_data* curl = curl_version_info(CURLVERSION_NOW);
  const auto or_none = [](const char* text) { return std::string(text == nullptr ? "none" : text); };
  info.libraries = {
      {"boost",
       fmt::format("{}.{}.{}", BOOST_VERSION / 100'000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
      {"curl", or_none(curl->version)},
      {"nghttp2", or_none(curl->nghttp2_version)},
      {"openssl", OpenSSL_version(OPENSSL_VERSION_STRING)},
      {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10'000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"pugixml", fmt::format("{}.{}", PUGIXML_VERSION / 1000, PUGIXML_VERSION / 10 % 100)},
  };
  return info;
}

}  // namespace ferryman::app
