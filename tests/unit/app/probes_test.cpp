// SPDX-License-Identifier: Apache-2.0
#include "app/probes.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "app/metrics_page.h"
#include "app/status_page.h"
#include "base/json.h"
#include "support/simulation.h"
#include "unit/app/memory_files.h"

namespace ferryman::app {
namespace {

class FixedSource final : public StatusSource {
 public:
  StatusReport status() override { return report; }
  std::string metrics_text() override { return "x 1\n"; }

  StatusReport report;
};

class ProbesTest : public testing::Test {
 protected:
  net::HttpResponse get(std::string path, std::string method = "GET") {
    return sim_.run(probes_.handle(net::HttpRequest(std::move(method), "http://127.0.0.1:8080" + path)))
        .response;
  }

  test::Simulation sim_;
  FixedSource source_;
  Probes probes_{source_};
};

TEST_F(ProbesTest, HealthzIsOkWhateverIsNotReady) {
  source_.report.health = {HealthRow("queue", false, "down")};
  EXPECT_EQ(get("/healthz").status, 200);
}

TEST_F(ProbesTest, ReadyzNamesEachThingThatIsNotReady) {
  source_.report.health = {HealthRow("queue", true, "fine"), HealthRow("nodes", false, "listing: refused\nx"),
                           HealthRow("hooks", false, "denied")};
  const auto answer = get("/readyz");
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(answer.body, "nodes: listing: refused x\nhooks: denied\n");
}

TEST_F(ProbesTest, ReadyzIsReadyWhenAllIs) {
  source_.report.health = {HealthRow("queue", true, "fine")};
  EXPECT_EQ(get("/readyz").status, 200);
}

TEST_F(ProbesTest, OtherPathsAndMethodsAreRefused) {
  EXPECT_EQ(get("/metricsx").status, 404);
  EXPECT_EQ(get("/healthz/").status, 404);
  const auto posted = get("/healthz", "POST");
  EXPECT_EQ(posted.status, 405);
  EXPECT_EQ(posted.headers.get("Allow"), "GET, HEAD");
}

TEST_F(ProbesTest, HeadHasNoBodyAndAQueryIsIgnored) {
  EXPECT_EQ(get("/metrics?x=1").body, "x 1\n");
  const auto head = get("/metrics", "HEAD");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.body, "");
}

RunningRow running(std::string node, std::string phase) {
  RunningRow row;
  row.instance_id = "i-0123456789abcdef0";
  row.node = std::move(node);
  row.phase = std::move(phase);
  row.pods_left = 7;
  row.started = *parse_rfc3339("2026-03-01T12:00:00Z");
  row.deadline = *parse_rfc3339("2026-03-01T12:10:00Z");
  return row;
}

TEST(StatusPage, SaysThatItIsPausedOrWritesNothing) {
  StatusReport report;
  EXPECT_EQ(status_page(report).find("paused"), std::string::npos);
  EXPECT_EQ(status_page(report).find("shadow"), std::string::npos);
  report.paused = true;
  EXPECT_NE(status_page(report).find("paused: nothing new is begun"), std::string::npos);
  report.shadow = true;
  EXPECT_NE(status_page(report).find("shadow, paused"), std::string::npos);
  report.paused = false;
  EXPECT_NE(status_page(report).find("shadow: nothing is written"), std::string::npos);
}

TEST(StatusPage, ShowsRunningAndFinishedWork) {
  StatusReport report;
  report.now = *parse_rfc3339("2026-03-01T12:01:05Z");
  report.started = *parse_rfc3339("2026-03-01T09:00:00Z");
  report.running = {running("node-a", "drain")};
  FinishedRow done;
  done.node = "node-b";
  done.result = "cut-short";
  done.started = report.started;
  done.ended = report.started + std::chrono::seconds{75};
  report.finished = {done};
  const std::string page = status_page(report);
  for (const char* text : {"node-a", "<span class=\"now\">drain</span>", ">7<", "1m 5s", "8m 55s left",
                           "up 3h 1m", "node-b", "cut-short", "1m 15s"}) {
    EXPECT_NE(page.find(text), std::string::npos) << text;
  }
}

TEST(StatusPage, EscapesWhatComesFromOutside) {
  StatusReport report;
  report.running = {running("<script>alert('x')</script>", "<b>")};
  report.health = {HealthRow("queue", false, "\"><img src=x onerror=y>&")};
  const std::string page = status_page(report);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_NE(page.find("&quot;&gt;&lt;img src=x onerror=y&gt;&amp;"), std::string::npos);
}

TEST(StatusPage, APassedDeadlineIsSaid) {
  StatusReport report;
  report.running = {running("a", "drain")};
  report.now = report.running.front().deadline;
  EXPECT_NE(status_page(report).find("deadline passed"), std::string::npos);
}

RunningRow blocked(std::size_t waits) {
  RunningRow row = running("node-a", "drain");
  for (std::size_t i = 1; i <= waits; ++i)
    row.waits_for.push_back("pod shop/web-" + std::to_string(i) + ": budget <shop/web>");
  return row;
}

TEST(StatusPage, ShowsWhatEachNodeWaitsForButNotWithoutEnd) {
  StatusReport report;
  report.running = {blocked(13)};
  const std::string page = status_page(report);
  EXPECT_NE(page.find("<li>pod shop/web-1: budget &lt;shop/web&gt;</li>"), std::string::npos);
  EXPECT_NE(page.find("web-10:"), std::string::npos);
  EXPECT_EQ(page.find("web-11:"), std::string::npos);
  EXPECT_NE(page.find("and 3 more"), std::string::npos);
}

TEST(StatusPage, OfManyNodesItShowsLessEach) {
  StatusReport report;
  report.running.assign(21, blocked(5));
  const std::string page = status_page(report);
  EXPECT_EQ(page.find("web-4:"), std::string::npos);
  EXPECT_NE(page.find("and 2 more"), std::string::npos);
}

TEST(StatusPage, AWaitIsOneLineOfReasonableLengthWhateverItHolds) {
  StatusReport report;
  report.running = {running("a", "drain")};
  report.running[0].waits_for = {std::string(5000, 'x') + "\xff"};
  const std::string page = status_page(report);
  EXPECT_EQ(page.find(std::string(401, 'x')), std::string::npos);
  EXPECT_EQ(page.find('\xff'), std::string::npos);
}

TEST(StatusPage, MarksWhatIsDoneAndWhatIsGoingOn) {
  StatusReport report;
  report.running = {running("a", "deregister")};
  const std::string page = status_page(report);
  EXPECT_NE(page.find("<span class=\"done\">cordon</span>"), std::string::npos);
  EXPECT_NE(page.find("<span class=\"now\">deregister</span>"), std::string::npos);
  EXPECT_NE(page.find("<span>drain</span>"), std::string::npos);
  EXPECT_EQ(page.find(">find<"), std::string::npos);
  report.running = {running("a", "find")};
  EXPECT_NE(status_page(report).find("<span class=\"now\">find</span>"), std::string::npos);
}

TEST_F(ProbesTest, TheStatusForScriptsHasAllThatThePageCutsShort) {
  source_.report.running = {blocked(13)};
  source_.report.health = {HealthRow("queue", false, "down")};
  const auto answer = get("/status.json");
  EXPECT_EQ(answer.headers.get("Content-Type"), "application/json");
  const auto body = parse_json(answer.body);
  ASSERT_TRUE(body.ok()) << answer.body;
  EXPECT_FALSE(bool_at(&*body, "ready"));
  const json::array* rows = array_at(&*body, "running");
  ASSERT_NE(rows, nullptr);
  const json::value& row = rows->at(0);
  EXPECT_EQ(string_at(row, "phase"), "drain");
  EXPECT_EQ(string_at(row, "deadline"), "2026-03-01T12:10:00Z");
  EXPECT_EQ(array_at(&row, "waits_for")->size(), 13U);
  EXPECT_EQ(array_at(&row, "waits_for")->at(12).as_string(), "pod shop/web-13: budget <shop/web>");
}

class MetricsTextTest : public testing::Test {
 protected:
  std::string print() {
    return print_metrics({termination_, aws_, kube_, notify_, read_process_facts(files_),
                          *parse_rfc3339("2026-03-01T12:00:00Z"), true});
  }

