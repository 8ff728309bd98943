// SPDX-License-Identifier: Apache-2.0
#include "kube/reflector.h"

#include <algorithm>
#include <optional>

namespace ferryman::kube {

namespace {

constexpr Duration longest_head = std::chrono::seconds{15};
constexpr Duration look_around = std::chrono::seconds{5};     // how soon an unwanted watch is closed
constexpr Duration without_watch = std::chrono::seconds{10};  // between lists when we may not watch
constexpr Duration watch_length = std::chrono::seconds{300};
constexpr double watch_jitter = 0.2;

}  // namespace

Reflector::Reflector(Context context, ReflectorTarget& target, Call call, std::string what)
    : context_(std::move(context)), target_(target), call_(std::move(call)), what_(std::move(what)) {}

bool Reflector::in_sync() const {
  return listed_ && context_.clock.now() - heard_ < longest_silence;
}

Duration Reflector::silence() const {
  return listed_ ? context_.clock.now() - heard_ : Duration{0};
}

void Reflector::heard() {
  heard_ = context_.clock.now();
  quiet_rounds_ = 0;
  if (!trouble_.empty()) context_.log.info("kube.recovered", {{"resource", what_}});
  trouble_.clear();
}

void Reflector::failed(const Error& error, std::string_view doing) {
  const std::string text = std::string(doing) + " " + what_ + ": " + error.text;
  if (text == trouble_) return;  // said once
  context_.log.warn("kube.failed", {{"resource", what_}, {"fault", name_of(error.fault)}, {"error", text}});
  trouble_ = text;
}

Task<void> Reflector::pause() {
  constexpr int most_doublings = 10;
  net::BackOff policy;
  policy.first = std::chrono::milliseconds{500};
  quiet_rounds_ = std::min(quiet_rounds_ + 1, most_doublings);
  co_await context_.clock.sleep_for(net::back_off(policy, quiet_rounds_, Duration{0}, context_.random));
}

Task<void> Reflector::run() {
  for (;;) {
    while (!target_.wanted()) {
      co_await target_.wanted_changed().wait_until(context_.clock.now() + std::chrono::hours{1});
    }
    auto version = co_await target_.list();
    if (!version && !target_.wanted()) continue;  // who looked has left meanwhile
    if (!version) {
      failed(version.error(), "listing");
      co_await pause();
      continue;
    }
    context_.metrics.lists.add();
    listed_ = true;
    // A list proves that the server lives, but a server whose watches all expire at once must not be asked in
    // a rush.
    const int quiet_rounds = quiet_rounds_;
    heard();
    quiet_rounds_ = quiet_rounds;
    co_await follow(std::move(*version));
  }
}

/// Returns when a new list is due.
Task<void> Reflector::follow(std::string version) {
  for (;;) {
    const End end = co_await watch_once(version);
    switch (end) {
      case End::unwanted:
        co_return;
      case End::resume:
        co_await pause();
        break;
      case End::relist:
        target_.lost();
        co_await pause();
        co_return;
      case End::refused:
        target_.lost();
        co_await context_.clock.sleep_for(without_watch);
        co_return;
    }
  }
}

Task<Reflector::End> Reflector::watch_once(std::string& version) {
  if (!target_.wanted()) co_return End::unwanted;
  const auto length =
      std::chrono::duration_cast<std::chrono::seconds>(context_.random.jittered(watch_length, watch_jitter));
  auto watch = co_await Watch::open(context_.client, call_, version, length,
                                    Deadline::after(context_.clock, longest_head));
  if (!watch) co_return end_of_watch(watch.error());
  context_.metrics.watches.add();
  const End end = co_await read_events(**watch);
  version = (*watch)->version();
  co_return end;
}

Task<Reflector::End> Reflector::read_events(Watch& watch) {
  SteadyTime newest = context_.clock.now();
  for (;;) {
    if (!target_.wanted()) co_return End::unwanted;
    const Deadline end(newest + longest_silence);
    auto event = co_await watch.next(end.at_most(context_.clock, look_around));
    if (!event && event.error().fault == Fault::deadline) {
      if (!end.passed(context_.clock)) continue;
      context_.metrics.watch_silences.add();
      failed(Error(Fault::deadline, "neither event nor bookmark for 150 s"), "watching");
      co_return End::resume;
    }
    if (!event) co_return end_of_watch(event.error());
    const std::optional<WatchEvent>& change = *event;
    if (!change) co_return End::resume;
    newest = context_.clock.now();
    heard();
    if (change->kind == WatchEventKind::bookmark || target_.apply(*change)) continue;
    context_.metrics.unreadable_objects.add();
    failed(Error(Fault::unexpected, "an event without name or UID"), "watching");
    co_return End::relist;
  }
}

Reflector::End Reflector::end_of_watch(const Error& error) {
  if (error.code == "Expired") {
    context_.metrics.watch_expirations.add();
    context_.log.debug("kube.watch_expired", {{"resource", what_}});
    return End::relist;
  }
  if (error.fault == Fault::denied && error.code == "Forbidden") {
    if (!refusal_named_) {
      context_.log.warn("kube.watch_denied", {{"resource", what_},
                                              {"error", error},
                                              {"meanwhile", "listing every 10 s"},
                                              {"cure", "grant the verb watch on " + what_}});
    }
    refusal_named_ = true;
    return End::refused;
  }
  failed(error, "watching");
  const bool nothing_lost = error.fault == Fault::transport || error.fault == Fault::deadline ||
                            error.fault == Fault::throttled || error.fault == Fault::denied;
  return nothing_lost ? End::resume : End::relist;
}

}  // namespace ferryman::kube
