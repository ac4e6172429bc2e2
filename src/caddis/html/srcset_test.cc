#include "caddis/html/srcset.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace caddis::html {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> urls_of(std::string_view value) {
  std::vector<std::string> out;
  SrcsetUrls urls(value);
  for (std::string_view url; urls.next(url);) out.emplace_back(url);
  return out;
}

TEST(Srcset, SplitsAsTheStandardDoes) {
  EXPECT_THAT(urls_of("a.png"), ElementsAre("a.png"));
  EXPECT_THAT(urls_of(" a.png 1x , b.png 2x,c.png 300w 200h"), ElementsAre("a.png", "b.png", "c.png"));
  EXPECT_THAT(urls_of("a.png, b.png"), ElementsAre("a.png", "b.png"));
  EXPECT_THAT(urls_of("a,b.png 1x"), ElementsAre("a,b.png"));
  EXPECT_THAT(urls_of("data:image/gif;base64,AAA= 1x,b 2x(c, d), e"),
              ElementsAre("data:image/gif;base64,AAA=", "b", "e"));
  EXPECT_THAT(urls_of(" , ,,"), IsEmpty());
  EXPECT_THAT(urls_of(""), IsEmpty());
}

TEST(Refresh, ReadsTheUrl) {
  EXPECT_EQ(refresh_url("5; url=a.html"), "a.html");
  EXPECT_EQ(refresh_url("0;URL='a.html' x"), "a.html");
  EXPECT_EQ(refresh_url(" 1.5 , a.html "), "a.html");
  EXPECT_EQ(refresh_url("0;url = \"a.html"), "a.html");
  EXPECT_EQ(refresh_url("0 urlx"), "urlx");
  EXPECT_EQ(refresh_url("url=a.html"), "a.html");
  EXPECT_EQ(refresh_url("5"), std::nullopt);
  EXPECT_EQ(refresh_url("5;"), std::nullopt);
  EXPECT_EQ(refresh_url("a.html"), std::nullopt);
  EXPECT_EQ(refresh_url("5x;url=a"), std::nullopt);
  EXPECT_EQ(refresh_url(""), std::nullopt);
}

}  // namespace
}  // namespace caddis::html
