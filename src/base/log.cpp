// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

namespace ferryman {

namespace {

bool needs_quotes(std::string_view text) {
  return text.empty() || text.find_first_of(" \t\r\n\"=\\") != std::string_view::npos;
}

std::string quoted(std::string_view text) {
  return boost::json::serialize(boost::json::string(text));
}

std::string text_of(const LogValue& value) {
  struct Visitor {
    std::string operator()(const std::string& text) const { return needs_quotes(text) ? quoted(text) : text; }
    std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
    std::string operator()(double number) const { return fmt::format("{:.3f}", number); }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  };
  return std::visit(Visitor{}, value.get());
}

boost::json::value json_of(const LogValue& value) {
  return std::visit([](const auto& v) { return boost::json::value(v); }, value.get());
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
    for (const LogField& field : fields) object[field.key] = json_of(field.value);
  }
  return boost::json::serialize(object);
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
