// The lines of the logs by protocol and by fate, and how they come into their files.
#include "caddis/crawl/outcome_logs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "caddis/base/fetch_status.h"
#include "caddis/base/time_format.h"
#include "caddis/commit/commit_group.h"
#include "caddis/commit/group_writer.h"
#include "caddis/crawl/outcome_line.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/io/memory_files.h"
#include "caddis/store/memory_kv.h"
#include "caddis/store/streams.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {
namespace {

using logs::JsonLog;
using std::chrono_literals::operator""ms;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

visit::LogEntry page() {
  visit::LogEntry entry;
  entry.finished = *parse_timestamp("20260102030405006");
  entry.started = *parse_timestamp("20260102030404906");
  entry.duration = 100ms;
  entry.status = 200;
  entry.size = 1270;
  entry.url = "http://a.example/x";
  entry.hops = "L";
  entry.via = "http://a.example/";
  entry.mime = "text/html";
  entry.lane = 1;
  entry.digest = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";
  entry.seed = "http://a.example/";
  entry.body_size = entry.size - 270;
  entry.facts.peer.address = "192.0.2.1";
  entry.facts.phases = {.is_reused = false, .connect = 20ms, .wait = 60ms, .receive = 20ms};
  return entry;
}

visit::LogEntry decided(FetchStatus status) {
  visit::LogEntry entry;
  entry.finished = entry.started = *parse_timestamp("20260102030407001");
  entry.status = status;
  entry.url = "http://a.example/private/";
  entry.hops = "L";
  return entry;
}

std::string line_of(const visit::LogEntry& entry, std::string_view reason = {}) {
  const JsonLog log = log_of(entry);
  std::string line;
  append_outcome(line, log, all_fields(log), entry, reason);
  return line;
}

// Golden: other people's tools read these lines. docs/formats/logs.md has the same.
TEST(OutcomeLine, OfAnAnswer) {
  EXPECT_EQ(line_of(page()),
            R"({"time":"2026-01-02T03:04:05.006Z","url":"http://a.example/x","status":200,)"
            R"("begun":"2026-01-02T03:04:04.906Z","duration_ms":100,"connect_ms":20,"wait_ms":60,"receive_ms":20,)"
            R"("mime":"text/html","digest":"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ","received":1270,"head_size":270,)"
            R"("body_size":1000,"hops":"L","via":"http://a.example/","seed":"http://a.example/",)"
            R"("address":"192.0.2.1","lane":1})"
            "\n");
}

TEST(OutcomeLine, OfAnAnswerWithAllThatMayBeWrong) {
  visit::LogEntry entry = page();
  visit::VisitFacts& facts = entry.facts;
  facts.attempt = 3;
  facts.times = 1;
  facts.truncated = http::Truncated::disconnect;
  facts.http_problem = "a \"blank\" line";
  facts.body = {.flaw = fetch::BodyFlaw::undecodable, .problem = "half a block", .unknown_coding = "sdch"};
  facts.body.dropped_links = 12;
  facts.body.document_problem = "pdf: it is cut";
  facts.words = {"words:12", "b\xff"};
  facts.failed_modules = {"calendar"};
  facts.unmirrored = 1;
  facts.is_left_out = true;
  facts.phases.is_reused = true;
  facts.revisit = visit::RevisitFacts{.is_unchanged = false,
                                      .likeness = dedup::Likeness::digest,
                                      .url = "http://b.example/",
                                      .date = *parse_timestamp("20250101000000")};
  EXPECT_THAT(line_of(entry),
              EndsWith(R"("receive_ms":20,"reused":true,"mime":"text/html",)"
                       R"("digest":"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ","received":1270,"head_size":270,)"
                       R"("body_size":1000,"hops":"L","via":"http://a.example/","seed":"http://a.example/",)"
                       R"("address":"192.0.2.1","attempts":3,"captured_before":1,"lane":1,)"
                       R"("revisit":"identical-payload-digest","original_url":"http://b.example/",)"
                       R"("original_time":"2025-01-01T00:00:00.000Z","likeness":"digest","truncated":"disconnect",)"
                       R"("problem":"a \"blank\" line","body_flaw":"undecodable","body_problem":"half a block",)"
                       R"("unknown_coding":"sdch","dropped_links":12,)"
                       R"("document_problem":"pdf: it is cut","left_out":true,)"
                       "\"extra\":{\"words\":[\"words:12\",\"b\xEF\xBF\xBD\"],"
                       R"("failed_modules":["calendar"],"unmirrored":1}})"
                       "\n"));
}

