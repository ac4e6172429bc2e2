// Deletions that take long: in parts, given up, interrupted at each point, with a server that does not listen.
#include "caddis/harvestserver/crawl_questions.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "caddis/io/memory_files.h"

namespace caddis::harvestserver {
namespace {

using harvest::CrawlQuestion;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class QuestionsOfACrawl : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(files_.make_dirs("/jobs/7"));
    start();
  }
  // The harvester, anew.
  void start() {
    questions_ =
        std::make_unique<CrawlQuestions>(files_, clock_, link_, "/api/harvesters/h1/jobs/7", std::chrono::seconds(2));
  }
  void take(const std::vector<CrawlQuestion>& open) { questions_->take(crawl(), open); }
  void step(int times = 1) {
    for (int i = 0; i < times; ++i) questions_->step(crawl());
  }
  QuestionedCrawl crawl() {
    return {"/jobs/7", [this](const control::Question& question, Duration) { return answer(question); },
            []() -> Result<collection::Launch> { return fail(ErrorCode::not_found, "none"); }, has_ended_};
  }
  // Each part takes 600 ms, and has 10 URLs; the tenth is the last.
  Result<std::string> answer(const control::Question& question) {
    asked_.push_back(question.target);
    clock_.advance(std::chrono::milliseconds(600));
    if (!crawl_problem_.empty()) return fail(ErrorCode::io, crawl_problem_);
    if (question.target.starts_with("/console")) return std::string("{\"output\":\"\"}");
    const size_t at = question.target.find("marker=");
    const int part = at == std::string::npos ? 0 : std::stoi(question.target.substr(at + 7));
    const bool is_dry = question.target.contains("dry=1");
    return fmt::format(R"({{"{}": 10, "marker": "{}"}})", is_dry ? "would_delete" : "deleted",
                       part < 9 ? std::to_string(part + 1) : "");
  }
  static CrawlQuestion deletion(int64_t id, bool is_dry = false, bool is_given_up = false) {
    return {id, "delete", fmt::format(R"({{"regex": "x", "dry": {}, "actor": "alice"}})", is_dry), is_given_up};
  }

  io::MemoryFiles files_;
  ManualClock clock_;
  bool has_ended_ = false, server_listens_ = true;
  std::string crawl_problem_;
  std::vector<std::string> asked_, told_;
  ServerLink link_ = [this](const LinkQuestion& question) -> Result<LinkAnswer> {
    if (!server_listens_) return fail(ErrorCode::timeout, "the server is away");
    told_.push_back(question.target.substr(question.target.find("jobs/7/") + 7) + " " + question.body);
    return LinkAnswer{200, "{}"};
  };
  std::unique_ptr<CrawlQuestions> questions_;
};

TEST_F(QuestionsOfACrawl, ADeletionHasASecondAStepAndTellsHowFarItIs) {
  take({deletion(3)});
  EXPECT_THAT(asked_, IsEmpty()) << "wishes are followed first";
  step();
  EXPECT_EQ(asked_.size(), 2u);
  EXPECT_THAT(told_, ElementsAre("questions/3 {\"done\":20}"));
  step();
  EXPECT_EQ(told_.size(), 1u) << "not at each step";
  step();
  EXPECT_EQ(told_.back(), "questions/3 {\"done\":60}");
  step(2);
  EXPECT_EQ(told_.back(), R"(answers/3 {"text":"{\"deleted\":100}","problem":""})");
  EXPECT_EQ(asked_.size(), 10u);
  step();
  take({});
  EXPECT_EQ(asked_.size(), 10u);
  EXPECT_FALSE(files_.exists("/jobs/7/deletion-3.json"));
}

TEST_F(QuestionsOfACrawl, SeveralHaveTheirTurns) {
  take({deletion(3, true), deletion(4)});
  step(10);
  EXPECT_THAT(told_, ::testing::IsSupersetOf({R"(answers/3 {"text":"{\"would_delete\":100}","problem":""})",
                                              R"(answers/4 {"text":"{\"deleted\":100}","problem":""})"}));
  EXPECT_THAT(asked_[0], HasSubstr("nearest=1"));
  EXPECT_THAT(asked_[2], Not(HasSubstr("nearest=1"))) << "the turn of the other one";
}

TEST_F(QuestionsOfACrawl, ADeletionIsGivenUp) {
  take({deletion(3)});
  step(2);
  take({deletion(3, false, true)});
  EXPECT_EQ(told_.back(), R"(answers/3 {"text":"","problem":"it was given up; 40 deleted until then"})");
  step();
  EXPECT_EQ(asked_.size(), 4u);
}

TEST_F(QuestionsOfACrawl, AHarvesterThatDiesGoesOnWhereItWas) {
  take({deletion(3)});
  step(2);
  start();
  take({deletion(3)});
  step(3);
  EXPECT_EQ(asked_.size(), 10u) << "no part is done twice";
  EXPECT_EQ(told_.back(), R"(answers/3 {"text":"{\"deleted\":100,\"at_least\":true}","problem":""})");
}

TEST_F(QuestionsOfACrawl, AnAnswerThatTheServerHasNotIsKeptOverADeath) {
  take({deletion(3)});
  server_listens_ = false;
  step(5);
  EXPECT_THAT(told_, IsEmpty());
  start();
  server_listens_ = true;
  take({deletion(3)});
  EXPECT_THAT(told_, ElementsAre(R"(answers/3 {"text":"{\"deleted\":100}","problem":""})"));
  EXPECT_EQ(asked_.size(), 10u);
}

TEST_F(QuestionsOfACrawl, ACrawlThatEndsOrFailsTellsWhatWasDone) {
  take({deletion(3), deletion(4)});
  step(2);
  crawl_problem_ = "it does not answer";
  step();
  EXPECT_EQ(told_.back(), R"(answers/3 {"text":"","problem":"it does not answer; 20 deleted until now"})");
  has_ended_ = true;
  start();
  take({deletion(4)});
  EXPECT_EQ(told_.back(), R"(answers/4 {"text":"","problem":"the crawl has ended; at least 20 deleted until then"})");
  EXPECT_EQ(asked_.size(), 5u);
}

TEST_F(QuestionsOfACrawl, AScriptRunsOnce) {
  const CrawlQuestion script{5, "script", R"({"script": "1", "session": "s", "actor": "alice"})"};
  server_listens_ = false;
  take({script});
  take({script});
  EXPECT_EQ(asked_.size(), 1u);
  start();
  server_listens_ = true;
  take({script});
  EXPECT_EQ(asked_.size(), 1u);
  EXPECT_THAT(told_.back(), HasSubstr("what it has done is not known"));
}

}  // namespace
}  // namespace caddis::harvestserver
