// SPDX-License-Identifier: Apache-2.0
#include "app/probes.h"

#include <fmt/format.h>

#include "app/status_json.h"
#include "app/status_page.h"
#include "net/url.h"

namespace ferryman::app {

namespace {

net::HttpResponse page(int status, std::string_view type, std::string body) {
  net::HttpResponse response(status, std::move(body));
  response.headers.add("Content-Type", std::string(type));
  response.headers.add("Cache-Control", "no-store");
  response.headers.add("X-Content-Type-Options", "nosniff");
  return response;
}

net::HttpResponse plain(int status, std::string body) {
  return page(status, "text/plain; charset=utf-8", std::move(body));
}

net::HttpResponse html(std::string body) {
  net::HttpResponse response = page(200, "text/html; charset=utf-8", std::move(body));
  response.headers.add("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
  return response;
}

// A reason may be an error's text; a line break in it must not look like another line of ours.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return text;
}

}  // namespace

Task<net::HttpReply> Probes::handle(net::HttpRequest request) {
  net::HttpResponse response = answer(request);
  if (request.method == "HEAD") response.body.clear();
  co_return net::HttpReply(std::move(response));
}

net::HttpResponse Probes::answer(const net::HttpRequest& request) {
  if (request.method != "GET" && request.method != "HEAD") {
    net::HttpResponse response = plain(405, "only GET and HEAD\n");
    response.headers.add("Allow", "GET, HEAD");
    return response;
  }
  const auto url = net::parse_url(request.url);
  const std::string path = url ? url->path : std::string();
  if (path == "/healthz") return plain(200, "ok\n");
  if (path == "/readyz") return readyz();
  if (path == "/metrics")
    return page(200, "text/plain; version=0.0.4; charset=utf-8", source_.metrics_text());
  if (path == "/") return html(status_page(source_.status()));
  if (path == "/status.json") return page(200, "application/json", status_json(source_.status()));
  return plain(404, "there are /healthz, /readyz, /metrics, /status.json and /\n");
}

net::HttpResponse Probes::readyz() {
  const StatusReport report = source_.status();
  std::string lines = report.ready() ? "ready\n" : "";
  for (const HealthRow& row : report.health) {
    const std::string& text = row.ok ? row.note : row.detail;
    if (!row.ok || !text.empty()) lines += fmt::format("{}: {}\n", one_line(row.name), one_line(text));
  }
  return plain(report.ready() ? 200 : 503, std::move(lines));
}

}  // namespace ferryman::app
