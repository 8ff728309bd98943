// SPDX-License-Identifier: Apache-2.0
#include "base/label_selector.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace ferryman {

namespace {

using Operator = LabelSelector::Operator;
using Requirement = LabelSelector::Requirement;

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.' || c == '/';
}

/// One pass over the text; the first fault is told.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<LabelSelector> all() {
    std::vector<Requirement> requirements;
    skip_spaces();
    while (at_ < text_.size()) {
      auto requirement = one();
      if (!requirement) return Error(Fault::invalid, trouble_);
      requirements.push_back(std::move(*requirement));
      if (at_ == text_.size()) break;
      if (!take(',')) expected("a comma");
      if (at_ == text_.size()) expected("a label");
      if (!trouble_.empty()) return Error(Fault::invalid, trouble_);
    }
    return LabelSelector(std::move(requirements));
  }

 private:
  std::optional<Requirement> one() {
    if (take('!')) {
      auto key = word("a label");
      if (!key) return std::nullopt;
      return Requirement(std::move(*key), Operator::absent, {});
    }
    auto key = word("a label");
    if (!key) return std::nullopt;
    if (take('!')) return take('=') ? equal(std::move(*key), Operator::not_in) : expected("=");
    if (take('=')) {
      take('=');
      return equal(std::move(*key), Operator::in);
    }
    if (at_ == text_.size() || text_[at_] == ',') return Requirement(std::move(*key), Operator::exists, {});
    return set_based(std::move(*key));
  }

  std::optional<Requirement> equal(std::string key, Operator op) {
    return Requirement(std::move(key), op, {value()});
  }

  std::optional<Requirement> set_based(std::string key) {
    const auto name = word("=, !=, in or notin");
    if (!name) return std::nullopt;
    if (*name != "in" && *name != "notin") return expected("in or notin before \"" + *name + "\"");
    if (!take('(')) return expected("(");
    std::vector<std::string> values;
    do {
      values.push_back(value());
    } while (take(','));
    if (!take(')')) return expected("a comma or )");
    return Requirement(std::move(key), *name == "in" ? Operator::in : Operator::not_in, std::move(values));
  }

  std::optional<std::string> word(std::string_view what) {
    std::string found = value();
    if (!found.empty()) return found;
    return expected(what);
  }

  /// Values may be empty: "key=" and "key in (a,)".
  std::string value() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    std::string found(text_.substr(begin, at_ - begin));
    skip_spaces();
    return found;
  }

  bool take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    skip_spaces();
    return true;
  }

  void skip_spaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  std::nullopt_t expected(std::string_view what) {
    if (trouble_.empty()) trouble_ = fmt::format("expected {} at character {}", what, at_ + 1);
    return std::nullopt;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string trouble_;
};

bool holds(const Requirement& requirement, const std::map<std::string, std::string>& labels) {
  const auto label = labels.find(requirement.key);
  const bool there = label != labels.end();
  const auto listed = [&] {
    return std::ranges::find(requirement.values, label->second) != requirement.values.end();
  };
  switch (requirement.op) {
    case Operator::exists:
      return there;
    case Operator::absent:
      return !there;
    case Operator::in:
      return there && listed();
    case Operator::not_in:
      return !there || !listed();
  }
  return false;
}

}  // namespace

bool LabelSelector::matches(const std::map<std::string, std::string>& labels) const {
  return std::ranges::all_of(requirements_, [&](const Requirement& each) { return holds(each, labels); });
}

Result<LabelSelector> parse_label_selector(std::string_view text) {
  return Reader(text).all();
}

}  // namespace ferryman
