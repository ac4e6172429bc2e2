#include <gtest/gtest.h>

#include "caddis/text/host_display.h"
#include "caddis/text/locale_format.h"

namespace caddis::text {
namespace {

constexpr int64_t kMoment = 1767323045;  // 2026-01-02T03:04:05Z

TEST(LocaleFormat, Dates) {
  EXPECT_EQ(format_date("en-GB", kMoment, DateForm::moment), "2 Jan 2026, 03:04:05");
  EXPECT_EQ(format_date("de", kMoment, DateForm::day), "2. Januar 2026");
  EXPECT_EQ(format_date("fr", kMoment, DateForm::weekday), "vendredi 2 janvier 2026");
  EXPECT_EQ(format_date("es", kMoment, DateForm::month), "enero de 2026");
  EXPECT_EQ(format_date("da", kMoment, DateForm::day), "2. januar 2026");
}

TEST(LocaleFormat, NumbersAndNames) {
  EXPECT_EQ(format_number("de", 1234567), "1.234.567");
  EXPECT_EQ(format_number("en-GB", 1234567), "1,234,567");
  EXPECT_EQ(weekday_names("de"), (std::vector<std::string>{"Mo.", "Di.", "Mi.", "Do.", "Fr.", "Sa.", "So."}));
  EXPECT_EQ(month_names("en-GB").at(11), "Dec");
}

TEST(DisplayHost, Unicode) {
  EXPECT_EQ(display_host("xn--bcher-kva.example").text, "bücher.example");
  EXPECT_EQ(display_host("xn--bcher-kva.example").doubt, HostDoubt::none);
  EXPECT_EQ(display_host("xn--e1afmkfd.xn--p1ai").text, "пример.рф");
  EXPECT_EQ(display_host("xn--e1afmkfd.xn--p1ai").doubt, HostDoubt::none);
  EXPECT_EQ(display_host("xn--wgv71a119e.jp").text, "日本語.jp");
  EXPECT_EQ(display_host("www.example.org").text, "www.example.org");
  EXPECT_EQ(display_host("xn--a").text, "xn--a") << "no punycode";
}

TEST(DisplayHost, WarnsOfNamesThatAreTakenForOthers) {
  // The first letter alone is Cyrillic.
  const HostDisplay mixed = display_host("xn--pple-43d.com");
  EXPECT_EQ(mixed.text, "аpple.com");
  EXPECT_EQ(mixed.doubt, HostDoubt::mixed_scripts);
  // All letters are.
  const HostDisplay whole = display_host("xn--80ak6aa92e.com");
  EXPECT_EQ(whole.text, "аррӏе.com");
  EXPECT_EQ(whole.doubt, HostDoubt::look_alike);
}

TEST(DisplayUrl, KeepsWhatCannotBeReadSafely) {
  EXPECT_EQ(display_url("https://xn--bcher-kva.example:8080/%C3%A9t%C3%A9?q=%E4%BD%A0").text,
            "https://bücher.example:8080/été?q=你");
  EXPECT_EQ(display_url("http://h/%E2%80%AEgpj.exe").text, "http://h/%E2%80%AEgpj.exe") << "turns the direction";
  EXPECT_EQ(display_url("http://h/%E9%20%2F%ff").text, "http://h/%E9%20%2F%ff") << "no UTF-8, and ASCII";
  EXPECT_EQ(display_url("http://[::1]:80/").text, "http://[::1]:80/");
  EXPECT_EQ(display_url("dns:example.org").text, "dns:example.org");
  EXPECT_EQ(display_url("").text, "");
}

}  // namespace
}  // namespace caddis::text
