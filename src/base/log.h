// SPDX-License-Identifier: Apache-2.0
// Log: one line per decision or edge: an event name ("node.cordoned") and fields. A child logger carries
// instance, node and event id. error: a person must act; warn: we carry on but something was lost;
// info: a termination changed state; debug: the wire.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/ids.h"
#include "base/secret.h"

namespace ferryman {

enum class Level : std::uint8_t { debug, info, warn, error };

std::string_view name_of(Level level);

class LogValue {
 public:
  using Value = std::variant<std::string, std::int64_t, double, bool>;

  LogValue(std::string value) : value_(std::move(value)) {}
  LogValue(std::string_view value) : value_(std::string(value)) {}
  LogValue(const char* value) : value_(std::string(value)) {}
  LogValue(std::same_as<bool> auto value) : value_(value) {}
  template <std::integral Number>
    requires(!std::same_as<Number, bool>)
  LogValue(Number value) : value_(static_cast<std::int64_t>(value)) {}
  LogValue(double value) : value_(value) {}
  LogValue(Duration value) : value_(seconds(value)) {}  // in seconds
  template <class Tag>
  LogValue(const Id<Tag>& id) : value_(id.str()) {}
  LogValue(const Error& error) : value_(error.text) {}
  LogValue(const Secret&) = delete;

  [[nodiscard]] const Value& get() const { return value_; }

 private:
  Value value_;
};

struct LogField {
  std::string_view key;  // a literal
  LogValue value;
};

struct LogRecord {
  WallTime time;
  Level level;
  std::string_view event;
  std::span<const LogField> context;
  std::span<const LogField> fields;
};

/// "2026-03-01T12:00:00.123Z INFO  node.cordoned node=a pods=3"; one line without its end.
std::string format_text(const LogRecord& record);

/// One JSON object with time, level, event and the fields.
std::string format_json(const LogRecord& record);

class LogSink {
 public:
  virtual ~LogSink() = default;
  virtual void write(const LogRecord& record) = 0;
};

class Log {
 public:
  using Fields = std::initializer_list<LogField>;

  /// Sink and clock must outlive the logger and its children.
  Log(LogSink& sink, const Clock& clock, Level lowest) : sink_(&sink), clock_(&clock), lowest_(lowest) {}

  [[nodiscard]] Log with(Fields fields) const;
  [[nodiscard]] bool enabled(Level level) const { return level >= lowest_; }

  void debug(std::string_view event, Fields fields = {}) const { write(Level::debug, event, fields); }
  void info(std::string_view event, Fields fields = {}) const { write(Level::info, event, fields); }
  void warn(std::string_view event, Fields fields = {}) const { write(Level::warn, event, fields); }
  void error(std::string_view event, Fields fields = {}) const { write(Level::error, event, fields); }
  void write(Level level, std::string_view event, Fields fields) const;

 private:
  LogSink* sink_;
  const Clock* clock_;
  Level lowest_;
  std::vector<LogField> context_;
};

}  // namespace ferryman