  termination::Metrics termination_;
  aws::Metrics aws_;
  kube::Metrics kube_;
  notify::Metrics notify_;
  test::MemoryFiles files_;
};

TEST_F(MetricsTextTest, HoldsValuesUnderTheirLabels) {
  termination_.messages[termination::MessageOutcome::claimed].add(3);
  aws_.services[aws::Service::auto_scaling].errors[Fault::throttled].add(2);
  notify_.notices[termination::NoticeKind::pod_blocked].add(4);
  notify_.events_dropped[notify::EventLoss::queue_full].add(9);
  files_.files["/proc/self/statm"] = "1000 250 1 1 0 1 0";
  files_.files["/proc/self/stat"] = "1 (a) b) S 0 0 0 0 0 0 0 0 0 0 150 50 0 0";
  const std::string text = print();
  for (const char* line : {"ferryman_messages_total{outcome=\"claimed\"} 3\n",
                           "ferryman_aws_errors_total{service=\"autoscaling\",fault=\"throttled\"} 2\n",
                           "process_resident_memory_bytes 1024000\n", "process_cpu_seconds_total 2\n",
                           "ferryman_notices_total{reason=\"PodEvictionBlocked\"} 4\n",
                           "ferryman_kubernetes_events_dropped_total{because=\"queue-full\"} 9\n",
                           "ferryman_ready 1\n", "ferryman_build_info{version=\"" FERRYMAN_VERSION "\""}) {
    EXPECT_NE(text.find(line), std::string::npos) << line;
  }
}

TEST_F(MetricsTextTest, BucketsAreCumulativeAndEndWithInfinity) {
  termination_.seconds_to_complete.observe(0.5);
  termination_.seconds_to_complete.observe(20);
  termination_.seconds_to_complete.observe(1e6);
  const std::string text = print();
  for (const char* line :
       {"ferryman_termination_seconds_bucket{le=\"1\"} 1\n",
        "ferryman_termination_seconds_bucket{le=\"30\"} 2\n",
        "ferryman_termination_seconds_bucket{le=\"+Inf\"} 3\n", "ferryman_termination_seconds_count 3\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line;
  }
}

// The form: "# HELP name text", "# TYPE name kind", then samples of that name; each name once.
TEST_F(MetricsTextTest, IsValidTextForm) {
  std::istringstream lines(print());
  std::set<std::string> names;
  std::string name;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string hash;
    std::string word;
    std::string kind;
    if (line.starts_with("# HELP ")) {
      words >> hash >> word >> name;
      EXPECT_TRUE(names.insert(name).second) << name;
    } else if (line.starts_with("# TYPE ")) {
      words >> hash >> word >> word >> kind;
      EXPECT_EQ(word, name);
      if (kind == "counter") EXPECT_TRUE(name.ends_with("_total")) << name;
    } else {
      EXPECT_TRUE(line.starts_with(name)) << line;
      EXPECT_NO_THROW((void)std::stod(line.substr(line.rfind(' ')))) << line;
    }
  }
  EXPECT_GT(names.size(), 30U);
}

TEST_F(MetricsTextTest, WithoutProcTheProcessHasNoFacts) {
  EXPECT_EQ(print().find("process_resident_memory_bytes"), std::string::npos);
}

}  // namespace
}  // namespace ferryman::app
