// SPDX-License-Identifier: Apache-2.0
#include "sandbox/journal.h"

#include <utility>

namespace ferryman::sandbox {

void Journal::call(std::string service, std::string operation, std::string subject, std::string outcome,
                   std::map<std::string, std::string> details) {
  if (service == "kubernetes") {
    ++whole_.kubernetes_calls_[operation];
  } else {
    ++whole_.aws_calls_[service + "." + operation];
  }
  JournalEntry entry;
  entry.service = std::move(service);
  entry.operation = std::move(operation);
  entry.subject = std::move(subject);
  entry.outcome = std::move(outcome);
  entry.details = std::move(details);
  add(std::move(entry));
}

void Journal::fact(std::string operation, std::string subject, std::map<std::string, std::string> details) {
  JournalEntry entry;
  entry.service = "world";
  entry.operation = std::move(operation);
  entry.subject = std::move(subject);
  entry.outcome = "ok";
  entry.details = std::move(details);
  add(std::move(entry));
}

void Journal::add(JournalEntry entry) {
  constexpr std::size_t most = 1'000'000;
  if (whole_.entries_.size() >= most) return;
  entry.at = clock_.now();
  entry.details.insert(details_.begin(), details_.end());
  whole_.entries_.push_back(std::move(entry));
}

}  // namespace ferryman::sandbox
