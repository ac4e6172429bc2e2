#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"
#include "caddis/io/text_lines.h"
#include "caddis/logs/log_field.h"
#include "caddis/logs/log_files.h"
#include "caddis/logs/log_filter.h"
#include "caddis/logs/log_follower.h"
#include "caddis/logs/log_groups.h"
#include "caddis/logs/log_line.h"

namespace caddis::logs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kPage =
    "2026-01-02T03:04:05.006Z   200       1270 http://a.example/x L http://a.example/ text/html #000 "
    "20260102030404906+100 sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ http://a.example/ -";
constexpr std::string_view kFailed =
    "2026-01-02T03:05:06.001Z    -2          - http://www.b.example:8080/y?q=1 LE http://b.example/ unknown #001 "
    "20260102030405900+101 - http://b.example/ 30t";
constexpr std::string_view kForbidden =
    "2026-01-03T03:05:06.001Z -9998          - https://u:p@b.example/z L - unknown #001 - - http://b.example/ -";
// As Heritrix with its DeDuplicator and logExtraInfo writes it.
constexpr std::string_view kHeritrix =
    "2013-03-20T15:26:05.000Z   404       2064 http://netpreserve.org/sites/logo.png LE http://netpreserve.org/ "
    "image/png "
    "#013 20130320152604787+212 sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ - "
    "duplicate:\"IAH-2013,1.warc,2012\",content-size:2471,3t {\"contentSize\":2471}";
constexpr std::string_view kRevisit =
    "2026-01-02T03:04:05.006Z   200        270 http://a.example/r L http://a.example/ text/html #000 "
    "20260102030404906+100 sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ http://a.example/ "
    "duplicate:digest,warcRevisit:uriAgnosticDigest,revisitOf:20251121004500100:http://h/a%2Cb%252Cc";

constexpr std::string_view kRefusedByFtp =
    "2026-01-02T03:05:06.001Z   530          0 ftp://b.example/y - - unknown #001 20260102030405900+101 - "
    "ftp://b.example/y -";

LogLine parsed(std::string_view text) {
  LogLine line;
  EXPECT_TRUE(line.parse(text)) << text;
  return line;
}

TEST(LogLine, HasTwelveFields) {
  const LogLine line = parsed(kPage);
  EXPECT_EQ(line.status(), 200);
  EXPECT_EQ(line.bytes(), 1270u);
  EXPECT_EQ(line.field(LogLine::url), "http://a.example/x");
  EXPECT_EQ(line.field(LogLine::source), "http://a.example/");
  EXPECT_EQ(line.field(LogLine::annotations), "-");
  EXPECT_EQ(line.known(LogLine::annotations), "");
  EXPECT_EQ(line.json(), "");
  EXPECT_EQ(parsed(kFailed).bytes(), 0u);
  EXPECT_EQ(parsed(kForbidden).status(), -9998);
}

TEST(LogLine, ReadsThoseOfHeritrix) {
  const LogLine line = parsed(kHeritrix);
  EXPECT_EQ(line.status(), 404);
  EXPECT_EQ(line.json(), "{\"contentSize\":2471}");
  EXPECT_TRUE(line.has_annotation("duplicate"));
  EXPECT_TRUE(line.has_annotation("3t"));
  EXPECT_FALSE(line.has_annotation("1.warc,2012"));
  std::vector<std::string> all;
  for (std::string_view rest = line.field(LogLine::annotations); !rest.empty();)
    all.emplace_back(take_annotation(rest));
  EXPECT_THAT(all, ElementsAre("duplicate:\"IAH-2013,1.warc,2012\"", "content-size:2471", "3t"));
}

