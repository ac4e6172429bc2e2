#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <thread>
#include <vector>

#include "caddis/base/csv.h"
#include "caddis/base/error.h"
#include "caddis/base/even_time.h"
#include "caddis/base/hash.h"
#include "caddis/base/json_text.h"
#include "caddis/base/random.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/base/utf8.h"

namespace caddis {
namespace {

using namespace std::chrono_literals;

TEST(Csv, CellsAreNoFormulas) {
  EXPECT_EQ(csv_cell("plain"), "plain");
  EXPECT_EQ(csv_cell("a,\"b\"\r\n"), "\"a,\"\"b\"\"\r\n\"");
  EXPECT_EQ(csv_cell("=1+1"), "'=1+1");
  EXPECT_EQ(csv_cell("@SUM(A1,A2)"), "\"'@SUM(A1,A2)\"");
  EXPECT_EQ(csv_cell("-2+3"), "'-2+3");
  EXPECT_EQ(csv_cell("+1"), "'+1");
  EXPECT_EQ(csv_cell("\t=1"), "'\t=1");
  EXPECT_EQ(csv_cell("-"), "-");  // nothing is known
  EXPECT_EQ(csv_cell(""), "");
}

TEST(Errors, OfTheSystemSayWhatKindTheyAre) {
  const auto code = [](int error_number) { return fail_errno("cannot write to /x", error_number).error().code; };
  EXPECT_EQ(code(ENOENT), ErrorCode::not_found);
  EXPECT_EQ(code(ENOSPC), ErrorCode::no_space);
  EXPECT_EQ(code(EDQUOT), ErrorCode::no_space);
  EXPECT_EQ(code(EIO), ErrorCode::io);
  EXPECT_EQ(fail_errno("cannot write to /x", EIO).error().message, "cannot write to /x: Input/output error");
}

TEST(TimeFormat, WritesEveryForm) {
  const WallTime time = WallTime(1767323045s) + 6007us;
  EXPECT_EQ(timestamp14(time), "20260102030405");
  EXPECT_EQ(timestamp17(time), "20260102030405006");
  EXPECT_EQ(rfc3339(time), "2026-01-02T03:04:05Z");
  EXPECT_EQ(rfc3339_micros(time), "2026-01-02T03:04:05.006007Z");
  EXPECT_EQ(http_date(time), "Fri, 02 Jan 2026 03:04:05 GMT");
}

TEST(TimeFormat, ReadsWhatItWrites) {
  const WallTime time = WallTime(1767323045s);
  EXPECT_EQ(parse_timestamp("20260102030405"), time);
  EXPECT_EQ(parse_w3c_date("2026-01-02T03:04:05Z"), time);
  EXPECT_EQ(parse_w3c_date("2026-01-02T04:04:05+01:00"), time);
  EXPECT_EQ(parse_http_date("Fri, 02 Jan 2026 03:04:05 GMT"), time);
  EXPECT_EQ(parse_http_date("Friday, 02-Jan-26 03:04:05 GMT"), time);
  EXPECT_EQ(parse_http_date("Fri Jan  2 03:04:05 2026"), time);
}

TEST(TimeFormat, ShortTimestampsCoverAPeriod) {
  EXPECT_EQ(timestamp14(*parse_timestamp("2026")), "20260101000000");
  EXPECT_EQ(timestamp14(*parse_timestamp_end("2026")), "20261231235959");
  EXPECT_EQ(timestamp14(*parse_timestamp_end("202602")), "20260228235959");
}

TEST(TimeFormat, RefusesNonsense) {
  EXPECT_FALSE(parse_timestamp("20261302"));
  EXPECT_FALSE(parse_w3c_date("2026-02-30"));
  EXPECT_FALSE(parse_w3c_date("2026-01-02T03"));
  EXPECT_FALSE(parse_http_date("yesterday"));
}

TEST(TimeFormat, DurationsAndSizes) {
  EXPECT_EQ(parse_duration("1h30m"), Duration(90min));
  EXPECT_EQ(parse_duration("0"), Duration(0));
  EXPECT_EQ(parse_duration("2.5s"), Duration(2500ms));
  EXPECT_EQ(parse_duration("5").error().message, "5 of what? Write 5s or 5ms, for example");
  EXPECT_FALSE(parse_duration("5 parsecs"));
  EXPECT_FALSE(parse_duration(""));
  EXPECT_EQ(format_duration(90min), "1h30m");
  EXPECT_EQ(parse_size("4GB"), 4'000'000'000);
  EXPECT_EQ(parse_size("1 GiB"), 1'073'741'824);
  EXPECT_FALSE(parse_size("many"));
  EXPECT_EQ(format_size(1'500'000), "1.5 MB");
}

// Golden values: they are on users' disks.
TEST(Hash, IsSipHash24) {
  std::string input;
  for (char c = 0; c < 15; ++c) input += c;
  EXPECT_EQ(siphash(input, 0x0706050403020100ULL, 0x0f0e0d0c0b0a0908ULL), 0xa129ca6149be45e5ULL);
}

TEST(Random, UuidsAreVersionFour) {
  SeededRandom random(1);
  const std::string id = random.uuid();
  ASSERT_EQ(id.size(), 36u);
  EXPECT_EQ(id[14], '4');
  EXPECT_NE(id, random.uuid());
}

TEST(EvenTime, GoesOnEvenlyWhereItsClockJumps) {
  EvenTime time;
  Duration reading = 5h;
  const auto read = [&] { return reading; };
  EXPECT_EQ(time.now(read), SteadyTime(5h)) << "the first reading is as good as any";
  reading += 59s;
  EXPECT_EQ(time.now(read), SteadyTime(5h + 59s));
  reading -= 1h;  // back
  EXPECT_EQ(time.now(read), SteadyTime(5h + 59s));
  reading += 2s;
  EXPECT_EQ(time.now(read), SteadyTime(5h + 61s));
  reading += 24h * 365 * 20;  // ahead
  EXPECT_EQ(time.now(read), SteadyTime(5h + 61s));
  reading += 1ms;
  EXPECT_EQ(time.now(read), SteadyTime(5h + 61s + 1ms));
  reading = Duration(0);
  EXPECT_EQ(time.now(read), SteadyTime(5h + 61s + 1ms));
}

TEST(EvenTime, IsTheSameForAllThreads) {
  EvenTime time;
  std::atomic<int64_t> reading = 1'000'000'000'000;
  const auto read = [&] { return Duration(reading.fetch_add(1000)); };
  const SteadyTime start = time.now(read);
  std::atomic<int> back = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      SteadyTime before = start;
      for (int i = 0; i < 20'000; ++i) {
        if (t == 0 && i % 1000 == 0) reading += i % 2000 == 0 ? -3'600'000'000'000 : 7'200'000'000'000;
        const SteadyTime now = time.now(read);
        back += now < before;
        before = now;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(back, 0);
  EXPECT_LE(time.now(read) - start, 1ms * 60 + 1s) << "no jump has added anything";
}

TEST(Strings, NearestName) {
  EXPECT_EQ(nearest_name("", {"delay", "robots"}), "");
  EXPECT_EQ(nearest_name("max-hop", {"max-hops", "delay"}), "max-hops");
  EXPECT_EQ(nearest_name("zzz", {"max-hops", "delay"}), "");
  EXPECT_EQ(nearest_name("max-docs", {"max-bytes", "max-documents"}), "max-documents");
  EXPECT_EQ(nearest_name("dealy", {"max-hops", "delay"}), "delay");
  EXPECT_EQ(nearest_name("best", {"cost", "breadth-first"}), "");
}

TEST(Json, EscapesAndReplacesBadBytes) {
  EXPECT_EQ(JsonObject().add("a", "x\"\n\x01\xff").add("n", 3).add("b", true).finish(),
            "{\"a\":\"x\\\"\\n\\u0001\xEF\xBF\xBD\",\"n\":3,\"b\":true}");
}

TEST(Utf8, RefusesOverlongAndSurrogates) {
  EXPECT_TRUE(is_utf8("gr\xC3\xBC\xC3\x9F"));
  EXPECT_FALSE(is_utf8("\xC0\x80"));
  EXPECT_EQ(without_byte_order_mark("\xEF\xBB\xBFx"), "x");
  EXPECT_EQ(without_byte_order_mark("\xEF\xBBx"), "\xEF\xBBx");
  EXPECT_FALSE(is_utf8("\xED\xA0\x80"));
}

}  // namespace
}  // namespace caddis
