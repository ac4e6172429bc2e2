// After a crawl: what it brought by domain, and the file that documents it.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "caddis/base/strings.h"
#include "caddis/harvest/job_statistics.h"
#include "caddis/harvest/metadata_file.h"
#include "caddis/io/memory_files.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/source.h"

namespace caddis::harvest {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class AfterJob : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const std::string& folder : {launch.logs(), launch.reports(), launch.archive(), launch.layout().indexes()})
      ASSERT_TRUE(files.make_dirs(folder));
  }
  void write(const std::string& path, const std::string& text) { ASSERT_TRUE(files.write_atomically(path, text)); }
  std::vector<std::string> brought(std::string_view exit) {
    std::vector<std::string> lines;
    const auto statistics = read_job_statistics(files, launch, exit).value();
    for (const DomainResult& result : statistics.domains)
      lines.push_back(fmt::format("{} {} {} {}", result.domain, result.objects, result.bytes, name_of(result.reason)));
    return lines;
  }

  io::MemoryFiles files;
  const collection::Launch launch{"/c", "12-20260102030405"};
};

TEST_F(AfterJob, CountsByTheDomainOfTheSeed) {
  write(launch.logs() + "/http.jsonl",
        "{\"log\":\"http\",\"version\":1}\n"
        "{\"url\":\"http://www.a.example/robots.txt\",\"status\":404,\"received\":100,\"hops\":\"P\",\"seed\":\"http://"
        "www.a.example/\"}\n"
        "{\"url\":\"http://www.a.example/\",\"status\":200,\"received\":1000,\"seed\":\"http://www.a.example/\"}\n"
        "{\"url\":\"http://cdn.example.net/x.png\",\"status\":200,\"received\":50,\"hops\":\"E\",\"seed\":\"http://"
        "www.a.example/\"}\n"
        "{\"url\":\"http://b.example/gone\",\"status\":404,\"received\":7,\"hops\":\"L\",\"seed\":\"http://b.example/"
        "\"}\n"
        "no line of a log\n");
  write(launch.logs() + "/ftp.jsonl",
        "{\"url\":\"ftp://b.example/f\",\"status\":226,\"received\":3,\"seed\":\"http://b.example/\"}\n");
  EXPECT_THAT(brought("FINISHED"), ElementsAre("a.example 2 1150 completed", "b.example 2 10 completed"));
  EXPECT_EQ(read_job_statistics(files, launch, "FINISHED").value().strange_lines, 1);
}

TEST_F(AfterJob, TellsWhichLimitADomainHasReached) {
  const auto left_out = [](const std::string& domain, const std::string& quota) {
    return fmt::format(
        "{{\"url\":\"http://{0}/x\",\"status\":\"over-quota\",\"seed\":\"http://{0}/\",\"quota\":\"{1}\"}}\n", domain,
        quota);
  };
  write(launch.logs() + "/not-crawled.jsonl",
        left_out("objects.example", "seed-domain-successes") + left_out("bytes.example", "seed-domain-bytes") +
            left_out("both.example", "seed-domain-successes") + left_out("both.example", "seed-domain-bytes") +
            left_out("other.example", "host-bytes") +
            "{\"url\":\"http://r.example/\",\"status\":\"rejected\",\"rule\":\"x\"}\n");
  EXPECT_THAT(brought("ABORTED"), ElementsAre("both.example 0 0 object-limit", "bytes.example 0 0 size-limit",
                                              "objects.example 0 0 object-limit"));
}

TEST_F(AfterJob, ReadsLogsThatWentOnInOtherFiles) {
  const std::string line =
      "{\"url\":\"http://a.example/\",\"status\":200,\"received\":10,\"seed\":\"http://a.example/\"}\n";
  write(launch.logs() + "/http.jsonl", line);
  write(launch.logs() + "/http.jsonl.2", line);
  EXPECT_THAT(brought("FINISHED"), ElementsAre("a.example 2 20 completed"));
}

TEST_F(AfterJob, ADomainOfWhichNothingWaitsIsComplete) {
  std::string rows;
  const auto seed = [&](std::string_view url, std::string_view why) {
    rows += fmt::format("{}{{\"code\":200,\"status\":\"CRAWLED\",\"seed\":\"{}\",\"urls\":7,\"stop-reason\":\"{}\"}}",
                        rows.empty() ? "" : ",\n", url, why);
  };
  seed("http://small.example/", "finished");
  seed("http://dead.example/", "failed");
  seed("http://closed.example/", "robots");
  seed("http://slow.example/", "limit:max-time");
  seed("http://www.half.example/", "limit:max-time");
  seed("http://half.example/", "finished");
  seed("http://known.example/", "known");
  seed("http://www.twice.example/", "known");
  seed("http://twice.example/", "finished");
  seed("http://limited.example/", "finished");
  write(launch.reports() + "/seeds-report.json",
        "{\"report\":\"seeds-report\",\"title\":\"Seeds\",\"columns\":[\"code\"],\"rows\":[\n" + rows + "\n]}\n");
  write(launch.logs() + "/http.jsonl",
        "{\"url\":\"http://small.example/\",\"status\":200,\"received\":10,\"seed\":\"http://small.example/\"}\n"
        "{\"url\":\"http://slow.example/\",\"status\":200,\"received\":10,\"seed\":\"http://slow.example/\"}\n"
        "{\"url\":\"http://known.example/\",\"status\":200,\"received\":10,\"seed\":\"http://known.example/\"}\n");
  write(
      launch.logs() + "/not-crawled.jsonl",
      "{\"url\":\"http://limited.example/x\",\"status\":\"over-quota\",\"seed\":\"http://limited.example/\",\"quota\":"
      "\"seed-domain-bytes\"}\n");
  EXPECT_THAT(
      brought("FINISHED_TIME_LIMIT"),
      ElementsAre("closed.example 0 0 completed", "dead.example 0 0 completed", "half.example 0 0 time-limit",
                  "known.example 1 10 time-limit", "limited.example 0 0 size-limit", "slow.example 1 10 time-limit",
                  "small.example 1 10 completed", "twice.example 0 0 completed"));
  EXPECT_THAT(brought("ABORTED"), Contains("small.example 1 10 completed"));
  EXPECT_THAT(brought("ABORTED"), Contains("slow.example 1 10 unfinished"));
  // Its reports are of an earlier moment.
  EXPECT_THAT(brought("ABNORMAL"), Contains("small.example 1 10 unfinished"));
}