TEST(OutcomeLine, OfACaptureThatTheServerSaysIsUnchanged) {
  visit::LogEntry entry = page();
  entry.status = 304;
  entry.facts.revisit = visit::RevisitFacts{.is_unchanged = true,
                                            .likeness = dedup::Likeness::url,
                                            .url = entry.url,
                                            .date = *parse_timestamp("20250101000000")};
  const std::string line = line_of(entry);
  EXPECT_THAT(line, HasSubstr(R"("status":304,)"));
  EXPECT_THAT(line, HasSubstr(R"("revisit":"server-not-modified","original_time":"2025-01-01T00:00:00.000Z",)"));
  EXPECT_THAT(line, Not(HasSubstr("original_url"))) << "it is the same";
}

TEST(OutcomeLine, OfALookUp) {
  visit::LogEntry entry = page();
  entry.status = status::kDnsOk;
  entry.url = "dns:a.example";
  entry.hops = "P";
  entry.size = 53;
  entry.facts = {};
  entry.facts.peer.address = "192.0.2.53";
  entry.facts.addresses = {"192.0.2.1", "2001:db8::1"};
  EXPECT_EQ(line_of(entry), R"({"time":"2026-01-02T03:04:05.006Z","url":"dns:a.example","status":0,)"
                            R"("begun":"2026-01-02T03:04:04.906Z","duration_ms":100,"received":53,"hops":"P",)"
                            R"("via":"http://a.example/","seed":"http://a.example/","address":"192.0.2.53",)"
                            R"("addresses":["192.0.2.1","2001:db8::1"],"lane":1})"
                            "\n");
}

TEST(OutcomeLine, OfAFailure) {
  visit::LogEntry entry = decided(status::kConnectFailed);
  entry.facts.attempt = 30;
  EXPECT_EQ(line_of(entry, "connection refused"),
            R"({"time":"2026-01-02T03:04:07.001Z","url":"http://a.example/private/","status":"connect-failed",)"
            R"("scheme":"http","reason":"connection refused","hops":"L","attempts":30})"
            "\n");
  entry.facts.is_timeout = true;
  EXPECT_THAT(line_of(entry), HasSubstr(R"("status":"connect-timeout")"));
  entry.status = status::kRuntimeException;
  entry.facts.given_up = "hung:2:extract";
  EXPECT_THAT(line_of(entry), HasSubstr(R"("hang":"2:extract")"));
}

TEST(OutcomeLine, OfADecision) {
  EXPECT_EQ(line_of(decided(status::kRobotsPrecluded)),
            R"({"time":"2026-01-02T03:04:07.001Z","url":"http://a.example/private/","status":"robots-excluded",)"
            R"("scheme":"http","hops":"L"})"
            "\n");
  visit::LogEntry quota = decided(status::kBlockedByQuota);
  quota.facts.given_up = "Q:host-bytes";
  EXPECT_THAT(line_of(quota), HasSubstr(R"("status":"quota","scheme":"http","hops":"L","quota":"host-bytes"})"));
  visit::LogEntry limit = decided(status::kBlockedByRuntimeLimit);
  limit.facts.given_up = "limit:max-documents";
  EXPECT_THAT(line_of(limit), HasSubstr(R"("status":"limit","scheme":"http","hops":"L","limit":"max-documents"})"));
  visit::LogEntry scope = decided(status::kOutOfScope);
  scope.facts.scope_rule = "exclude";
  EXPECT_THAT(line_of(scope), HasSubstr(R"("status":"out-of-scope","scheme":"http","hops":"L","rule":"exclude"})"));
}

