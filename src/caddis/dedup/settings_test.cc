#include "caddis/dedup/settings.h"

#include <gtest/gtest.h>

namespace caddis::dedup {
namespace {

TEST(DedupSettings, LeaveOutTypesAndWhatIsSmall) {
  DedupSettings settings;
  EXPECT_TRUE(is_wanted(settings, "text/html", 1));
  EXPECT_FALSE(is_wanted(settings, "text/html", 0));
  settings.leave_out = {"text/html", "image/*"};
  settings.min_size = 100;
  for (const char* mime : {"text/html", "TEXT/HTML", "image/png"})
    EXPECT_FALSE(is_wanted(settings, mime, 1000)) << mime;
  for (const char* mime : {"text/htmlx", "text/css", "image", "", "x/image/png"})
    EXPECT_TRUE(is_wanted(settings, mime, 1000)) << mime;
  EXPECT_FALSE(is_wanted(settings, "text/css", 99));
  settings.strategy = Strategy::off;
  EXPECT_FALSE(is_wanted(settings, "text/css", 1000));
}

TEST(DedupSettings, TellTypesFromOtherTexts) {
  const settings::Field* const field = settings::schema_of<DedupSettings>().find("leave-out");
  ASSERT_NE(field, nullptr);
  for (const char* text : {"text/html", "image/*", "application/rss+xml"}) EXPECT_TRUE(field->check(text)) << text;
  for (const char* text : {"html", "/html", "image/", "*/*x", "image/p*", "text/html; charset=utf-8", "a b/c"})
    EXPECT_FALSE(field->check(text)) << text;
}

TEST(DedupSettings, TellServersFromFiles) {
  EXPECT_TRUE(remote_index("http://127.0.0.1:8080/cdx"));
  EXPECT_TRUE(remote_index("https://cdx.example.org/my-archive"));
  for (const char* text : {"/archive/c", "archive", "file:///archive", "ftp://example.org/"})
    EXPECT_FALSE(remote_index(text)) << text;
}

}  // namespace
}  // namespace caddis::dedup