TEST(StopReasons, GoByHowTheCrawlEnded) {
  EXPECT_EQ(reason_of_exit("FINISHED"), StopReason::completed);
  EXPECT_EQ(reason_of_exit("FINISHED_TIME_LIMIT"), StopReason::time_limit);
  for (const std::string_view exit : {"ABORTED", "ABNORMAL", "FINISHED_DATA_LIMIT", ""})
    EXPECT_EQ(reason_of_exit(exit), StopReason::unfinished);
}

TEST_F(AfterJob, MetadataFileHasTheRecordsOfNetarchiveSuite) {
  write(launch.settings_file(), "crawl: {}\n");
  write(launch.logs() + "/crawl.log", "a line\n");
  write(launch.reports() + "/crawl-report.txt", "documents: 1\n");
  write(launch.archive() + "/12-3-x.warc.gz", "bytes");
  const std::string empty =
      "WARC/1.1\r\nWARC-Type: warcinfo\r\nWARC-Date: 2026-01-02T00:00:00Z\r\nContent-Length: 0\r\n";
  write(launch.archive() + "/12-4-y.warc",
        empty + "WARC-X: " + std::string(107 - empty.size(), 'x') + "\r\n\r\n\r\n\r\n");
  write(
      launch.index(),
      "example,a)/ 20260102030405 {\"url\":\"http://a.example/\",\"mime\":\"text/html\",\"status\":\"200\",\"digest\":"
      "\"AAAA\",\"length\":\"5\",\"offset\":\"7\",\"filename\":\"12-3-x.warc.gz\"}\n");
  ASSERT_TRUE(files.make_dirs("/job"));
  write("/job/seeds.txt", "http://a.example/\n");
  write("/job/duplicatereductionjobs.txt", "2\n");
  MetadataSource source;
  source.job = 12;
  source.harvest = 3;
  source.run = 1;
  source.organisation = "library.example";
  source.host = "h1";
  source.ip = "192.0.2.1";
  source.setup = "/job";
  source.setup_files = {"seeds.txt"};
  source.launch = launch;
  SeededRandom random(1);
  const std::string path = "/job/" + metadata_name(12);
  for (int i = 0; i < 2; ++i) {  // a second time replaces the first
    const auto written = write_metadata_file(files, path, "/job/cdx", source, WallTime(std::chrono::hours(1)), random);
    ASSERT_TRUE(written) << written.error().message;
  }
  std::vector<std::string> uris;
  std::string archive_files, warcinfo;
  const auto file = files.open_read(path).value();
  const warc::FileSource bytes(*file);
  warc::Reader reader(bytes);
  while (warc::Record* const record = reader.next().value()) {
    uris.emplace_back(record->header().target_uri());
    if (uris.size() == 1) warcinfo = record->read_all(10'000).value();
    if (uris.back().contains("archivefiles-report")) archive_files = record->read_all(10'000).value();
  }
  EXPECT_THAT(warcinfo, HasSubstr("\r\nhostname: h1\r\nip: 192.0.2.1\r\nisPartOf: 12\r\n"));
  EXPECT_EQ(archive_files,
            "[ARCHIVEFILE] [Opened] [Closed] [Size]\n"
            "12-3-x.warc.gz - 2026-01-02T03:04:05Z 5\n"
            "12-4-y.warc 2026-01-02T00:00:00Z 2026-01-02T00:00:00Z 123\n");
  const std::string base = "metadata://library.example/crawl/";
  const std::string made = "?majorversion=1&minorversion=0&harvestid=3&harvestnum=1&jobid=12";
  const std::string kept = "?heritrixVersion=caddis-0.1.0&harvestid=3&jobid=12";
  EXPECT_THAT(
      uris, ElementsAre("", base + "setup/aliases" + made, base + "setup/duplicatereductionjobs" + made,
                        base + "setup/seeds.txt" + kept, base + "setup/crawl.yaml" + kept,
                        base + "reports/crawl-report.txt" + kept, base + "reports/archivefiles-report.txt" + kept,
                        base + "logs/crawl.log" + kept,
                        base + "index/cdx?majorversion=2&minorversion=0&harvestid=3&jobid=12&filename=12-3-x.warc.gz"));
}

}  // namespace
}  // namespace caddis::harvest
