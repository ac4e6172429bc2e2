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
  EXPECT_EQ(sent->body.body, "csrf=a%26b&mail=me+%26+you&stay=on&pwd=p%3Dw+d&pin=&go=in");
  EXPECT_EQ(sent->body.shown, "csrf=a%26b&mail=me+%26+you&stay=on&pwd=*&pin=&go=in");
  EXPECT_EQ(sent->masked, "pwd");
}

TEST(LoginForm, SettingsGoBeforeWhatIsFound) {
  LoginSettings settings = login();
  settings.fields = {"pin={password}", "mail={user}", "token=s3cret"};
  const auto sent = fill_login_form(settings, kPage, kForms);
  ASSERT_TRUE(sent) << sent.error().message;
  EXPECT_EQ(sent->body.body, "csrf=a%26b&mail=me+%26+you&stay=on&pwd=&pin=p%3Dw+d&go=in&token=s3cret");
  EXPECT_EQ(sent->body.shown, "csrf=a%26b&mail=me+%26+you&stay=on&pwd=*&pin=*&go=in&token=*");
}

TEST(LoginForm, LeadsFromTheBaseOfItsPage) {
  const auto target = [](std::string_view head, std::string_view action) {
    const auto sent = fill_login_form(login(), kPage,
                                      std::string(head) + "<form method=post action='" + std::string(action) +
                                          "'><input name=u><input type=password name=p></form>");
    return sent ? std::string(sent->target.href()) : sent.error().message;
  };
  EXPECT_EQ(target("<base href=/>", "do-login"), "https://www.example.org/do-login");
  EXPECT_EQ(target("<base target=_top><base href='../in/'><base href=/>", "x"), "https://www.example.org/in/x");
  EXPECT_EQ(target("<base href=/>", ""), kPage.href());
  EXPECT_EQ(target("<base href='data:,x'>", "x"), "https://www.example.org/account/x");
  EXPECT_TRUE(target("<base href=//example.net/>", "x").contains("example.net"));
  EXPECT_TRUE(target("<base href=//example.net/>", "x").contains("not of logins.site"));
}

TEST(LoginForm, TakesEveryFieldForTextForTheUser) {
  for (const char* type : {"number", "search", "tel", "url", "email", "TEXT", "username"}) {
    const auto sent = fill_login_form(
        login(), kPage, std::string("<form method=post><input type=") + type + " name=u><input type=password name=p>");
    ASSERT_TRUE(sent) << sent.error().message;
    EXPECT_EQ(sent->body.body, "u=me+%26+you&p=p%3Dw+d") << type;
  }
  for (const char* type : {"hidden", "date", "range", "color", "checkbox checked"}) {
    const auto sent = fill_login_form(
        login(), kPage,
        std::string("<form method=post><input name=u><input type=") + type + " name=x><input type=password name=p>");
    ASSERT_TRUE(sent) << sent.error().message;
    EXPECT_TRUE(sent->body.body.starts_with("u=me+%26+you&x=")) << type;
  }
}

TEST(LoginForm, AsksForOnePassword) {
  const auto form = [](int passwords) {
    std::string made = "<form>";
    for (int i = 0; i < passwords; ++i) made += "<input type=password name=p>";
    return made + "</form>";
  };
  EXPECT_FALSE(has_login_form(form(0)));
  EXPECT_TRUE(has_login_form(form(1)));
  EXPECT_FALSE(has_login_form(form(2)));
  EXPECT_FALSE(has_login_form(form(3)));
  EXPECT_TRUE(has_login_form(form(3) + form(1)));
  EXPECT_TRUE(has_login_form(form(2), 2));  // the form that was sent has two, and is here again
  EXPECT_FALSE(has_login_form(form(3), 2));
  EXPECT_TRUE(has_login_form(form(1), 2));
  EXPECT_FALSE(has_login_form(form(0), 0));
  const auto sent = fill_login_form(login(), kPage, form(2));
  ASSERT_TRUE(sent) << sent.error().message;
  EXPECT_EQ(sent->passwords, 2u);
}

TEST(LoginForm, IsSentByGetIfItSaysSo) {
  LoginSettings settings = login();
  settings.method = FormMethod::get;
  const auto sent = fill_login_form(settings, kPage, "<form action=/in?x=1><input name=u><input type=password name=p>");
  ASSERT_TRUE(sent) << sent.error().message;
  EXPECT_EQ(sent->target.href(), "https://www.example.org/in?u=me+%26+you&p=p%3Dw+d");
  EXPECT_EQ(sent->shown_target.href(), "https://www.example.org/in?u=me+%26+you&p=*");
  EXPECT_TRUE(sent->body.body.empty());
}

TEST(LoginForm, IsSentInItsOwnCoding) {
  constexpr std::string_view kForm =
      "<form method=post enctype='Multipart/Form-Data'><input name='a\"b'><input type=password name=p></form>";
  const auto sent = fill_login_form(login(), kPage, kForm);
  ASSERT_TRUE(sent) << sent.error().message;
  const std::string boundary = sent->body.content_type.substr(std::string("multipart/form-data; boundary=").size());
  EXPECT_EQ(sent->body.body,
            "--" + boundary + "\r\nContent-Disposition: form-data; name=\"a%22b\"\r\n\r\nme & you\r\n--" + boundary +
                "\r\nContent-Disposition: form-data; name=\"p\"\r\n\r\np=w d\r\n--" + boundary + "--\r\n");
  EXPECT_TRUE(sent->body.shown.contains("name=\"p\"\r\n\r\n*\r\n"));
  EXPECT_FALSE(sent->body.shown.contains("p=w d"));
  LoginSettings settings = login();
  settings.method = FormMethod::get;
  EXPECT_EQ(fill_login_form(settings, kPage, kForm)->target.search(), "?a%22b=me+%26+you&p=p%3Dw+d");
  const auto text =
      fill_login_form(login(), kPage, "<form method=post enctype=text/plain><input type=password name=p>");
  EXPECT_EQ(text->body.content_type, "text/plain");
  EXPECT_EQ(text->body.body, "p=p=w d\r\n");
}

TEST(LoginForm, NeedsNoPageIfSettingsNameBothFields) {
  LoginSettings settings = login();
  EXPECT_FALSE(fill_login_form(settings, kPage, "<p>Enter by script</p>"));
  settings.fields = {"u={user}", "p={password}"};
  const auto sent = fill_login_form(settings, kPage, "<p>Enter by script</p>");
  ASSERT_TRUE(sent) << sent.error().message;
  EXPECT_EQ(sent->target.href(), kPage.href());
  EXPECT_EQ(sent->body.body, "u=me+%26+you&p=p%3Dw+d");
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