TEST(LogLine, RefusesWhatLacksFields) {
  LogLine line;
  EXPECT_FALSE(line.parse(""));
  EXPECT_FALSE(line.parse("CRAWL ENDED - Finished"));
  EXPECT_FALSE(line.parse(kPage.substr(0, kPage.find("sha1:"))));
  EXPECT_TRUE(line.parse(kPage.substr(0, kPage.size() - 2))) << "annotations may be missing";
  const std::string with_extra = std::string(kPage.substr(0, kPage.size() - 1)) + "{\"contentSize\":1}";
  EXPECT_TRUE(line.parse(with_extra));
  EXPECT_EQ(line.field(LogLine::annotations), "");
  EXPECT_EQ(line.json(), "{\"contentSize\":1}");
  // Heritrix writes an object that is empty, too.
  const std::string with_empty = std::string(kFailed) + " {}";
  ASSERT_TRUE(line.parse(with_empty));
  EXPECT_EQ(line.field(LogLine::annotations), "30t");
  EXPECT_EQ(line.json(), "{}");
}

// The third field has the body; what was received is said elsewhere, if at all.
TEST(LogLine, BytesAreHeadAndBodyIfTheLineTells) {
  EXPECT_EQ(parsed(kHeritrix).bytes(), 2471u);
  EXPECT_EQ(parsed(kHeritrix).field(LogLine::size), "2064");
  const std::string annotated = std::string(kPage.substr(0, kPage.size() - 1)) + "2t,content-size:1575";
  EXPECT_EQ(parsed(annotated).bytes(), 1575u);
  const std::string noted = std::string(kPage) + " {\"contentSize\":1576,\"warcFilename\":\"A.warc.gz\"}";
  EXPECT_EQ(parsed(noted).bytes(), 1576u);
  EXPECT_EQ(parsed(std::string(kPage) + ",content-size:x").bytes(), 1270u);
}

TEST(LogLine, NamesTheCaptureThatIsRepeated) {
  const auto repeated = repeated_capture(parsed(kRevisit));
  ASSERT_TRUE(repeated);
  EXPECT_EQ(repeated->date, "20251121004500100");
  EXPECT_EQ(repeated->url, "http://h/a,b%2Cc");
  EXPECT_FALSE(repeated_capture(parsed(kPage)));
}

TEST(LogLine, HostOfUrl) {
  EXPECT_EQ(host_of("http://a.example/x"), "a.example");
  EXPECT_EQ(host_of("http://u:p@a.example:80?x"), "a.example");
  EXPECT_EQ(host_of("http://[::1]:80/x"), "[::1]");
  EXPECT_EQ(host_of("http://[::1"), "[::1");
  EXPECT_EQ(host_of("http://["), "[");
  EXPECT_EQ(host_of("dns:a.example"), "a.example");
  EXPECT_EQ(host_of("http://a.example/?u=http://b@c/"), "a.example");
  EXPECT_EQ(host_of("file:///srv/a"), "file:");
  EXPECT_EQ(host_of("nothing"), "");
}

TEST(LogField, Derived) {
  const auto value = [](std::string_view text, std::string_view name) {
    const auto fields = parse_log_fields(name);
    EXPECT_TRUE(fields);
    const LogLine line = parsed(text);
    return std::string(value_of(line, fields->front()));
  };
  EXPECT_EQ(value(kFailed, "host"), "www.b.example");
  EXPECT_EQ(value(kFailed, "domain"), "b.example");
  EXPECT_EQ(value(kFailed, "class"), "-2");
  EXPECT_EQ(value(kFailed, "outcome"), "failed");
  EXPECT_EQ(value(kFailed, "words"), "no connection");
  EXPECT_EQ(value(kHeritrix, "class"), "4xx");
  EXPECT_EQ(value(kHeritrix, "outcome"), "captured");
  EXPECT_EQ(value(kHeritrix, "ms"), "212");
  EXPECT_EQ(value(kHeritrix, "extra"), "{\"contentSize\":2471}");
  EXPECT_EQ(value(kForbidden, "outcome"), "excluded");
  EXPECT_EQ(value(kRefusedByFtp, "outcome"), "failed");
  EXPECT_EQ(value(kForbidden, "scheme"), "https");
  EXPECT_EQ(value(kForbidden, "ms"), "-");
  EXPECT_EQ(value(kForbidden, "day"), "2026-01-03");
  EXPECT_EQ(value(kForbidden, "minute"), "2026-01-03T03:05");
  const auto wrong = parse_log_fields("url,stauts");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("did you mean 'status'?"));
}

