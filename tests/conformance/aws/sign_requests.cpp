// SPDX-License-Identifier: Apache-2.0
// sign_requests: reads requests as lines of JSON and writes the headers that our signer adds, a line each:
// {"method","url","headers":[[name,value]],"body","key","secret","token","region","service","time"} gives
// {"Authorization","X-Amz-Date","X-Amz-Security-Token"}, or {"error"}.
#include <boost/json/serialize.hpp>
#include <iostream>
#include <string>

#include "aws/sigv4.h"
#include "base/json.h"

namespace ferryman {
namespace {

net::HttpRequest read_request(const json::value& line) {
  net::HttpRequest request(std::string(string_at(line, "method")), std::string(string_at(line, "url")));
  request.body = string_at(line, "body");
  const json::array* headers = array_at(&line, "headers");
  for (const json::value& pair : headers == nullptr ? json::array() : *headers) {
    const json::array& both = pair.as_array();
    request.headers.add(std::string(both.at(0).as_string()), std::string(both.at(1).as_string()));
  }
  return request;
}

json::value signed_headers(const std::string& text) {
  const auto line = parse_json(text);
  if (!line) return {{"error", line.error().text}};
  const auto time = parse_rfc3339(string_at(*line, "time"));
  if (!time) return {{"error", "time is none"}};
  aws::Signer signer;
  signer.access_key_id = string_at(*line, "key");
  signer.secret_access_key = Secret(std::string(string_at(*line, "secret")));
  signer.session_token = Secret(std::string(string_at(*line, "token")));
  signer.region = string_at(*line, "region");
  signer.service = string_at(*line, "service");
  net::HttpRequest request = read_request(*line);
  if (const auto done = aws::sign(request, signer, *time); !done) return {{"error", done.error().text}};
  json::object out;
  for (const char* name : {"Authorization", "X-Amz-Date", "X-Amz-Security-Token"})
    out[name] = request.headers.get(name);
  return out;
}

}  // namespace
}  // namespace ferryman

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::cout << boost::json::serialize(ferryman::signed_headers(line)) << std::endl;
  }
}
