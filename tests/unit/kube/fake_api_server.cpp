// SPDX-License-Identifier: Apache-2.0
#include "unit/kube/fake_api_server.h"

#include <algorithm>
#include <boost/json/serialize.hpp>

#include "unit/kube/request_parts.h"

namespace ferryman::test {

/// A body in pieces of one size.
class FakeApiServer::Pieces final : public net::HttpStream {
 public:
  Pieces(std::string body, std::size_t size) : body_(std::move(body)), size_(size) {}

  Task<Result<std::string>> read(Deadline /*deadline*/) override {
    std::string piece = body_.substr(sent_, size_);
    sent_ += piece.size();
    co_return piece;
  }

 private:
  std::string body_;
  std::size_t size_;
  std::size_t sent_ = 0;
};

class FakeApiServer::WatchStream final : public net::HttpStream {
 public:
  WatchStream(FakeApiServer& server, std::string resource, std::uint64_t from, Duration length)
      : server_(server),
        resource_(std::move(resource)),
        seen_(from),
        end_(server.clock_.now() + length),
        bookmark_(server.clock_.now() + std::chrono::minutes{1}),
        cuts_(server.cuts_) {
    ++server_.open_watches_;
  }
  ~WatchStream() override { --server_.open_watches_; }
  WatchStream(const WatchStream&) = delete;
  WatchStream& operator=(const WatchStream&) = delete;

  Task<Result<std::string>> read(Deadline deadline) override {
    for (;;) {
      if (server_.cuts_ != cuts_) co_return Error(Fault::transport, "connection reset");
      if (ready_.empty()) ready_ = next_lines();
      if (!ready_.empty()) co_return take();
      const SteadyTime now = server_.clock_.now();
      if (now >= end_) co_return std::string();
      if (server_.bookmarks && now >= bookmark_) {
        bookmark_ = now + std::chrono::minutes{1};
        ready_ = R"({"type":"BOOKMARK","object":{"metadata":{"resourceVersion":")" +
                 std::to_string(server_.version_) + "\"}}}\n";
        continue;
      }
      if (deadline.passed(server_.clock_)) co_return Error(Fault::deadline, "nothing came");
      const SteadyTime until = std::min({deadline.at(), end_, server_.bookmarks ? bookmark_ : end_});
      co_await server_.changed_.wait_until(until);
    }
  }

 private:
  std::string next_lines() {
    std::string lines;
    if (server_.hold_watches) return lines;
    for (const Event& event : server_.events_) {
      if (event.version <= seen_ || event.resource != resource_) continue;
      lines += event.line;
      seen_ = event.version;
    }
    return lines;
  }

  std::string take() {
    std::string piece = ready_.substr(0, server_.piece_size);
    ready_.erase(0, piece.size());
    return piece;
  }

  FakeApiServer& server_;
  std::string resource_;
  std::uint64_t seen_;
  SteadyTime end_;
  SteadyTime bookmark_;
  std::uint64_t cuts_;
  std::string ready_;
};

Task<net::HttpReply> FakeApiServer::handle(net::HttpRequest request) {
  log.push_back(request);
  const Answer first = intercept;  // a copy: it may replace itself
  if (first) {
    if (auto reply = first(request)) co_return std::move(*reply);
  }
  if (request.headers.get("Authorization") != "Bearer " + token)
    co_return status(401, "Unauthorized", "Unauthorized");
  co_return answer(request);
}

net::HttpReply FakeApiServer::answer(const net::HttpRequest& request) {
  const std::string path = path_of(request);
  const auto query = query_of(request);
  static const std::map<std::string, std::string> collections = {
      {"/api/v1/nodes", "nodes"},
      {"/api/v1/pods", "pods"},
      {"/apis/policy/v1/poddisruptionbudgets", "poddisruptionbudgets"},
      {"/apis/apps/v1/daemonsets", "daemonsets"},
      {"/apis/storage.k8s.io/v1/volumeattachments", "volumeattachments"}};
  const auto collection = collections.find(path);
  if (request.method == "GET" && collection != collections.end()) {
    const std::string& resource = collection->second;
    return query.contains("watch") ? watch(resource, query) : list(resource, query);
  }
  return write(request, path);
}

