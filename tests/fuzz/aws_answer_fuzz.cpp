// SPDX-License-Identifier: Apache-2.0
// Answers of AWS: XML of the query protocol, JSON of SQS, refusals of all forms. Each input goes to every
// parser.
#include "aws/auto_scaling.h"
#include "aws/ec2.h"
#include "aws/elb2.h"
#include "aws/elb_classic.h"
#include "aws/error_reply.h"
#include "aws/sqs.h"
#include "aws/sts.h"
#include "fuzz/fuzzed_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ferryman;
  const std::string_view text = fuzz::text_of(data, size);
  if (const auto page = aws::parse_instances(text)) {
    for (const auto& instance : page->instances)
      fuzz::check(!instance.instance_id.str().empty(), "an instance has an id");
  }
  (void)aws::parse_lifecycle_hooks(text);
  (void)aws::parse_members(text);
  if (const auto page = aws::parse_group_tags(text)) {
    for (const auto& row : page->rows) fuzz::check(!row.group.empty() && !row.key.empty(), "a tag has both");
  }
  if (const auto page = aws::parse_instance_plans(text)) {
    for (const auto& plan : page->plans)
      fuzz::check(!plan.id.empty() && !plan.code.empty(), "a plan has both");
  }
  (void)aws::parse_target_groups(text);
  (void)aws::parse_target_group_tags(text);
  (void)aws::parse_target_health(text);
  (void)aws::parse_deregistration_delay(text);
  (void)aws::parse_classic_balancers(text);
  (void)aws::parse_classic_health(text);
  (void)aws::parse_connection_draining(text);
  (void)aws::parse_role_answer("AssumeRoleWithWebIdentity", text);
  int dropped = 0;
  if (const auto messages = aws::parse_messages(text, dropped)) {
    for (const auto& message : *messages)
      fuzz::check(!message.receipt_handle.empty(), "a message can be deleted");
  }
  for (const int status : {400, 503}) {
    net::HttpResponse response(status, std::string(text));
    fuzz::check(!aws::error_of(response).text.empty(), "a refusal says something");
  }
  return 0;
}
