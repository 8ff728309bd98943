// SPDX-License-Identifier: Apache-2.0
#include "kube/eviction.h"

#include <gtest/gtest.h>

namespace ferryman::kube {
namespace {

using std::chrono::seconds;
using termination::EvictionAnswer;

/// What an API server answers, with the fields that it sends.
net::HttpResponse failure(int status, const std::string& reason, const std::string& message,
                          const std::string& details) {
  std::string body = R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":")" +
                     message + R"(",)";
  if (!reason.empty()) body += R"("reason":")" + reason + R"(",)";
  if (!details.empty()) body += R"("details":)" + details + ",";
  return {status, body + R"("code":)" + std::to_string(status) + "}"};
}

constexpr auto would_violate = "Cannot evict pod as it would violate the pod's disruption budget.";
constexpr auto two_budgets =
    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";

TEST(Eviction, ThatTheServerAcceptsIsAccepted) {
  const auto answer = read_eviction(
      {201, R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":201})"});
  ASSERT_TRUE(answer.ok()) << answer.error().text;
  EXPECT_EQ(answer->answer, EvictionAnswer::accepted);
}

TEST(Eviction, ABudgetWithoutRoomBlocksAndSaysHowManyItNeeds) {
  const auto answer = read_eviction(failure(
      429, "TooManyRequests", would_violate,
      R"({"causes":[{"reason":"DisruptionBudget","message":"The disruption budget web needs 2 healthy pods and has 2 currently"}]})"));
  ASSERT_TRUE(answer.ok()) << answer.error().text;
  EXPECT_EQ(answer->answer, EvictionAnswer::blocked);
  EXPECT_NE(answer->reason.find("needs 2 healthy pods and has 2 currently"), std::string::npos);
  EXPECT_EQ(answer->retry_after, seconds{0});
}

TEST(Eviction, ABudgetThatIsNotCountedYetBlocksForTheTimeThatItNames) {
  const auto answer = read_eviction(failure(
      429, "TooManyRequests", would_violate,
      R"({"causes":[{"reason":"DisruptionBudget","message":"The disruption budget web is still being processed by the server."}],"retryAfterSeconds":10})"));
  ASSERT_TRUE(answer.ok()) << answer.error().text;
  EXPECT_EQ(answer->answer, EvictionAnswer::blocked);
  EXPECT_EQ(answer->retry_after, seconds{10});
}

TEST(Eviction, ABusyServerIsNoBudget) {
  net::HttpResponse busy(429, "Too many requests, please try again later.\n");
  busy.headers.add("Retry-After", "2");
  const auto answer = read_eviction(busy);
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().fault, Fault::throttled);
  EXPECT_EQ(answer.error().retry_after, seconds{2});
}

TEST(Eviction, TwoBudgetsBlockForGoodThoughTheServerCallsItAnInternalError) {
  const auto answer = read_eviction(failure(500, "", two_budgets, ""));
  ASSERT_TRUE(answer.ok()) << answer.error().text;
  EXPECT_EQ(answer->answer, EvictionAnswer::doubly_blocked);
  EXPECT_EQ(answer->reason, two_budgets);
}

TEST(Eviction, AFailureUnderASuccessfulStatusIsAFailure) {
  net::HttpResponse response = failure(500, "", two_budgets, "");
  response.status = 201;
  const auto answer = read_eviction(response);
  ASSERT_TRUE(answer.ok()) << answer.error().text;
  EXPECT_EQ(answer->answer, EvictionAnswer::doubly_blocked);
}

TEST(Eviction, AnotherInternalErrorIsTriedAgain) {
  const auto answer =
      read_eviction(failure(500, "InternalError", "Internal error occurred: etcdserver: request timed out",
                            R"({"causes":[{"message":"etcdserver: request timed out"}]})"));
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().fault, Fault::unexpected);
}

TEST(Eviction, APodOfADyingNamespaceLeavesWithIt) {
  const auto answer = read_eviction(failure(
      403, "Forbidden",
      R"(pods \"web-1\" is forbidden: unable to create new content in namespace shop because it is being terminated)",
      R"({"name":"web-1","kind":"pods","causes":[{"reason":"NamespaceTerminating","message":"namespace shop is being terminated","field":"metadata.namespace"}]})"));
  ASSERT_TRUE(answer.ok()) << answer.error().text;
  EXPECT_EQ(answer->answer, EvictionAnswer::leaving);
}

TEST(Eviction, AForbiddenThatNamesABudgetIsNotAMissingRight) {
  const auto answer = read_eviction(
      failure(403, "Forbidden",
              R"(poddisruptionbudget.policy \"web\" is forbidden: pdb disruptions allowed is negative)",
              R"({"name":"web","group":"policy","kind":"poddisruptionbudget"})"));
  ASSERT_TRUE(answer.ok()) << answer.error().text;
  EXPECT_EQ(answer->answer, EvictionAnswer::blocked);
}

TEST(Eviction, AForbiddenForABudgetsCauseIsNotAMissingRight) {
  const auto answer = read_eviction(failure(
      403, "Forbidden",
      R"(poddisruptionbudget.policy \"web\" is forbidden: pdb disruptions allowed is negative)",
      R"({"name":"web","group":"policy","kind":"poddisruptionbudget","causes":[{"reason":"DisruptionBudget","message":"The disruption budget web does not allow evicting pods currently: pdb disruptions allowed is negative"}]})"));
  ASSERT_TRUE(answer.ok()) << answer.error().text;
  EXPECT_EQ(answer->answer, EvictionAnswer::blocked);
  EXPECT_NE(answer->reason.find("does not allow evicting pods currently"), std::string::npos);
}

TEST(Eviction, AMissingRightIsNamed) {
  const auto answer = read_eviction(failure(
      403, "Forbidden",
      R"(pods \"web-1\" is forbidden: User \"system:serviceaccount:ferryman:ferryman\" cannot create resource \"pods/eviction\" in API group \"\" in the namespace \"shop\")",
      R"({"name":"web-1","kind":"pods"})"));
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().fault, Fault::denied);
  EXPECT_NE(answer.error().text.find("cannot create resource \"pods/eviction\""), std::string::npos);
}

TEST(Eviction, APodThatIsNotThereIsGoneButAProxysPageSaysNothing) {
  const auto gone = read_eviction(
      failure(404, "NotFound", R"(pods \"web-1\" not found)", R"({"name":"web-1","kind":"pods"})"));
  ASSERT_TRUE(gone.ok()) << gone.error().text;
  EXPECT_EQ(gone->answer, EvictionAnswer::gone);
  const auto page = read_eviction({404, "404 page not found"});
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(page.error().fault, Fault::unexpected);
}

TEST(Eviction, AnotherUidIsAConflict) {
  const auto answer = read_eviction(failure(
      409, "Conflict",
      R"(Operation cannot be fulfilled on Pod \"web-1\": the UID in the precondition (u1) does not match the UID in record (u2). The object might have been deleted and then recreated)",
      R"({"name":"web-1","kind":"Pod"})"));
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().fault, Fault::conflict);
}

TEST(Eviction, AnythingElseIsAnErrorAndNoCrash) {
  for (const char* body : {"", "{", "[]", "null", R"({"kind":"Status","details":7,"code":"x"})",
                           R"({"kind":"Status","details":{"causes":[7,{"reason":[]}]}})"}) {
    for (const int status : {400, 403, 409, 429, 500, 503}) {
      EXPECT_FALSE(read_eviction({status, body}).ok()) << status << " " << body;
    }
  }
}

}  // namespace
}  // namespace ferryman::kube
