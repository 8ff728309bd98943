// SPDX-License-Identifier: Apache-2.0
// PrometheusText: collects plain metric values and prints them in Prometheus' text form.
// https://prometheus.io/docs/instrumenting/exposition_formats/
#pragma once

#include <prometheus/metric_family.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/metrics.h"

namespace ferryman::app {

class PrometheusText {
 public:
  using Labels = std::vector<std::pair<std::string, std::string>>;

  PrometheusText() = default;

  /// Starts a metric; the values that follow belong to it. Counters end in "_total".
  PrometheusText& counter(std::string name, std::string help);
  PrometheusText& gauge(std::string name, std::string help);
  PrometheusText& histogram(std::string name, std::string help);

  void add(const Counter& value, const Labels& labels = {}) {
    add(static_cast<double>(value.value()), labels);
  }
  void add(const Gauge& value, const Labels& labels = {}) { add(value.value(), labels); }
  void add(double value, const Labels& labels = {});
  void add(const Histogram& value, const Labels& labels = {});

  [[nodiscard]] std::string str() const;

 private:
  PrometheusText& start(std::string name, std::string help, prometheus::MetricType type);
  prometheus::ClientMetric& append(const Labels& labels);

  std::vector<prometheus::MetricFamily> families_;
};

}  // namespace ferryman::app
