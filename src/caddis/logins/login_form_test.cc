#include "caddis/logins/login_form.h"

#include <gtest/gtest.h>

namespace caddis::logins {
namespace {

const url::Url kPage = *url::Url::parse("https://www.example.org/account/login?next=/");

LoginSettings login() {
  LoginSettings made;
  made.site = "example.org";
  made.user = "me & you";
  made.password = "p=w d";
  made.form = "https://www.example.org/account/login";
  return made;
}

constexpr std::string_view kForms = R"(
<form action="/search"><input name=q><button name=go>Go</button></form>
<form action="/register" method=post><input name=new><input type=password name=a><input type=password name=b></form>
<form action="enter?x=1" method="POST"><input type=hidden name=csrf value="a&amp;b">
<input name=nothing disabled><input type=email name=mail><input type=checkbox name=stay checked><input type=checkbox
name=spam><input type="password" name="pwd" value="old"><input name=pin><button name=go value=in>Log in</button>
<button name=other>Other</button></form>)";

TEST(LoginForm, IsFilledInAsABrowserDoes) {
  const auto sent = fill_login_form(login(), kPage, kForms);
  ASSERT_TRUE(sent) << sent.error().message;
  EXPECT_EQ(sent->target.href(), "https://www.example.org/account/enter?x=1");
  EXPECT_TRUE(sent->is_post);
  EXPECT_EQ(sent->body, "csrf=a%26b&mail=me+%26+you&stay=on&pwd=p%3Dw+d&pin=&go=in");
  EXPECT_EQ(sent->shown_body, "csrf=a%26b&mail=me+%26+you&stay=on&pwd=*&pin=&go=in");
  EXPECT_EQ(sent->masked, "pwd");
}

TEST(LoginForm, SettingsGoBeforeWhatIsFound) {
  LoginSettings settings = login();
  settings.fields = {"pin={password}", "mail={user}", "token=s3cret"};
  const auto sent = fill_login_form(settings, kPage, kForms);
  ASSERT_TRUE(sent) << sent.error().message;
  EXPECT_EQ(sent->body, "csrf=a%26b&mail=me+%26+you&stay=on&pwd=&pin=p%3Dw+d&go=in&token=s3cret");
  EXPECT_EQ(sent->shown_body, "csrf=a%26b&mail=me+%26+you&stay=on&pwd=*&pin=*&go=in&token=*");
}

TEST(LoginForm, IsSentByGetIfItSaysSo) {
  LoginSettings settings = login();
  settings.method = FormMethod::get;
  const auto sent = fill_login_form(settings, kPage, "<form action=/in?x=1><input name=u><input type=password name=p>");
  ASSERT_TRUE(sent) << sent.error().message;
  EXPECT_EQ(sent->target.href(), "https://www.example.org/in?u=me+%26+you&p=p%3Dw+d");
  EXPECT_EQ(sent->shown_target.href(), "https://www.example.org/in?u=me+%26+you&p=*");
  EXPECT_TRUE(sent->body.empty());
}

TEST(LoginForm, NeedsNoPageIfSettingsNameBothFields) {
  LoginSettings settings = login();
  EXPECT_FALSE(fill_login_form(settings, kPage, "<p>Enter by script</p>"));
  settings.fields = {"u={user}", "p={password}"};
  const auto sent = fill_login_form(settings, kPage, "<p>Enter by script</p>");
  ASSERT_TRUE(sent) << sent.error().message;
  EXPECT_EQ(sent->target.href(), kPage.href());
  EXPECT_EQ(sent->body, "u=me+%26+you&p=p%3Dw+d");
}

TEST(LoginForm, TellsThePasswordToNobodyElse) {
  for (const char* action : {"https://example.org.evil.net/in", "http://www.example.org/in", "javascript:enter()"}) {
    const std::string form = std::string("<form method=post action='") + action + "'><input type=password name=p>";
    EXPECT_FALSE(fill_login_form(login(), kPage, form)) << action;
  }
}

TEST(LoginSettings, SitesAreDomains) {
  EXPECT_TRUE(covers("example.org", "example.org"));
  EXPECT_TRUE(covers("example.org", "a.b.example.org"));
  EXPECT_FALSE(covers("example.org", "notexample.org"));
  EXPECT_FALSE(covers("www.example.org", "example.org"));
  EXPECT_FALSE(covers("", "example.org"));
  LoginSettings settings = login();
  EXPECT_TRUE(validate(settings));
  settings.site = "other.org";
  EXPECT_FALSE(validate(settings));
  settings.site.clear();
  EXPECT_FALSE(validate(settings));
}

}  // namespace
}  // namespace caddis::logins
