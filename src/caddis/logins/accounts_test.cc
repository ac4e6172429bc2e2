#include "caddis/logins/accounts.h"

#include <gtest/gtest.h>

namespace caddis::logins {
namespace {

TEST(Accounts, AreWrittenAsRealmUserAndPassword) {
  const auto account = parse_account("The = sign: staff = anna:a:b = c");
  ASSERT_TRUE(account.has_value());
  EXPECT_EQ(*account, (Account{"The", "sign", " staff = anna:a:b = c"}));  // the first sign counts
  EXPECT_EQ(*parse_account("Staff area = anna:a:b"), (Account{"Staff area", "anna", "a:b"}));
  EXPECT_EQ(to_text({"Staff area", "anna", "a:b"}), "Staff area = anna:a:b");
  EXPECT_EQ(parse_account("Staff area = anna:")->password, "");
  for (const std::string_view bad :
       {"", "Staff", "Staff = anna", " = anna:a", "Staff = :a", "Staff=anna:a", "S = a:\n"})
    EXPECT_FALSE(parse_account(bad).has_value()) << bad;
}

TEST(Accounts, AreFoundByRealmThenForAny) {
  LoginSettings settings;
  settings.site = "example.org";
  settings.realms = {"Staff area = anna:a"};
  EXPECT_TRUE(settings.is_set());
  EXPECT_EQ(Accounts::of(settings).find("Press"), nullptr);
  settings.user = "me";
  settings.password = "secret";
  const Accounts accounts = Accounts::of(settings);
  EXPECT_EQ(accounts.find("Staff area")->user, "anna");
  EXPECT_EQ(accounts.find("Press")->user, "me");
  EXPECT_TRUE(validate(settings).has_value());
}

TEST(Accounts, AreRefusedIfTwoAreOfOneRealm) {
  LoginSettings settings;
  settings.realms = {"A = anna:secret", "A = bert:hidden"};
  EXPECT_TRUE(validate(settings).error().message.contains("logins.realms needs logins.site"));
  settings.site = "example.org";
  const auto refused = validate(settings);
  ASSERT_FALSE(refused.has_value());
  EXPECT_TRUE(refused.error().message.contains("two names for the realm 'A' of example.org"))
      << refused.error().message;
  EXPECT_FALSE(refused.error().message.contains("secret"));
  settings.realms = {"A = anna:secret"};
  settings.form = "https://example.org/login";
  EXPECT_TRUE(validate(settings).error().message.contains("logins.form needs logins.user"));
}

}  // namespace
}  // namespace caddis::logins