net::HttpReply FakeApiServer::list(const std::string& resource,
                                   const std::map<std::string, std::string>& query) {
  Objects left = objects_[resource];
  std::string version = std::to_string(version_);
  if (query.contains("continue")) {
    const std::string& from = query.at("continue");
    version = from.substr(0, from.find('/'));
    if (std::stoull(version) < oldest_) return status(410, "Expired", "the continue token is too old");
    left = snapshots_[from];
  }
  if (query.contains("fieldSelector")) {
    const std::string node = query.at("fieldSelector").substr(std::string("spec.nodeName=").size());
    std::erase_if(left, [&](const auto& item) {
      return string_at(item.second.if_contains("spec"), "nodeName") != node;
    });
  }
  json::array items;
  const std::size_t limit = query.contains("limit") ? std::stoull(query.at("limit")) : left.size();
  while (!left.empty() && items.size() < limit) {
    items.push_back(left.begin()->second);
    left.erase(left.begin());
  }
  json::object metadata{{"resourceVersion", version}};
  if (!left.empty()) {
    const std::string next = version + "/" + left.begin()->first;
    snapshots_[next] = std::move(left);
    metadata["continue"] = next;
  }
  const json::object body{{"kind", "List"}, {"metadata", std::move(metadata)}, {"items", std::move(items)}};
  return {net::HttpResponse(200, ""), std::make_unique<Pieces>(json::serialize(body), piece_size)};
}

net::HttpReply FakeApiServer::watch(const std::string& resource,
                                    const std::map<std::string, std::string>& query) {
  const std::uint64_t from = std::stoull(query.at("resourceVersion"));
  const net::HttpResponse expired = status(410, "Expired", "too old resource version");
  if (from < oldest_ && !expire_by_event) return expired;
  if (from < oldest_) return net::HttpResponse(200, R"({"type":"ERROR","object":)" + expired.body + "}\n");
  const Duration length = std::chrono::seconds{std::stoll(query.at("timeoutSeconds"))};
  return {net::HttpResponse(200, ""), std::make_unique<WatchStream>(*this, resource, from, length)};
}

void FakeApiServer::record(const std::string& resource, const std::string& type, const json::object& object) {
  const json::object line{{"type", type}, {"object", object}};
  events_.push_back({version_, resource, json::serialize(line) + "\n"});
  changed_.notify_all();
}

void FakeApiServer::put(const std::string& resource, json::object object) {
  json::object& metadata = object["metadata"].get_object();
  if (!metadata.contains("uid")) metadata["uid"] = "uid-" + std::to_string(next_uid_++);
  metadata["resourceVersion"] = std::to_string(++version_);
  const std::string key = key_of(object);
  const bool known = objects_[resource].contains(key);
  objects_[resource][key] = object;
  record(resource, known ? "MODIFIED" : "ADDED", object);
}

void FakeApiServer::remove(const std::string& resource, const std::string& key) {
  json::object object = objects_[resource].at(key);
  objects_[resource].erase(key);
  object["metadata"].get_object()["resourceVersion"] = std::to_string(++version_);
  record(resource, "DELETED", object);
}

void FakeApiServer::add_node(const std::string& name, const std::string& instance_id) {
  json::object metadata{{"name", name}, {"labels", json::object{{"zone", "a"}}}};
  put("nodes", {{"metadata", std::move(metadata)},
                {"spec", json::object{{"providerID", "aws:///us-west-2a/" + instance_id}}}});
}

void FakeApiServer::add_pod(const std::string& node, const std::string& name, const std::string& uid) {
  json::object metadata{{"name", name}, {"namespace", "default"}, {"uid", uid}};
  put("pods", {{"metadata", std::move(metadata)}, {"spec", json::object{{"nodeName", node}}}});
}

json::object FakeApiServer::object(const std::string& resource, const std::string& key) const {
  return objects_.at(resource).at(key);
}

void FakeApiServer::send_raw(const std::string& resource, std::string text) {
  events_.push_back({++version_, resource, std::move(text)});
  changed_.notify_all();
}

void FakeApiServer::release_watches() {
  hold_watches = false;
  changed_.notify_all();
}

void FakeApiServer::cut_watches() {
  ++cuts_;
  changed_.notify_all();
}

net::HttpResponse FakeApiServer::status(int code, const std::string& reason, const std::string& message,
                                        json::object details) {
  const json::object body{
      {"kind", "Status"}, {"apiVersion", "v1"}, {"status", "Failure"},          {"message", message},
      {"reason", reason}, {"code", code},       {"details", std::move(details)}};
  return {code, json::serialize(body)};
}

std::vector<net::HttpRequest> FakeApiServer::requests(const std::string& method,
                                                      const std::string& path) const {
  std::vector<net::HttpRequest> found;
  std::ranges::copy_if(log, std::back_inserter(found), [&](const net::HttpRequest& request) {
    return request.method == method && path_of(request) == path;
  });
  return found;
}

std::size_t FakeApiServer::watches(const std::string& path) const {
  const auto all = requests("GET", path);
  return static_cast<std::size_t>(std::ranges::count_if(
      all, [](const net::HttpRequest& request) { return query_of(request).contains("watch"); }));
}

std::size_t FakeApiServer::lists(const std::string& path) const {
  return requests("GET", path).size() - watches(path);
}

}  // namespace ferryman::test
