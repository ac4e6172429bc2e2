#include "caddis/why/fate_words.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "caddis/why/url_evidence.h"

namespace caddis::why {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

UrlEvidence refused(std::string url, int status, std::string reason) {
  UrlEvidence evidence;
  LoggedVisit visit;
  evidence.url = visit.url = std::move(url);
  visit.launch = "20260102030405";
  visit.time = "2026-01-02T03:04:05.006Z";
  visit.status = status;
  visit.reason = std::move(reason);
  evidence.visits = {visit};
  return evidence;
}

std::string words(const UrlEvidence& evidence, Audience audience) {
  return fmt::format("{}", fmt::join(fate_sentences(evidence, audience), "\n"));
}

TEST(FateWordsTest, ARefusalOfFtpIsNoCapture) {
  const UrlEvidence evidence = refused("ftp://h.test/a", 530, "530 not you.");
  EXPECT_EQ(fate_of(evidence), Fate::failed);
  const std::string told = words(evidence, Audience::operators);
  EXPECT_THAT(told, HasSubstr("refused: 530 not you: look at fetch.ftp-user and fetch.ftp-password."));
  EXPECT_THAT(told, Not(HasSubstr("captured")));
  EXPECT_THAT(told, Not(HasSubstr("No index")));
  EXPECT_EQ(fate_of(refused("http://h.test/a", 530, "")), Fate::unindexed);
}

TEST(FateWordsTest, AReaderIsToldTheNumberAlone) {
  const std::string told = words(refused("sftp://h.test/a", 530, "the key /me/key cannot be used"), Audience::readers);
  EXPECT_THAT(told, HasSubstr("refused: 530."));
  EXPECT_THAT(told, Not(HasSubstr("/me/key")));
}

TEST(FateWordsTest, WordsThatBeginOtherwiseStandBehindTheNumber) {
  const std::string told = words(refused("sftp://h.test/a", 530, "no such login"), Audience::operators);
  EXPECT_THAT(
      told,
      HasSubstr("refused: 530 (no such login): look at fetch.ftp-user and fetch.ftp-password, or fetch.sftp-key."));
  EXPECT_THAT(words(refused("file:///a", 550, ""), Audience::operators), HasSubstr("refused: 550 (File Unavailable)."));
}

}  // namespace
}  // namespace caddis::why
