// SPDX-License-Identifier: Apache-2.0
// A small API server with a memory: nodes and pods with UIDs and versions, lists in pages, watches with
// bookmarks. Written from the API's documentation, to be the other side of what the adapter says.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "net/http_handler.h"
#include "net/url.h"

namespace ferryman::test {

class FakeApiServer final : public net::HttpHandler {
 public:
  /// Answers instead of the server when it gives a value.
  using Answer = std::function<std::optional<net::HttpReply>(const net::HttpRequest&)>;

  explicit FakeApiServer(Clock& clock) : clock_(clock), changed_(clock) {}

  Task<net::HttpReply> handle(net::HttpRequest request) override;

  /// `resource` is "nodes", "pods", "poddisruptionbudgets", …; metadata.resourceVersion (and UID when
  /// missing) are set here.
  void put(const std::string& resource, json::object object);
  void remove(const std::string& resource, const std::string& key);  // "name" or "namespace/name"
  void add_node(const std::string& name, const std::string& instance_id);
  void add_pod(const std::string& node, const std::string& name, const std::string& uid);
  [[nodiscard]] json::object object(const std::string& resource, const std::string& key) const;

  /// Sent as it is on all open watches of the resource.
  void send_raw(const std::string& resource, std::string text);
  void release_watches();
  /// All open watches are cut off without an end.
  void cut_watches();
  /// Versions before now can no longer be watched or paged on.
  void compact() { oldest_ = version_; }

  static net::HttpResponse status(int code, const std::string& reason, const std::string& message = "no",
                                  json::object details = {});

  /// Of requests whose method and path (without query) are these.
  [[nodiscard]] std::vector<net::HttpRequest> requests(const std::string& method,
                                                       const std::string& path) const;
  /// Lists, watches not counted.
  [[nodiscard]] std::size_t lists(const std::string& path) const;
  [[nodiscard]] std::size_t watches(const std::string& path) const;
  [[nodiscard]] std::size_t open_watches() const { return open_watches_; }
  [[nodiscard]] std::uint64_t version() const { return version_; }

  Answer intercept;
  std::string token = "t1";            // any other is answered with 401
  bool bookmarks = true;               // one a minute
  bool hold_watches = false;           // what happens is told when this is false again
  bool expire_by_event = false;        // 410 inside the watch, not as its status
  std::size_t piece_size = 1U << 20U;  // bodies come in pieces of this size
  std::vector<net::HttpRequest> log;

 private:
  class Pieces;
  class WatchStream;
  using Objects = std::map<std::string, json::object>;
  struct Event {
    std::uint64_t version;
    std::string resource;
    std::string line;
  };

  net::HttpReply answer(const net::HttpRequest& request);
  net::HttpReply list(const std::string& resource, const std::map<std::string, std::string>& query);
  net::HttpReply list_named(const std::string& space, const std::map<std::string, std::string>& query);
  net::HttpReply watch(const std::string& resource, const std::map<std::string, std::string>& query);
  net::HttpReply write(const net::HttpRequest& request, const std::string& path);
  net::HttpReply remove_node(const net::HttpRequest& request, const std::string& name);
  net::HttpReply patch(const net::HttpRequest& request, const std::string& name);
  void record(const std::string& resource, const std::string& type, const json::object& object);

  Clock& clock_;
  Signal changed_;
  std::map<std::string, Objects> objects_;
  std::map<std::string, Objects> snapshots_;  // by continue token: what is left of a list in pages
  std::deque<Event> events_;
  std::uint64_t version_ = 100;
  std::uint64_t oldest_ = 0;
  std::uint64_t cuts_ = 0;
  std::size_t open_watches_ = 0;
  int next_uid_ = 1;
};

}  // namespace ferryman::test
