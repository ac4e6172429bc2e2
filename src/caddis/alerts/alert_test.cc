#include "caddis/alerts/alert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "caddis/aio/loop.h"
#include "caddis/alerts/alert_desk.h"
#include "caddis/base/log.h"
#include "caddis/process/programs.h"
#include "caddis/settings/yaml.h"

namespace caddis::alerts {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const Subject kSubject{"news-20260102030405", "/archive/news", "crawler1"};

Message one(Kind kind, std::string text) {
  Message message;
  message.events.push_back({kind, WallTime(std::chrono::seconds(1'767'323'045)), std::move(text)});
  return message;
}

TEST(AlertTest, AMessageAsJson) {
  EXPECT_EQ(to_json(kSubject, one(Kind::end, "the crawl has \"ended\"")),
            R"({"crawl":"news-20260102030405","folder":"/archive/news","host":"crawler1","events":[{"kind":"ends",)"
            R"("time":"2026-01-02T03:04:05.000Z","text":"the crawl has \"ended\""}],"left_out":0})");
}

TEST(AlertTest, AMessageAsAMail) {
  AlertSettings settings;
  settings.mail_to = {"a@example.org", "b@example.org"};
  settings.mail_from = "caddis@example.org";
  Message message = one(Kind::alert, "the disk is slow");
  message.events.push_back({Kind::end, message.events[0].time, "the crawl has ended"});
  message.left_out = 3;
  const std::string mail = to_mail(kSubject, message, settings);
  EXPECT_THAT(mail, HasSubstr("From: caddis@example.org\nTo: a@example.org, b@example.org\n"));
  EXPECT_THAT(mail, HasSubstr("Subject: [caddis] news-20260102030405: the crawl has ended (and 4 more)\n"));
  EXPECT_THAT(mail, HasSubstr("\n\n2026-01-02T03:04:05Z alerts: the disk is slow\n"));
  EXPECT_THAT(mail, HasSubstr("3 further events"));
}

TEST(AlertTest, AnEventIsNoHeader) {
  AlertSettings settings;
  settings.mail_to = {"a@example.org"};
  const std::string mail = to_mail(kSubject, one(Kind::alert, "x\nBcc: all@example.org\r\n\r\ny\xc3\xa9"), settings);
  EXPECT_THAT(mail, Not(HasSubstr("\nBcc:")));
}

TEST(AlertSettingsTest, AddressesAreChecked) {
  const auto read = [](std::string_view name, std::string_view text) {
    return settings::schema_of<AlertSettings>().find(name)->read(text).has_value();
  };
  EXPECT_TRUE(read("webhook", "https://example.org/hook?x=1"));
  EXPECT_FALSE(read("webhook", "ftp://example.org/"));
  EXPECT_TRUE(read("mail-from", "a@example.org"));
  EXPECT_FALSE(read("mail-from", "a@example.org, b@example.org"));
  EXPECT_FALSE(read("mail-from", "nobody"));
}

class RecordingWebhook final : public Webhook {
 public:
  aio::Task<Result<void>> post(std::string url, std::string json) override {
    urls.push_back(std::move(url));
    posted.push_back(std::move(json));
    if (fails) co_return fail(ErrorCode::denied, "it answers 500");
    co_return Result<void>();
  }
  std::vector<std::string> urls, posted;
  bool fails = false;
};

class StillLoop final : public aio::Loop {
 public:
  void post(std::function<void()> work) override { work(); }
  TimerId at(SteadyTime, std::function<void()>) override { return 0; }
  void cancel(TimerId) override {}
  void run() override {}
  void stop() override {}
  const Clock& clock() const override { return manual; }
  ManualClock manual;
};

class AlertDeskTest : public ::testing::Test {
 protected:
  AlertDeskTest() { settings_.webhook = "https://example.org/hook"; }

  StillLoop loop_;
  RecordingWebhook webhook_;
  process::ScriptedPrograms programs_{{"", "no such program"}};
  AlertDesk desk_{loop_, webhook_, programs_, kSubject};
  AlertSettings settings_;
};

TEST_F(AlertDeskTest, TellsNoMoreOftenThanItMay) {
  desk_.tell(Kind::pause, "first");
  desk_.tick(settings_);
  ASSERT_EQ(webhook_.posted.size(), 1u);
  desk_.tell(Kind::alert, "second");
  log_warn("test", "third");
  desk_.tick(settings_);
  EXPECT_EQ(webhook_.posted.size(), 1u);
  loop_.manual.advance(settings_.interval);
  desk_.tick(settings_);
  ASSERT_EQ(webhook_.posted.size(), 2u);
  EXPECT_THAT(webhook_.posted[1], HasSubstr("second"));
  EXPECT_THAT(webhook_.posted[1], HasSubstr("test: third"));
}

TEST_F(AlertDeskTest, LeavesOutWhatNobodyAskedFor) {
  settings_.about = {"ends"};
  desk_.tell(Kind::alert, "one");
  desk_.tick(settings_);
  EXPECT_TRUE(webhook_.posted.empty());
}

TEST_F(AlertDeskTest, HearsOfTheLogWhatItIsToHear) {
  const AlertDesk::Hears hears = [](std::string_view module, std::string_view) { return module != "noise"; };
  AlertDesk desk(loop_, webhook_, programs_, {"archive", "/srv/archive", "host1", "server"}, hears);
  log_warn("noise", "first");
  log_warn("test", "second");
  desk.tick(settings_);
  ASSERT_EQ(webhook_.posted.size(), 1u);
  EXPECT_THAT(webhook_.posted[0],
              HasSubstr(R"({"server":"archive","folder":"/srv/archive","host":"host1","events":[{)"));
  EXPECT_THAT(webhook_.posted[0], HasSubstr("test: second"));
  EXPECT_THAT(webhook_.posted[0], Not(HasSubstr("first")));
}

TEST_F(AlertDeskTest, CountsWhatIsTooMuch) {
  desk_.tell(Kind::pause, "a pause");
  for (int i = 0; i < 130; ++i) desk_.tell(Kind::alert, fmt::format("event {}.", i));
  desk_.tick(settings_);
  ASSERT_EQ(webhook_.posted.size(), 1u);
  EXPECT_THAT(webhook_.posted[0], HasSubstr("\"left_out\":31"));
  EXPECT_THAT(webhook_.posted[0], HasSubstr("a pause"));
  EXPECT_THAT(webhook_.posted[0], HasSubstr("event 129."));
  EXPECT_THAT(webhook_.posted[0], Not(HasSubstr("event 30.")));
}

TEST_F(AlertDeskTest, TellsLaterWhatNobodyWasTold) {
  webhook_.fails = true;
  settings_.mail_to = {"a@example.org"};
  desk_.tell(Kind::pause, "one");
  desk_.tick(settings_);
  loop_.manual.advance(settings_.interval);
  desk_.tick(settings_);
  EXPECT_EQ(webhook_.posted.size(), 1u) << "the pause has doubled";
  webhook_.fails = false;
  loop_.manual.advance(settings_.interval);
  desk_.tell(Kind::pause, "two");
  desk_.tick(settings_);
  ASSERT_EQ(webhook_.posted.size(), 2u);
  EXPECT_LT(webhook_.posted[1].find("one"), webhook_.posted[1].find("two"));
  EXPECT_THAT(webhook_.posted[1], Not(HasSubstr("webhook was not told"))) << "it does not tell of its own failures";
  loop_.manual.advance(settings_.interval);
  desk_.tell(Kind::pause, "three");
  desk_.tick(settings_);
  ASSERT_EQ(webhook_.posted.size(), 3u) << "the pause is the usual one again";
  EXPECT_THAT(webhook_.posted[2], Not(HasSubstr("two")));
}

TEST_F(AlertDeskTest, ThePauseGrowsToAnHourAndEndsWithNewSettings) {
  webhook_.fails = true;
  desk_.tell(Kind::pause, "one");
  for (int i = 0; i < 20; ++i) {
    desk_.tick(settings_);
    loop_.manual.advance(std::chrono::hours(1));
  }
  EXPECT_EQ(webhook_.posted.size(), 20u);
  desk_.tick(settings_);
  loop_.manual.advance(settings_.interval);
  desk_.tick(settings_);
  EXPECT_EQ(webhook_.posted.size(), 21u);
  settings_.webhook = "https://example.org/other";
  desk_.tick(settings_);
  EXPECT_EQ(webhook_.urls.back(), "https://example.org/other");
}

TEST_F(AlertDeskTest, OfTooManyTheOldestWarningsAreLeftOut) {
  webhook_.fails = true;
  desk_.tell(Kind::end, "the end");
  for (int i = 0; i < 60; ++i) desk_.tell(Kind::alert, "old");
  desk_.tick(settings_);
  webhook_.fails = false;
  for (int i = 0; i < 60; ++i) desk_.tell(Kind::alert, "new");
  loop_.manual.advance(std::chrono::hours(1));
  desk_.tick(settings_);
  ASSERT_EQ(webhook_.posted.size(), 2u);
  EXPECT_THAT(webhook_.posted[1], HasSubstr("the end"));
  EXPECT_THAT(webhook_.posted[1], HasSubstr("\"left_out\":21"));
  const auto count = [&](std::string_view text) {
    size_t found = 0;
    for (size_t at = 0; (at = webhook_.posted[1].find(text, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(count("\"old\""), 39u);
  EXPECT_EQ(count("\"new\""), 60u);
}

}  // namespace
}  // namespace caddis::alerts