// Which log has it, and how it is counted, follows from one table.
TEST(OutcomeLine, EachStatusBelongsToOneLog) {
  for (const StatusInfo& info : all_statuses()) {
    const JsonLog log = log_of(decided(info.status));
    EXPECT_EQ(log == JsonLog::http || log == JsonLog::dns, is_success(info.status)) << info.name;
    EXPECT_EQ(log == JsonLog::not_crawled, is_disregarded(info.status)) << info.name;
  }
}

class OutcomeLogsTest : public testing::Test {
 protected:
  static OutcomeLogs logs_with(config::LogSettings settings) {
    return OutcomeLogs({"/c", "a-20260102030000", std::move(settings)});
  }
  void commit(OutcomeLogs& logs) {
    commit::CommitGroup group({.number = 1});
    logs.stage(group);
    EXPECT_EQ(commit::GroupWriter(*streams_, *kv_).write(group).fate, commit::GroupWriter::Fate::committed);
  }
  std::string text(const std::string& name) { return files_.read_all("/c/" + name + ".jsonl").value_or("(none)"); }

  io::MemoryFiles files_;
  std::unique_ptr<store::Kv> kv_ = store::memory_kv(family_names());
  std::unique_ptr<store::StreamSet> streams_ = *store::StreamSet::open(files_, *kv_, kStreams, "/c/orphans");
};

visit::VisitResult result_with(visit::LogEntry entry, std::string reason = {}) {
  visit::VisitResult result;
  result.visited.emplace_back().entry = std::move(entry);
  result.reason = std::move(reason);
  return result;
}

TEST_F(OutcomeLogsTest, PlacesAreThoseThatTheWorkerHasLearned) {
  OutcomeLogs logs = logs_with({});
  ASSERT_TRUE(logs.open(*streams_));
  visit::VisitResult first = result_with(page()), left_out = result_with(page()), second = result_with(page());
  first.visited[0].place = std::make_shared<visit::WrittenAt>();
  left_out.visited[0].place = std::make_shared<visit::WrittenAt>();
  second.visited[0].place = std::make_shared<visit::WrittenAt>();
  logs.on_final(first);
  logs.on_final(left_out);
  logs.on_final(second);
  commit::CommitGroup group({.number = 1});
  logs.stage(group);
  *first.visited[0].place = {"a.warc.gz", 0};
  *second.visited[0].place = {"b.warc.gz", 812};
  EXPECT_EQ(commit::GroupWriter(*streams_, *kv_).write(group).fate, commit::GroupWriter::Fate::committed);
  const std::string log = text("http");
  EXPECT_THAT(log, StartsWith(R"({"log":"http","version":1,"fields":["time","url","status","begun",)"));
  EXPECT_THAT(log, HasSubstr("\"lane\":1,\"warc\":\"a.warc.gz\",\"offset\":0}\n{"));
  EXPECT_THAT(log, HasSubstr("\"lane\":1}\n{"));
  EXPECT_THAT(log, EndsWith("\"lane\":1,\"warc\":\"b.warc.gz\",\"offset\":812}\n"));
}