class LogFilterTest : public ::testing::Test {
 protected:
  // Which of the four lines match: p(age), f(ailed), r(obots), h(eritrix).
  static std::string matching(const FilterOptions& options) {
    const auto filter = LogFilter::create(options);
    EXPECT_TRUE(filter) << filter.error().message;
    std::string names;
    const std::vector<std::pair<char, std::string_view>> lines = {
        {'p', kPage}, {'f', kFailed}, {'r', kForbidden}, {'h', kHeritrix}};
    for (const auto& [name, text] : lines)
      if (filter && filter->matches(parsed(text))) names += name;
    return names;
  }
  static FilterOptions with(std::vector<std::string> FilterOptions::* member, std::vector<std::string> values) {
    FilterOptions options;
    options.*member = std::move(values);
    return options;
  }
};

TEST_F(LogFilterTest, ByStatus) {
  const auto status = [](std::string one) { return with(&FilterOptions::statuses, {std::move(one)}); };
  EXPECT_EQ(matching({}), "pfrh");
  EXPECT_EQ(matching(status("404")), "h");
  EXPECT_EQ(matching(status("4xx,-2")), "fh");
  EXPECT_EQ(matching(status("-9998")), "r");
  EXPECT_EQ(matching(status("-9999--1")), "fr");
  EXPECT_EQ(matching(status("200-404")), "ph");
  EXPECT_EQ(matching(status("ok")), "p");
  EXPECT_EQ(matching(status("captured")), "ph");
  EXPECT_EQ(matching(status("failed")), "f");
  EXPECT_EQ(matching(status("excluded")), "r");
  for (const char* wrong : {"okay", "", "x", "4x", "500-400", "99999999999"})
    EXPECT_FALSE(LogFilter::create(status(wrong))) << wrong;
}

TEST_F(LogFilterTest, ByHostAndPage) {
  EXPECT_EQ(matching(with(&FilterOptions::hosts, {"B.example"})), "r");
  EXPECT_EQ(matching(with(&FilterOptions::domains, {"b.example"})), "fr");
  EXPECT_EQ(matching(with(&FilterOptions::domains, {"example", "org"})), "pfrh");
  EXPECT_EQ(matching(with(&FilterOptions::domains, {"ple"})), "");
  EXPECT_EQ(matching(with(&FilterOptions::mimes, {"image/*"})), "h");
  EXPECT_EQ(matching(with(&FilterOptions::mimes, {"text/html", "unknown"})), "pfr");
  EXPECT_EQ(matching(with(&FilterOptions::seeds, {"http://b.example/"})), "fr");
  EXPECT_EQ(matching(with(&FilterOptions::vias, {"http://a.example/"})), "p");
  EXPECT_EQ(matching(with(&FilterOptions::annotations, {"duplicate", "30t"})), "fh");
  EXPECT_EQ(matching(with(&FilterOptions::regexes, {"/[xz]$"})), "pr");
  EXPECT_FALSE(LogFilter::create(with(&FilterOptions::regexes, {"("})));
}

