// SPDX-License-Identifier: Apache-2.0
#include "app/region_lookup.h"

#include "aws/instance_metadata.h"
#include "aws/region.h"
#include "aws/shared_config.h"

namespace ferryman::app {

bool lacks_region(const Settings& settings, const Platform& platform) {
  if (settings.queue_url.empty()) return false;  // refused anyway, and nobody shall wait for that
  const auto region = aws::find_region(settings.region, platform.environment, settings.queue_url,
                                       aws::profile_region(platform.environment, platform.files));
  return !region && region.error().fault == Fault::not_found;
}

Task<void> take_region_from_instance(Settings& settings, const Platform& platform, const Log& log) {
  constexpr Duration limit = std::chrono::seconds{5};
  aws::Metrics uncounted;
  const aws::CallContext context(platform.http, platform.clock, platform.random, log, uncounted);
  aws::InstanceMetadata metadata(context, platform.environment);
  auto region = co_await aws::region_of_instance(metadata, Deadline::after(platform.clock, limit));
  if (region) {
    log.info("aws.region", {{"region", *region}, {"source", "instance metadata"}});
    settings.region = std::move(*region);
  } else {
    log.warn("aws.region.unknown", {{"error", region.error()}});
  }
}

}  // namespace ferryman::app
