// The reports of whole crawls in the simulated world: their sums are those of the log and of the status, to the last
// URL and byte, whatever the crawl went through; and they can be had at any moment.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/fetch_status.h"
#include "caddis/base/strings.h"
#include "caddis/collection/launch.h"
#include "caddis/crawl/progress_series.h"
#include "caddis/crawl/report_desk.h"
#include "caddis/crawl/report_names.h"
#include "caddis/crawl/stopped_crawl.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/frontier/settings.h"
#include "caddis/io/memory_files.h"
#include "caddis/logs/log_line.h"
#include "caddis/reports/report_writer.h"
#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using ::testing::HasSubstr;
using testing::SimCrawl;
using Cells = std::map<std::string, std::string>;

collection::Launch launch_of(SimCrawl& crawl) {
  return **collection::latest_launch(crawl.disk.files, SimCrawl::kCollection);
}

std::string file(SimCrawl& crawl, const std::string& name) {
  return crawl.disk.files.read_all(launch_of(crawl).reports() + "/" + name).value_or("");
}

// The cells of a line of CSV; none of these crawls has a line end in one.
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells(1);
  bool is_quoted = false;
  for (const char c : line) {
    if (c == '"')
      is_quoted = !is_quoted;
    else if (c == ',' && !is_quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

// The rows of a CSV file, by the names of the columns.
std::vector<Cells> rows_of(SimCrawl& crawl, const std::string& name) {
  const std::string text = file(crawl, name + ".csv");
  std::vector<Cells> rows;
  std::vector<std::string> columns;
  for (std::string_view line : split(text, '\n')) {
    if (line.empty()) continue;
    EXPECT_TRUE(line.ends_with('\r')) << line;
    line.remove_suffix(1);
    const auto cells = cells_of(line);
    if (columns.empty()) {
      columns = cells;
      continue;
    }
    EXPECT_EQ(cells.size(), columns.size()) << line;
    Cells row;
    for (size_t i = 0; i < std::min(cells.size(), columns.size()); ++i) row[columns[i]] = cells[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

uint64_t sum(const std::vector<Cells>& rows, const std::string& column) {
  uint64_t total = 0;
  for (const Cells& row : rows) total += static_cast<uint64_t>(parse_int(row.at(column)).value_or(0));
  return total;
}

uint64_t figure(SimCrawl& crawl, const std::string& name) {
  for (const Cells& row : rows_of(crawl, "crawl-report"))
    if (row.at("name") == name) return static_cast<uint64_t>(parse_int(row.at("value")).value_or(0));
  ADD_FAILURE() << "crawl-report has no " << name;
  return 0;
}

uint64_t expected_sum(const std::map<std::string, uint64_t>& numbers) {
  uint64_t total = 0;
  for (const auto& [name, number] : numbers) total += number;
  return total;
}

struct LogSums {
  uint64_t captured = 0, bytes = 0, failed = 0, excluded = 0;
};

LogSums sums_of_log(SimCrawl& crawl) {
  LogSums sums;
  const std::string log = *crawl.disk.files.read_all(launch_of(crawl).crawl_log());
  logs::LogLine fields;
  for (const std::string_view line : split(log, '\n')) {
    if (!fields.parse(line)) continue;
    const int status = fields.status().value_or(0);
    if (is_success(status)) {
      ++sums.captured;
      sums.bytes += fields.bytes();
    } else {
      ++(is_disregarded(status) ? sums.excluded : sums.failed);
    }
  }
  return sums;
}

// Every report that divides the crawl has all of it.
void expect_agreement(SimCrawl& crawl, uint64_t queued) {
  const LogSums log = sums_of_log(crawl);
  EXPECT_GT(log.captured, 20u);
  EXPECT_EQ(figure(crawl, "URI successes"), log.captured);
  EXPECT_EQ(figure(crawl, "total crawled bytes"), log.bytes);
  EXPECT_EQ(figure(crawl, "URI failures"), log.failed);
  EXPECT_EQ(figure(crawl, "URI disregards"), log.excluded);
  EXPECT_EQ(figure(crawl, "queued URIs"), queued);
  const uint64_t novel = figure(crawl, "novel crawled bytes");
  for (const char* const name : {"hosts-report", "domains-report", "groups-report", "source-report"}) {
    SCOPED_TRACE(name);
    const auto rows = rows_of(crawl, name);
    EXPECT_EQ(sum(rows, "urls"), log.captured);
    EXPECT_EQ(sum(rows, "bytes"), log.bytes);
    EXPECT_EQ(sum(rows, "novel-bytes"), novel);
    EXPECT_EQ(sum(rows, "failed"), log.failed);
    EXPECT_EQ(sum(rows, "excluded"), log.excluded);
    if (std::string_view(name) != "source-report") EXPECT_EQ(sum(rows, "remaining"), queued);
  }
  EXPECT_EQ(sum(rows_of(crawl, "seeds-report"), "urls"), log.captured) << file(crawl, "seeds-report.txt");
  EXPECT_EQ(sum(rows_of(crawl, "mimetype-report"), "urls"), log.captured);
  EXPECT_EQ(sum(rows_of(crawl, "mimetype-report"), "bytes"), log.bytes);
  EXPECT_EQ(sum(rows_of(crawl, "responsecode-report"), "urls"), log.captured + log.failed + log.excluded);
  EXPECT_EQ(sum(rows_of(crawl, "responsecode-report"), "bytes"), log.bytes);
}

TEST(ReportsOfACrawl, AgreeWithItsLogWhateverItWentThrough) {
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    SimCrawl crawl(seed);
    bool ended = false;
    for (int lives = 0; !ended && lives < 5; ++lives)
      ended = crawl.live({1 + crawl.disk.random.below(SimCrawl::kEvents), {}});
    if (!ended) ended = crawl.live({});
    ASSERT_TRUE(ended);
    expect_agreement(crawl, 0);
    for (const Cells& row : rows_of(crawl, "hosts-report")) EXPECT_NE(row.at("stop-reason"), "waiting");
    EXPECT_THAT(file(crawl, "crawl-report.txt"), HasSubstr("\ncrawl status: Finished\n"));
    for (const ReportName& one : kReportNames)
      for (const char* const ending : {".txt", ".csv", ".json"})
        EXPECT_FALSE(file(crawl, std::string(one.name) + ending).empty() && one.name != "threads-report" &&
                     one.name != "frontier-nonempty-report" && one.name != "traps-report")
            << one.name << ending;
    EXPECT_THAT(file(crawl, "crawl-manifest.txt"), HasSubstr("L+ logs/crawl.log\n"));
    EXPECT_THAT(file(crawl, "index.html"), HasSubstr("class=\"bar\""));
    if (HasFailure()) return;
  }
}

TEST(ReportsOfACrawl, TellWhatWaitsAndWhy) {
  SimCrawl crawl(1);
  crawl.settings.limits.max_documents = 30;
  uint64_t queued = 0;
  crawl.on_pulse = [&](aio::SimLoop&, Operator& running) { queued = running.status().queued; };
  EXPECT_FALSE(crawl.live({}));
  EXPECT_EQ(crawl.end().reason, EndReason::limit);
  ASSERT_GT(queued, 0u);
  expect_agreement(crawl, figure(crawl, "queued URIs"));
  EXPECT_GT(figure(crawl, "queued URIs"), 0u);
  uint64_t limited = 0;
  for (const Cells& row : rows_of(crawl, "hosts-report")) limited += row.at("stop-reason") == "limit:max-documents";
  EXPECT_GT(limited, 0u) << file(crawl, "hosts-report.txt");
  EXPECT_THAT(file(crawl, "seeds-report.csv"), HasSubstr(",limit:max-documents\r\n"));
  // Of hosts that are not resident, some wait to come into their queues.
  EXPECT_LE(sum(rows_of(crawl, "frontier-nonempty-report"), "currentSize"), figure(crawl, "queued URIs"));
  EXPECT_FALSE(file(crawl, "hosts-report.txt").contains("other-hosts")) << file(crawl, "hosts-report.txt");
  EXPECT_THAT(file(crawl, "frontier-summary-report.txt"), HasSubstr("-----===== QUEUES =====-----"));
}

TEST(ReportsOfACrawl, CanBeHadAtAnyMoment) {
  SimCrawl crawl(2);
  bool asked = false;
  std::string found;
  crawl.on_pulse = [&](aio::SimLoop&, Operator& running) {
    if (!asked && running.status().documents >= 20) {
      running.reports().ask();
      asked = true;
    }
    if (asked && found.empty()) found = file(crawl, "index.html");
  };
  ASSERT_FALSE(crawl.live({.events = SimCrawl::kEvents * 3 / 4}));
  ASSERT_TRUE(asked);
  ASSERT_FALSE(found.empty());
  EXPECT_THAT(file(crawl, "crawl-report.txt"), HasSubstr("\ncrawl status: Running - Active\n"));
  EXPECT_FALSE(rows_of(crawl, "processors-report").empty());
  EXPECT_GT(figure(crawl, "queued URIs"), 0u);
  // Which seeds have nothing that waits is not known while it runs.
  for (const Cells& row : rows_of(crawl, "seeds-report")) EXPECT_EQ(row.at("stop-reason"), "waiting");
  crawl.on_pulse = nullptr;
  ASSERT_TRUE(crawl.live({}));
  expect_agreement(crawl, 0);
  crawl.verify();
}

TEST(ReportsOfACrawl, NameTheSettingThatHoldsAHostBack) {
  SimCrawl crawl(2);
  bool is_closed = false;
  crawl.on_pulse = [&](aio::SimLoop&, Operator& running) {
    if (is_closed || running.status().documents < 6) return;
    is_closed = true;
    ASSERT_TRUE(
        running.change_settings({.settings = {{"frontier.retire", "true"}}, .sheet = "closed", .sites = {"a.test"}}));
  };
  ASSERT_TRUE(crawl.live({})) << crawl.end().text;
  std::string reason;
  for (const Cells& row : rows_of(crawl, "hosts-report"))
    if (row.at("host") == "a.test") reason = row.at("stop-reason");
  EXPECT_EQ(reason, "setting:frontier.retire");
}

TEST(ReportsOfACrawl, AreAskedForByAnActionFile) {
  SimCrawl crawl(1);
  bool put = false;
  crawl.settings.politeness.delay = std::chrono::seconds(1);
  crawl.settings.crawl.action_interval = std::chrono::seconds(1);
  crawl.on_pulse = [&](aio::SimLoop&, Operator& running) {
    if (put) return;
    put = crawl.disk.files.write_atomically(running.state().launch.actions() + "/now.reports", "please\n").has_value();
  };
  ASSERT_TRUE(crawl.live({}));
  const std::string done = launch_of(crawl).actions() + "/done";
  std::string report;
  const auto entries = crawl.disk.files.list(done);
  for (const io::DirectoryEntry& entry : *entries)
    if (entry.name.ends_with("now.reports.report")) report = *crawl.disk.files.read_all(done + "/" + entry.name);
  EXPECT_EQ(report, "now.reports: the reports are in " + launch_of(crawl).reports() + "\n");
}

TEST(ReportsOfACrawl, AreMadeOfTheStateOfOneThatDied) {
  SimCrawl crawl(1);
  ASSERT_FALSE(crawl.live({.events = SimCrawl::kEvents / 2}));
  const collection::Launch launch = launch_of(crawl);
  EXPECT_FALSE(crawl.disk.files.exists(launch.reports() + "/crawl-report.txt"));
  const auto written = write_reports_of_stopped(crawl.disk.files, system_clock(), crawl.disk.kv_opener(), launch);
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_THAT(file(crawl, "crawl-report.txt"), HasSubstr("\ncrawl status: Interrupted - "));
  // The log may hold a group more than is committed; the store says how much of it counts.
  EXPECT_GT(figure(crawl, "queued URIs"), 0u);
  EXPECT_EQ(sum(rows_of(crawl, "hosts-report"), "remaining"), figure(crawl, "queued URIs"));
  EXPECT_EQ(sum(rows_of(crawl, "hosts-report"), "urls"), figure(crawl, "URI successes"));
}

std::string made_of_state(SimCrawl& crawl, const std::string& name, reports::Format format) {
  std::string text;
  const auto made =
      make_report_of_stopped(crawl.disk.files, system_clock(), crawl.disk.kv_opener(), launch_of(crawl),
                             {.name = name, .format = format}, [&](std::string_view bytes) -> Result<void> {
                               text += bytes;
                               return {};
                             });
  EXPECT_TRUE(made) << made.error().message;
  return text;
}

// From a moment on the disk takes no logs, but reports.
void fail_to_write_logs(SimCrawl& crawl) {
  crawl.faulty = true;
  crawl.on_pulse = [&crawl](aio::SimLoop&, Operator& running) {
    if (running.status().documents >= 20)
      crawl.disk.files.set_gate([](io::MemoryFiles::Operation operation, const std::string& path) -> Result<void> {
        const bool is_hit = operation == io::MemoryFiles::Operation::append && path.contains("/logs/crawl.log");
        return is_hit ? fail(ErrorCode::io, "no disk") : Result<void>();
      });
    if (!running.can_persist()) {
      running.stop("stopped by the operator");
      crawl.on_pulse = nullptr;
    }
  };
  crawl.on_end = [](aio::SimLoop&) {};
}

TEST(ReportsOfACrawl, AreWrittenAfterAFailedEnd) {
  SimCrawl crawl(1);
  fail_to_write_logs(crawl);
  ASSERT_FALSE(crawl.live({}));
  ASSERT_EQ(crawl.end().reason, EndReason::failed);
  crawl.disk.files.set_gate({});
  const std::string report = file(crawl, "crawl-report.txt");
  EXPECT_THAT(report, HasSubstr("\ncrawl status: Failed - "));
  EXPECT_THAT(file(crawl, "hosts-report.txt"), HasSubstr("a.test"));
  EXPECT_EQ(sum(rows_of(crawl, "hosts-report"), "urls"), figure(crawl, "URI successes"));
  EXPECT_THAT(file(crawl, "hosts-report.csv"), HasSubstr(",failed\r\n"));
}

// They are those of its end: nothing replaces them, and what is missing is made as of that end.
TEST(ReportsOfACrawl, StayAsTheyWereAtItsEnd) {
  for (const bool has_failed : {false, true}) {
    SCOPED_TRACE(has_failed);
    SimCrawl crawl(1);
    if (has_failed) fail_to_write_logs(crawl);
    crawl.settings.limits.max_documents = has_failed ? 0 : 30;
    ASSERT_FALSE(crawl.live({}));
    io::Files& files = crawl.disk.files;
    crawl.disk.files.set_gate({});
    const collection::Launch launch = launch_of(crawl);
    const std::string status = has_failed ? "Failed - " : "Finished - Maximum number of documents limit hit; reached";
    EXPECT_THAT(recorded_end(files, launch).value_or(""), HasSubstr(status));
    const std::string steps = file(crawl, "processors-report.csv"), hosts = file(crawl, "hosts-report.csv"),
                      page = file(crawl, "index.html");
    ASSERT_TRUE(files.remove(launch.reports() + "/hosts-report.csv"));
    ASSERT_TRUE(files.remove(launch.reports() + "/crawl-report.txt"));
    // A group that could not be written had URLs that the state does not have: then what remains is another number.
    const auto comparable = [&](const std::string& csv) { return has_failed ? csv.substr(0, csv.find('\n')) : csv; };
    // Made for a reader: no file is touched.
    EXPECT_EQ(comparable(made_of_state(crawl, "hosts-report", reports::Format::csv)), comparable(hosts));
    EXPECT_THAT(made_of_state(crawl, "crawl-report", reports::Format::text), HasSubstr("\ncrawl status: " + status));
    EXPECT_FALSE(files.exists(launch.reports() + "/hosts-report.csv"));
    for (int times = 0; times < 2; ++times) {
      ASSERT_TRUE(write_reports_of_stopped(files, system_clock(), crawl.disk.kv_opener(), launch));
      EXPECT_EQ(comparable(file(crawl, "hosts-report.csv")), comparable(hosts));
      EXPECT_THAT(file(crawl, "crawl-report.txt"), HasSubstr("\ncrawl status: " + status));
      EXPECT_EQ(file(crawl, "processors-report.csv"), steps);
      EXPECT_EQ(file(crawl, "index.html"), page);
    }
  }
}

// An end of which a full disk took no report is on record all the same, if it took a note.
TEST(ReportsOfACrawl, AreMadeWhenThereIsRoomAgain) {
  SimCrawl crawl(1);
  crawl.faulty = true;
  crawl.on_pulse = [&](aio::SimLoop&, Operator& running) {
    if (running.status().documents >= 20) crawl.disk.files.set_free_space(0);
    if (!running.can_persist()) {
      running.stop("stopped by the operator");
      crawl.on_pulse = nullptr;
    }
  };
  crawl.on_end = [&](aio::SimLoop&) {};
  ASSERT_FALSE(crawl.live({}));
  ASSERT_EQ(crawl.end().reason, EndReason::failed);
  crawl.disk.files.set_free_space(100'000'000);
  ASSERT_TRUE(write_reports_of_stopped(crawl.disk.files, system_clock(), crawl.disk.kv_opener(), launch_of(crawl)));
  EXPECT_THAT(file(crawl, "hosts-report.txt"), HasSubstr("a.test"));
  EXPECT_THAT(file(crawl, "crawl-report.txt"), HasSubstr("\ncrawl status: Failed - "));
}

TEST(ReportsOfACrawl, TellOfGroupsHoweverHostsComeIntoThem) {
  const auto groups_of = [](const std::function<void(frontier::PolitenessSettings&)>& change) {
    SimCrawl crawl(1);
    change(crawl.settings.politeness);
    EXPECT_TRUE(crawl.live({}));
    expect_agreement(crawl, 0);
    std::map<std::string, uint64_t> urls, hosts;
    for (const Cells& row : rows_of(crawl, "hosts-report")) hosts[row.at("host")] = *parse_int(row.at("urls"));
    for (const Cells& row : rows_of(crawl, "groups-report"))
      EXPECT_TRUE(urls.emplace(row.at("group"), *parse_int(row.at("urls"))).second) << row.at("group");
    return std::pair(urls, hosts);
  };
  const auto [by_labels, of_labels] = groups_of([](frontier::PolitenessSettings& politeness) {
    politeness.group_assignment = frontier::GroupAssignment::labels;
    politeness.labels = 1;
  });
  EXPECT_EQ(by_labels.size(), 2u) << "test, and dns:";
  EXPECT_EQ(by_labels.at("test") + by_labels.at("dns:"), expected_sum(of_labels));
  const auto [by_domain, of_domain] = groups_of([](frontier::PolitenessSettings& politeness) {
    politeness.group_assignment = frontier::GroupAssignment::domain;
  });
  EXPECT_EQ(by_domain, of_domain) << "each host is a domain of its own, of its own name";
  const auto [by_address, of_address] = groups_of([](frontier::PolitenessSettings& politeness) {
    politeness.group_assignment = frontier::GroupAssignment::address;
  });
  EXPECT_EQ(by_address.at("ip 192.0.2.3"), of_address.at("c.test") + of_address.at("img.test"));
  // A group that has the name of one of its hosts.
  const auto [by_name, of_name] =
      groups_of([](frontier::PolitenessSettings& politeness) { politeness.groups = {"a.test: a.test b.test"}; });
  EXPECT_EQ(by_name.at("a.test"), of_name.at("a.test") + of_name.at("b.test"));
  EXPECT_FALSE(by_name.contains("b.test"));
}

// However long a crawl runs, over how many lives.
TEST(ProgressSeriesOfACrawl, IsBounded) {
  SimCrawl crawl(3);
  crawl.settings.politeness.delay = std::chrono::seconds(90);
  ASSERT_FALSE(crawl.live({.events = SimCrawl::kEvents * 2}));
  ASSERT_TRUE(crawl.live({}));
  const auto kv = crawl.disk.kv_opener()(launch_of(crawl).store(), family_names());
  ASSERT_TRUE(kv);
  const auto points = read_series(**kv);
  ASSERT_TRUE(points);
  EXPECT_LE(points->size(), ProgressSeries::kMost);
  EXPECT_GT(points->size(), ProgressSeries::kMost / 4);
  for (size_t i = 1; i < points->size(); ++i) EXPECT_LE((*points)[i - 1].documents, (*points)[i].documents);
}

}  // namespace
}  // namespace caddis::crawl
