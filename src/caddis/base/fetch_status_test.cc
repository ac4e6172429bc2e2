// The one table of statuses: each number once, Heritrix's names and groups, and HTTP's own by their range.
#include "caddis/base/fetch_status.h"
#include "caddis/base/capture_status.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace caddis {
namespace {

TEST(FetchStatusTest, NamesEachOnceAndInWords) {
  std::set<FetchStatus> numbers;
  std::set<std::string_view> names;
  for (const StatusInfo& info : all_statuses()) {
    EXPECT_TRUE(numbers.insert(info.status).second) << info.status;
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_TRUE(info.name.starts_with("S_")) << info.name;
    EXPECT_FALSE(info.word.empty()) << info.name;
    EXPECT_EQ(info.reason.empty(), info.group == StatusGroup::success) << info.name;
    EXPECT_EQ(find_status(info.status), &info);
  }
}

// FetchStatusCodes and CrawlURI of Heritrix 3.17: these are disregarded, not failures.
TEST(FetchStatusTest, DisregardsWhatHeritrixDisregards) {
  for (const int disregarded : {-9998, -5002, -5000, -5001, -4001, -4002, -6000})
    EXPECT_TRUE(is_disregarded(disregarded)) << disregarded;
  for (const int failed : {-5, -6, -7, -8, -60, -61, -62, -63, -404})
    EXPECT_EQ(status_group(failed), StatusGroup::failure) << failed;
}

TEST(FetchStatusTest, TriesAgainWhatMayPass) {
  for (const int later : {-1, -2, -3, -4, -9, -3000}) EXPECT_EQ(status_group(later), StatusGroup::retry_later) << later;
  EXPECT_EQ(status_group(0), StatusGroup::retry_now);
  EXPECT_EQ(status_group(-50), StatusGroup::after_prerequisite);
  for (const StatusInfo& info : all_statuses()) {
    const bool is_of_host = info.status == -1 || info.status == -2 || info.status == -9;
    EXPECT_EQ(info.is_of_host, is_of_host) << info.name;
  }
}

// As documented in docs/formats/crawl-log.md: -4010 and what is from -5000 downwards was decided, not failed.
TEST(FetchStatusTest, CountsDecisionsAsExcluded) {
  for (const StatusInfo& info : all_statuses())
    if (info.status <= -5000 || info.status == -4010) EXPECT_TRUE(is_disregarded(info.status)) << info.name;
}

TEST(FetchStatusTest, TakesEveryAnswerForACapture) {
  for (const int answer : {1, 100, 200, 204, 301, 304, 404, 410, 429, 500, 503, 599, 999, 1001, 2001, 2002})
    EXPECT_TRUE(is_success(answer)) << answer;
  EXPECT_EQ(find_status(200), nullptr);
  EXPECT_EQ(find_status(-12345), nullptr);
  EXPECT_EQ(status_group(-12345), StatusGroup::failure);
}

TEST(CaptureStatusTest, TellsARefusalFromAnAnswerOfHttp) {
  for (const char* url : {"ftp://h/", "sftp://h/", "file:///x"}) {
    EXPECT_TRUE(is_captured(226, url)) << url;
    for (const int refusal : {331, 421, 451, 530, 550}) {
      EXPECT_TRUE(is_refusal(refusal, url)) << url;
      EXPECT_FALSE(is_captured(refusal, url)) << url;
    }
    EXPECT_FALSE(is_refusal(-2, url)) << url;
  }
  for (const char* url : {"http://h/", "https://h/", "whois://h/q", "dns:h"}) EXPECT_TRUE(is_captured(530, url)) << url;
  EXPECT_FALSE(is_captured(-2, "http://h/"));
}

TEST(FetchStatusTest, KnowsTheRangesOfHttp) {
  for (const int error : {400, 404, 500, 503, 999}) EXPECT_TRUE(is_http_error(error)) << error;
  for (const int other : {-404, 0, 1, 200, 308, 1001, 2002}) EXPECT_FALSE(is_http_error(other)) << other;
  for (const int moved : {300, 301, 302, 303, 307, 308}) EXPECT_TRUE(is_redirect(moved)) << moved;
  for (const int stays : {200, 201, 304, 305, 306}) EXPECT_FALSE(is_redirect(stays)) << stays;
  EXPECT_TRUE(is_overload(429) && is_overload(503));
  EXPECT_FALSE(is_overload(500) || is_overload(502));
}

TEST(FetchStatusTest, SaysItsGroupsInWords) {
  EXPECT_EQ(to_string(StatusGroup::disregarded), "disregarded");
  EXPECT_EQ(to_string(StatusGroup::after_prerequisite), "after prerequisite");
  EXPECT_EQ(find_status(-9998)->word, "forbidden by robots.txt");
  EXPECT_EQ(find_status(-3)->reason, "the connection to its server was lost");
}

}  // namespace
}  // namespace caddis
