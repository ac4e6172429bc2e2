#include "caddis/heritrix/java_pattern.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "caddis/scope/rules.h"

namespace caddis::heritrix {
namespace {

std::string searched(std::string_view java) {
  const auto pattern = re2_search(java);
  return pattern ? *pattern : "error: " + pattern.error().message;
}

TEST(JavaPattern, IsFoundWhereJavaMatchesAll) {
  const std::array<std::pair<std::string_view, std::string_view>, 14> cases = {{
      {".*foo.*", "foo"},
      {"foo", "^foo$"},
      {"^foo$", "^foo$"},
      {"^.*[ER]+$", "[ER]+$"},
      {".*foo", "foo$"},
      {"foo.*", "^foo"},
      {".*a.*|b", "a|^b$"},
      {".*(a|b).*", "(a|b)"},
      {".*[|].*", "[|]"},
      {"(?i).*x.*", "(?i)x"},
      {"x\\.*", "^x\\.*$"},
      {"cost\\$", "^cost\\$$"},
      {".*?x", "x$"},
      {"", "^$"},
  }};
  for (const auto& [java, re2] : cases) EXPECT_EQ(searched(java), re2) << java;
}

TEST(JavaPattern, IsWrittenAsRe2Wants) {
  EXPECT_EQ(*re2_syntax("\\u0026"), "\\x{0026}");
  EXPECT_EQ(*re2_syntax("[a-z-[\\.]]"), "[a-z\\-\\.]");
  EXPECT_EQ(*re2_syntax("[a[bc]d]"), "[abcd]");
  EXPECT_EQ(*re2_syntax("\\p{Alpha}[\\p{Digit}x]\\p{L}"), "[[:alpha:]][[:digit:]x]\\p{L}");
  EXPECT_EQ(*re2_syntax("(?<year>\\d+) \\_"), "(?P<year>\\d+)\\x20_");
  EXPECT_EQ(*re2_syntax("\\Qa.[b\\E[c]"), "\\Qa.[b\\E[c]");
}

TEST(JavaPattern, SaysWhatRe2CannotDo) {
  for (const std::string_view java :
       {"(?!a)", "(?=a)", "(?<!a)", "(?<=a)", "(?>a)", "(a)\\1", "[a&&b]", "[a[^b]]", "\\G"})
    EXPECT_EQ(re2_syntax(java).error().code, ErrorCode::unsupported) << java;
}

// What Java takes is a rule that Caddis takes, as far as there is a translation.
TEST(JavaPattern, IsARule) {
  for (const std::string_view java :
       {".*\\/(text|application)\\/[a-zA-Z0-9_-[\\.]]+$.*", "^https?://[^/]+/.+(?i)(\\.(js|css))\\b.*$",
        ".*[\\/=\\u0026_&\\-\\?\\%Ff][Ll]ogin.*", ".*cal_controller\\[getdate].*", ".*a b.*"})
    EXPECT_TRUE(scope::check_rule("reject url " + searched(java))) << searched(java);
}

}  // namespace
}  // namespace caddis::heritrix