TEST_F(LogFilterTest, LinesInJsonByColumns) {
  constexpr std::string_view kHttp =
      R"({"time":"2026-01-02T03:04:05.006Z","url":"http://www.a.example/x","status":404,"via":"http://b.example/"})";
  constexpr std::string_view kRejected =
      R"({"time":"2026-01-02T03:04:06.006Z","url":"http://b.example/","status":"out-of-scope","rule":"max-hops"})";
  constexpr std::string_view kLink =
      R"({"time":"2026-01-02T03:04:07.006Z","from":"http://c.example/","to":"http://a.example/","hop":"L"})";
  const auto found = [&](const FilterOptions& options) {
    const auto filter = LogFilter::create(options);
    EXPECT_TRUE(filter) << filter.error().message;
    std::string names;
    for (const auto& [name, text] : {std::pair('h', kHttp), {'r', kRejected}, {'l', kLink}}) {
      JsonLine line;
      EXPECT_TRUE(line.parse(text));
      if (filter && filter->matches(line)) names += name;
    }
    return names;
  };
  const auto where = [&](std::vector<std::string> members) {
    return found(with(&FilterOptions::members, std::move(members)));
  };
  EXPECT_EQ(where({"rule=max-hops"}), "r");
  EXPECT_EQ(where({"domain=a.example"}), "h");
  EXPECT_EQ(where({"host=www.a.example", "host=b.example"}), "hr");
  EXPECT_EQ(where({"class=4xx"}), "h");
  EXPECT_EQ(where({"outcome=excluded", "rule=max-hops"}), "r");
  EXPECT_EQ(where({"outcome=captured", "rule=max-hops"}), "");
  EXPECT_EQ(where({"minute=2026-01-02T03:04"}), "hrl");
  EXPECT_EQ(where({"via="}), "rl");
  EXPECT_EQ(where({"via=-", "rule=-"}), "l");
  EXPECT_EQ(found(with(&FilterOptions::hosts, {"c.example"})), "l");
  EXPECT_EQ(found(with(&FilterOptions::domains, {"a.example"})), "h");
  const auto wrong = LogFilter::create(with(&FilterOptions::members, {"rulle=x"}));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::config);
  EXPECT_THAT(wrong.error().message, HasSubstr("--where rulle=x"));
  EXPECT_THAT(wrong.error().message, HasSubstr("did you mean 'rule'?"));
  for (const char* bad : {"rule,via=x", "=x", "rule"})
    EXPECT_FALSE(LogFilter::create(with(&FilterOptions::members, {bad}))) << bad;
}

TEST_F(LogFilterTest, ByTime) {
  const auto between = [](std::string from, std::string to) {
    FilterOptions options;
    options.from = std::move(from);
    options.to = std::move(to);
    return options;
  };
  EXPECT_EQ(matching(between("2026", "")), "pfr");
  EXPECT_EQ(matching(between("", "2025")), "h");
  EXPECT_EQ(matching(between("2026-01-02T03:05", "2026-01-02")), "f");
  EXPECT_EQ(matching(between("20260102030405", "2026-01-02T03:04Z")), "p");
  EXPECT_EQ(matching(between("2026-01-02T03:04:05.007Z", "")), "fr");
  for (const char* wrong : {"yesterday", "20", "2026-1", "2026010203040506070"})
    EXPECT_FALSE(LogFilter::create(between(wrong, ""))) << wrong;
}

TEST(LogGroups, CountALineForEachOfItsAnnotations) {
  LogGroups groups(*parse_log_fields("status,annotations"));
  LogLine line;
  for (const char* annotations : {"duplicate:\"a,b\",3t", "3t", "-"}) {
    const std::string text =
        std::string("2026-01-02T03:04:05.006Z 200 10 http://a.test/ L - text/html #1 20260102030405006+1 - - ") +
        annotations;
    ASSERT_TRUE(line.parse(text));
    groups.add(line);
  }
  EXPECT_EQ(groups.all().lines, 3U);
  const auto rows = groups.largest(0);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].values, (std::vector<std::string>{"200", "3t"}));
  EXPECT_EQ(rows[0].sums.lines, 2U);
  EXPECT_EQ(rows[1].values[1], "-");
  EXPECT_EQ(rows[2].values[1], "duplicate:\"a,b\"");
}

TEST(LogGroups, CountsLinesAndBytes) {
  LogGroups groups(*parse_log_fields("outcome,mime"));
  for (const std::string_view text : {kPage, kPage, kRevisit, kFailed, kHeritrix}) groups.add(parsed(text));
  EXPECT_EQ(groups.all().lines, 5u);
  EXPECT_EQ(groups.all().bytes, 1270u * 2 + 270 + 2471);
  EXPECT_EQ(groups.size(), 3u);
  const auto rows = groups.largest(2);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_THAT(rows[0].values, ElementsAre("captured", "text/html"));
  EXPECT_EQ(rows[0].sums.lines, 3u);
  EXPECT_EQ(rows[0].sums.bytes, 2810u);
  EXPECT_THAT(rows[1].values, ElementsAre("captured", "image/png"));
  EXPECT_EQ(groups.largest(0).size(), 3u);
}

class LogFilesTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(files_.make_dirs("/l")); }
  void append(const std::string& path, std::string_view text) {
    auto file = files_.open_append(path);
    ASSERT_TRUE(file);
    ASSERT_TRUE((*file)->append(text));
  }
  io::MemoryFiles files_;
};

TEST_F(LogFilesTest, PartsInTheirOrder) {
  for (const char* name : {"crawl.log.10", "crawl.log.2.gz", "crawl.log.2", "crawl.log", "crawl.log.bak", "crawl.logs",
                           "crawl.log.3.gz", "crawl.log.1"})
    append(std::string("/l/") + name, "x\n");
  EXPECT_THAT(*files_of_log(files_, "/l/crawl.log"),
              ElementsAre("/l/crawl.log", "/l/crawl.log.2", "/l/crawl.log.3.gz", "/l/crawl.log.10"));
  EXPECT_THAT(*files_of_log(files_, "/l/none.log"), IsEmpty());
  EXPECT_THAT(*files_of_log(files_, "/none/crawl.log"), IsEmpty());
}

TEST_F(LogFilesTest, LastLines) {
  append("/l/a", "one\ntwo\nthree\n");
  EXPECT_EQ(*begin_of_last_lines(files_, "/l/a", 1), 8u);
  EXPECT_EQ(*begin_of_last_lines(files_, "/l/a", 2), 4u);
  EXPECT_EQ(*begin_of_last_lines(files_, "/l/a", 3), 0u);
  EXPECT_EQ(*begin_of_last_lines(files_, "/l/a", 9), 0u);
  EXPECT_EQ(*begin_of_last_lines(files_, "/l/a", 0), 14u);
  append("/l/a", "four");
  EXPECT_EQ(*begin_of_last_lines(files_, "/l/a", 1), 14u);
  const std::string big(300'000, 'x');
  append("/l/b", big + "\n" + big + "\n");
  EXPECT_EQ(*begin_of_last_lines(files_, "/l/b", 1), big.size() + 1);
}

TEST_F(LogFilesTest, LastLinesOfSeveralFiles) {
  append("/l/x", io::gzip_member("1\r\n22\n333\n", io::GzipEffort::fast));
  append("/l/x.2", "a\nbb\n");
  append("/l/x.3", "");
  append("/l/x.4", "c\n");
  const std::vector<std::string> paths = {"/l/x", "/l/x.2", "/l/x.3", "/l/x.4"};
  const auto begin = [&](uint64_t lines) {
    const auto place = begin_of_last_lines(files_, paths, lines);
    EXPECT_TRUE(place);
    return std::pair(place->file, place->offset);
  };
  EXPECT_EQ(begin(0), std::pair(size_t{3}, uint64_t{2}));
  EXPECT_EQ(begin(1), std::pair(size_t{3}, uint64_t{0}));
  EXPECT_EQ(begin(2), std::pair(size_t{1}, uint64_t{2}));
  EXPECT_EQ(begin(3), std::pair(size_t{1}, uint64_t{0}));
  EXPECT_EQ(begin(4), std::pair(size_t{0}, uint64_t{6}));
  EXPECT_EQ(begin(5), std::pair(size_t{0}, uint64_t{3}));
  EXPECT_EQ(begin(6), std::pair(size_t{0}, uint64_t{0}));
  EXPECT_EQ(begin(99), std::pair(size_t{0}, uint64_t{0}));
}

// Somebody packs a file between the look into its folder and the reading.
TEST_F(LogFilesTest, OpensAFileThatWasPackedMeanwhile) {
  append("/l/x", "one\ntwo\n");
  append("/l/x.2", "three\n");
  const auto paths = files_of_log(files_, "/l/x");
  ASSERT_TRUE(paths);
  EXPECT_FALSE(open_log_file(files_, "/l/x")->is_packed);
  append("/l/x.gz", io::gzip_member("one\ntwo\n", io::GzipEffort::fast));
  ASSERT_TRUE(files_.remove("/l/x"));
  const auto opened = open_log_file(files_, paths->front());
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(opened->path, "/l/x.gz");
  EXPECT_TRUE(opened->is_packed);
  const auto place = begin_of_last_lines(files_, *paths, 2);
  ASSERT_TRUE(place);
  EXPECT_EQ(std::pair(place->file, place->offset), std::pair(size_t{0}, uint64_t{4}));
  EXPECT_EQ(open_log_file(files_, "/l/y").error().code, ErrorCode::not_found);
}

TEST_F(LogFilesTest, FollowsIntoTheNextFile) {
  append("/l/crawl.log", "one\ntw");
  LogFollower follower(files_, "/l/crawl.log", "/l/crawl.log", 0);
  std::vector<std::string> lines;
  const auto take = [&](std::string_view line) { lines.emplace_back(line); };
  EXPECT_TRUE(*follower.read(take));
  EXPECT_FALSE(*follower.read(take));
  append("/l/crawl.log", "o\nthree\n");
  EXPECT_TRUE(*follower.read(take));
  append("/l/crawl.log.2", "four\n");
  EXPECT_TRUE(*follower.read(take));
  append("/l/crawl.log.2", "five\n");
  EXPECT_TRUE(*follower.read(take));
  EXPECT_FALSE(*follower.read(take));
  EXPECT_THAT(lines, ElementsAre("one", "two", "three", "four", "five"));
}

TEST_F(LogFilesTest, FollowsThoughTheFileIsPackedMeanwhile) {
  append("/l/crawl.log", "one\ntw");
  LogFollower follower(files_, "/l/crawl.log", "/l/crawl.log", 0);
  std::vector<std::string> lines;
  const auto take = [&](std::string_view line) { lines.emplace_back(line); };
  EXPECT_TRUE(*follower.read(take));
  append("/l/crawl.log.gz", io::gzip_member("one\ntwo\nthree\n", io::GzipEffort::fast));
  append("/l/crawl.log.2", "four\n");
  ASSERT_TRUE(files_.remove("/l/crawl.log"));
  EXPECT_TRUE(*follower.read(take));
  EXPECT_FALSE(*follower.read(take));
  EXPECT_THAT(lines, ElementsAre("one", "two", "three", "four"));
}

// A log that changes its file between two looks of whoever follows it.
class ChangingFiles : public io::MemoryFiles {
 public:
  Result<std::vector<io::DirectoryEntry>> list(const std::string& path) override {
    if (change) std::exchange(change, {})();
    return MemoryFiles::list(path);
  }
  std::function<void()> change;
};

TEST(LogFollower, TakesTheLastLinesBeforeItGoesOn) {
  ChangingFiles files;
  const auto append = [&](const std::string& path, std::string_view text) {
    auto file = files.open_append(path);
    ASSERT_TRUE(file);
    ASSERT_TRUE((*file)->append(text));
  };
  ASSERT_TRUE(files.make_dirs("/l"));
  append("/l/crawl.log", "one\n");
  LogFollower follower(files, "/l/crawl.log", "/l/crawl.log", 0);
  std::vector<std::string> lines;
  const auto take = [&](std::string_view line) { lines.emplace_back(line); };
  EXPECT_TRUE(*follower.read(take));
  files.change = [&] {
    append("/l/crawl.log", "two\n");
    append("/l/crawl.log.2", "three\n");
  };
  EXPECT_TRUE(*follower.read(take));
  EXPECT_FALSE(*follower.read(take));
  EXPECT_THAT(lines, ElementsAre("one", "two", "three"));
}

TEST_F(LogFilesTest, SaysIfTheLastLineIsWhole) {
  append("/l/a", "one\ntwo");
  auto lines = io::TextLines::open(files_, "/l/a");
  ASSERT_TRUE(lines);
  EXPECT_EQ(**(*lines)->next(), "one");
  EXPECT_TRUE((*lines)->was_whole());
  EXPECT_EQ(**(*lines)->next(), "two");
  EXPECT_FALSE((*lines)->was_whole());
  EXPECT_FALSE(*(*lines)->next());
}

}  // namespace
}  // namespace caddis::logs
