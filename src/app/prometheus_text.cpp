// SPDX-License-Identifier: Apache-2.0
#include "app/prometheus_text.h"

#include <prometheus/text_serializer.h>

namespace ferryman::app {

PrometheusText& PrometheusText::counter(std::string name, std::string help) {
  return start(std::move(name), std::move(help), prometheus::MetricType::Counter);
}

PrometheusText& PrometheusText::gauge(std::string name, std::string help) {
  return start(std::move(name), std::move(help), prometheus::MetricType::Gauge);
}

PrometheusText& PrometheusText::histogram(std::string name, std::string help) {
  return start(std::move(name), std::move(help), prometheus::MetricType::Histogram);
}

PrometheusText& PrometheusText::start(std::string name, std::string help, prometheus::MetricType type) {
  prometheus::MetricFamily& family = families_.emplace_back();
  family.name = std::move(name);
  family.help = std::move(help);
  family.type = type;
  return *this;
}

prometheus::ClientMetric& PrometheusText::append(const Labels& labels) {
  prometheus::ClientMetric& metric = families_.back().metric.emplace_back();
  for (const auto& [name, value] : labels) metric.label.push_back({name, value});
  return metric;
}

void PrometheusText::add(double value, const Labels& labels) {
  prometheus::ClientMetric& metric = append(labels);
  metric.counter.value = value;
  metric.gauge.value = value;
}

// Ours count each bucket alone; Prometheus' buckets hold all below them too. The serializer adds "+Inf".
void PrometheusText::add(const Histogram& value, const Labels& labels) {
  prometheus::ClientMetric& metric = append(labels);
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < value.bounds().size(); ++i) {
    below += value.counts()[i];
    metric.histogram.bucket.push_back({below, value.bounds()[i]});
  }
  metric.histogram.sample_count = below + value.counts().back();
  metric.histogram.sample_sum = value.sum();
}

std::string PrometheusText::str() const {
  return prometheus::TextSerializer().Serialize(families_);
}

}  // namespace ferryman::app
