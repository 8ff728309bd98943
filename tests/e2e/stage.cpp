// SPDX-License-Identifier: Apache-2.0
#include "e2e/stage.h"

#include <charconv>
#include <sstream>
#include <stdexcept>

#include "net/curl_client.h"
#include "support/real_time.h"

namespace ferryman::e2e {

using namespace std::chrono_literals;

namespace {

constexpr Duration start_limit = 10s;

/// Lines of the form: export NAME='value'
Variables read_exports(const std::string& text) {
  Variables variables;
  std::istringstream lines(text);
  const std::string export_word = "export ";
  for (std::string line; std::getline(lines, line);) {
    const auto equals = line.find("='");
    if (!line.starts_with(export_word) || equals == std::string::npos || !line.ends_with('\'')) continue;
    variables[line.substr(export_word.size(), equals - export_word.size())] =
        line.substr(equals + 2, line.size() - equals - 3);
  }
  return variables;
}

json::value parsed(const net::HttpResponse& response) {
  auto value = parse_json(response.body);
  if (response.status / 100 != 2 || !value)
    throw std::runtime_error("the control API answered " + std::to_string(response.status) + ": " +
                             response.body);
  return std::move(*value);
}

std::vector<std::string> joined(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// Keeps the files of two daemons in one folder apart.
std::string next_name() {
  static int number = 0;
  return "daemon-" + std::to_string(++number) + ".out";
}

}  // namespace

net::HttpResponse http_call(const std::string& method, const std::string& url, const std::string& body) {
  test::RealTime time;
  net::HttpRequest request(method, url);
  request.body = body;
  net::CurlClient client(time.clock, Environment());
  auto response = time.run(client.send(std::move(request), time.in(10s)));
  return response ? std::move(*response) : net::HttpResponse(0, response.error().text);
}

Sandbox::Sandbox(const Folder& folder, std::vector<std::string> flags, const std::string& name)
    : process(joined({"sandbox", "--env-file=" + folder.path(name + ".env").string()}, flags), {},
              folder.path(name + ".out")) {
  const bool up = eventually(start_limit, [&] {
    return process.output().find("control API at") != std::string::npos || !process.running();
  });
  variables_ = read_exports(read_file(folder.path(name + ".env")));
  if (!up || variables_.empty()) throw std::runtime_error("no sandbox: " + process.output());
}

std::string Sandbox::control(const std::string& path) const {
  return variable("FERRYMAN_SANDBOX_CONTROL") + "/sandbox/" + path;
}

json::array Sandbox::list(const std::string& path, const std::string& key) {
  const json::value answer = parsed(http_call("GET", control(path)));
  const json::array* found = array_at(&answer, key);
  if (found == nullptr) throw std::runtime_error("no " + key + " in /sandbox/" + path);
  return *found;
}

std::string Sandbox::instance(std::size_t n) {
  return std::string(string_at(list("state", "nodes").at(n), "instance"));
}

void Sandbox::terminate(const std::string& instance) {
  (void)parsed(http_call("POST", control("terminate"), "{\"instance\":\"" + instance + "\"}"));
}

std::int64_t Sandbox::add_fault(const std::string& rule) {
  return parsed(http_call("POST", control("faults"), rule)).at("number").to_number<std::int64_t>();
}

void Sandbox::remove_fault(std::int64_t number) {
  (void)parsed(http_call("DELETE", control("faults/" + std::to_string(number))));
}

std::size_t Sandbox::count(const std::string& operation) {
  std::size_t n = 0;
  for (const json::value& entry : entries_of(journal(), operation)) {
    const bool fact = string_at(entry, "service") == "world";
    if (fact || string_at(entry, "outcome") == "ok") ++n;
  }
  return n;
}

std::int64_t Sandbox::messages_left() {
  std::int64_t n = 0;
  for (const json::value& queue : list("state", "queues")) {
    for (const char* kind : {"visible", "in_flight", "delayed"}) n += integer_at(&queue, kind).value_or(0);
  }
  return n;
}

std::string Sandbox::broken_promises() {
  std::string out;
  for (const json::value& text : list("promises", "broken")) out += std::string(text.as_string()) + "\n";
  return out;
}

Daemon::Daemon(const Folder& folder, const Variables& variables, const std::vector<std::string>& flags)
    : process(joined({"serve", "--listen=127.0.0.1:0", "--log-format=json"}, flags), variables,
              folder.path(next_name())) {
  const auto port = [this] {
    std::istringstream lines(process.output());
    for (std::string line; std::getline(lines, line);) {
      const auto record = parse_json(line);
      if (record && string_at(*record, "event") == "http.listening")
        return integer_at(&*record, "port").value_or(0);
    }
    return std::int64_t{0};
  };
  if (!eventually(start_limit, [&] { return port() != 0 || !process.running(); }) || port() == 0)
    throw std::runtime_error("no daemon: " + process.output());
  url_ = "http://127.0.0.1:" + std::to_string(port());
}

double Daemon::metric(const std::string& series) const {
  std::istringstream lines(probe("/metrics").body);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(series + " ")) continue;
    double value = -1;
    (void)std::from_chars(line.data() + series.size() + 1, line.data() + line.size(), value);
    return value;
  }
  return -1;
}

Duration between(const json::value& earlier, const json::value& later) {
  const double gap = later.at("seconds").to_number<double>() - earlier.at("seconds").to_number<double>();
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(gap));
}

std::vector<json::value> entries_of(const json::array& journal, const std::string& operation) {
  std::vector<json::value> out;
  for (const json::value& entry : journal) {
    if (string_at(entry, "operation") == operation) out.push_back(entry);
  }
  return out;
}

}  // namespace ferryman::e2e