TEST_F(OutcomeLogsTest, EachOutcomeIsInOneOfThem) {
  OutcomeLogs logs = logs_with({});
  ASSERT_TRUE(logs.open(*streams_));
  visit::VisitResult failed = result_with(decided(status::kConnectFailed), "refused");
  visit::VisitResult excluded = result_with(decided(status::kRobotsPrecluded));
  excluded.scope_lines = "{}\n";
  logs.on_final(failed);
  logs.on_final(excluded);
  logs.on_deleted(result_with(decided(status::kDeleted)).visited.front());
  commit(logs);
  const auto lines = [&](const std::string& name) { return std::ranges::count(text(name), '\n'); };
  EXPECT_EQ(lines("http"), 1);
  EXPECT_EQ(lines("dns"), 1);
  EXPECT_EQ(lines("failures"), 2);
  EXPECT_EQ(lines("not-crawled"), 3);
  EXPECT_EQ(text("scope"), "(none)") << "nobody asked for it";
  EXPECT_THAT(text("not-crawled"), HasSubstr("\"status\":\"deleted\""));
}

TEST_F(OutcomeLogsTest, EachProcessBeginsWithAHeader) {
  config::LogSettings settings;
  settings.write = {"failures"};
  const auto begin_and_log = [&] {
    OutcomeLogs logs = logs_with(settings);
    ASSERT_TRUE(logs.open(*streams_));
    visit::VisitResult failed = result_with(decided(status::kConnectFailed));
    logs.on_final(failed);
    commit(logs);
    streams_ = *store::StreamSet::open(files_, *kv_, kStreams, "/c/orphans");
    const auto plan = streams_->inspect({}, nullptr);
    ASSERT_TRUE(plan);
    ASSERT_TRUE(streams_->apply(*plan));
  };
  begin_and_log();
  begin_and_log();
  settings.fields = {"failures: url status", "http: url"};
  begin_and_log();
  const std::string line = R"({"url":"http://a.example/private/","status":"connect-failed"})"
                           "\n";
  const std::string log = text("failures");
  EXPECT_THAT(log, EndsWith("\n" +
                            json_log_header(JsonLog::failures, chosen_fields(JsonLog::failures, settings.fields),
                                            "a-20260102030000") +
                            line));
  EXPECT_EQ(std::ranges::count(log, '\n'), 6) << log;
  EXPECT_EQ(text("http"), "(none)");
}

// Lines of a visit that began before the change come behind it, with the fields of before.
TEST_F(OutcomeLogsTest, ALiveChangeBringsAHeader) {
  config::LogSettings settings;
  settings.write = {"failures"};
  settings.fields = {"failures: url", "scope: url"};
  OutcomeLogs logs = logs_with(settings);
  ASSERT_TRUE(logs.open(*streams_));
  visit::VisitResult failed = result_with(decided(status::kConnectFailed));
  logs.on_final(failed);
  settings.write = {"failures", "scope"};
  settings.fields = {"failures: status", "scope: url status"};
  logs.follow(settings);
  logs.on_final(failed);
  commit(logs);
  logs.on_final(failed);
  commit(logs);
  const auto header = [&](JsonLog log, const char* fields) {
    return json_log_header(log, chosen_fields(log, std::vector<std::string>{fields}), "a-20260102030000");
  };
  const std::string status = "{\"status\":\"connect-failed\"}\n";
  EXPECT_EQ(text("failures"), header(JsonLog::failures, "failures: url") + "{\"url\":\"http://a.example/private/\"}\n" +
                                  header(JsonLog::failures, "failures: status") + status + status);
  EXPECT_EQ(text("scope"), header(JsonLog::scope, "scope: url status"));

  settings.write = {"scope"};
  logs.follow(settings);
  logs.on_final(failed);
  visit::VisitResult earlier = result_with(decided(status::kConnectFailed));
  earlier.link_logs.answers = chosen_fields(JsonLog::scope, std::vector<std::string>{"scope: url"});
  earlier.scope_lines = "{\"url\":\"http://b.example/\"}\n";
  logs.on_final(earlier);
  commit(logs);
  EXPECT_THAT(text("failures"), EndsWith(status + status)) << "nobody wants it any more";
  EXPECT_EQ(text("scope"),
            header(JsonLog::scope, "scope: url status") + header(JsonLog::scope, "scope: url") + earlier.scope_lines);
}

}  // namespace
}  // namespace caddis::crawl
