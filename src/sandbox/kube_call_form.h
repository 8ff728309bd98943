// SPDX-License-Identifier: Apache-2.0
// KubeCallForm: names and refusals of Kubernetes calls, for faults on order.
#pragma once

#include "sandbox/call_form.h"

namespace ferryman::sandbox {

class KubeCallForm final : public CallForm {
 public:
  [[nodiscard]] CallName name(const net::HttpRequest& request) const override;
  [[nodiscard]] net::HttpResponse refusal(const net::HttpRequest& request,
                                          const Refusal& refusal) const override;
};

}  // namespace ferryman::sandbox
