// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube_call_form.h"

#include "sandbox/kube/kube_call.h"
#include "sandbox/kube/kube_status.h"

namespace ferryman::sandbox {

CallName KubeCallForm::name(const net::HttpRequest& request) const {
  const KubeCall call = understand(request);
  if (call.type == nullptr) return CallName("kubernetes", "discovery.get");
  return CallName("kubernetes", std::string(call.type->resource) + "." + call.verb);
}

net::HttpResponse KubeCallForm::refusal(const net::HttpRequest& /*request*/, const Refusal& refusal) const {
  if (!refusal.throttled) {
    const int status = refusal.status == 0 ? 500 : refusal.status;
    return failure(status, refusal.code.empty() ? "InternalError" : refusal.code, refusal.text);
  }
  net::HttpResponse response =
      failure(429, "TooManyRequests",
              "the server has received too many requests and has asked us to try again later");
  response.headers.set("Retry-After", "1");
  return response;
}

}  // namespace ferryman::sandbox
