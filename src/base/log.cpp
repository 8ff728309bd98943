// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "base/plain_json.h"
#include "base/text.h"

namespace ferryman {

namespace {

constexpr char delete_key = '\x7f';

bool needs_quotes(std::string_view text) {
  return text.empty() || std::ranges::any_of(text, [](char c) {
           return (c >= 0 && c <= ' ') || c == delete_key || c == '"' || c == '=' || c == '\\';
         });
}

/// JSON leaves one control character as it is.
std::string quoted(std::string_view text) {
  std::string line = boost::json::serialize(boost::json::string(text));
  for (std::size_t at = line.find(delete_key); at != std::string::npos; at = line.find(delete_key, at)) {
    line.replace(at, 1, "\\u007f");
  }
  return line;
}

std::string text_of(const LogValue& value) {
  struct Visitor {
    std::string operator()(const std::string& bytes) const {
      std::string text = to_utf8(bytes);
      return needs_quotes(text) ? quoted(text) : text;
    }
    std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
    std::string operator()(double number) const { return fmt::format("{:.3f}", number); }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  };
  return std::visit(Visitor{}, value.get());
}

boost::json::value json_of(const LogValue& value) {
  if (const auto* bytes = std::get_if<std::string>(&value.get())) return boost::json::value(to_utf8(*bytes));
  return std::visit([](const auto& v) { return boost::json::value(v); }, value.get());
}

/// What heads each line is ours; a field of the same name stands beside it.
std::string json_key(std::string_view key) {
  const bool taken = key == "time" || key == "level" || key == "event";
  return (taken ? "field." : "") + std::string(key);
}

}  // namespace

std::string_view name_of(Level level) {
  switch (level) {
    case Level::debug:
      return "debug";
    case Level::info:
      return "info";
    case Level::warn:
      return "warn";
    case Level::error:
      return "error";
  }
  return "error";
}

std::string format_text(const LogRecord& record) {
  std::string line =
      fmt::format("{} {:<5} {}", format_rfc3339_millis(record.time), name_of(record.level), record.event);
  for (const auto fields : {record.context, record.fields}) {
    for (const LogField& field : fields) line += fmt::format(" {}={}", field.key, text_of(field.value));
  }
  return line;
}

std::string format_json(const LogRecord& record) {
  boost::json::object object{{"time", format_rfc3339_millis(record.time)},
                             {"level", name_of(record.level)},
                             {"event", record.event}};
  for (const auto fields : {record.context, record.fields}) {
    for (const LogField& field : fields) object[json_key(field.key)] = json_of(field.value);
  }
  return plain_json(object);
}

Log Log::with(Fields fields) const {
  Log child = *this;
  child.context_.insert(child.context_.end(), fields.begin(), fields.end());
  return child;
}

void Log::write(Level level, std::string_view event, Fields fields) const {
  if (!enabled(level)) return;
  sink_->write(LogRecord{clock_->wall(), level, event, context_, std::span(fields.begin(), fields.size())});
}

}  // namespace ferryman
