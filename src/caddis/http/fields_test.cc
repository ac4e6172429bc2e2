#include "caddis/http/fields.h"

#include <gtest/gtest.h>

#include "caddis/http/head.h"
#include "caddis/http/media_type.h"

namespace caddis::http {
namespace {

using Items = std::vector<std::string_view>;

TEST(FieldsTest, SplitsLists) {
  EXPECT_EQ(split_list("a, b ,,c"), (Items{"a", "b", "c"}));
  EXPECT_EQ(split_list(""), Items{});
  EXPECT_EQ(split_list("\"a,b\", c"), (Items{"\"a,b\"", "c"}));
  EXPECT_EQ(split_list("</x,y>; rel=next, </z>"), (Items{"</x,y>; rel=next", "</z>"}));
  EXPECT_EQ(split_list("\"a\\\",b\", c"), (Items{"\"a\\\",b\"", "c"}));
  EXPECT_EQ(split_list("a\"b, c"), (Items{"a\"b", "c"})) << "a stray quote is an ordinary character";
  EXPECT_EQ(split_list("a<b, c"), (Items{"a<b", "c"}));
}

TEST(FieldsTest, TakesTimeInProportionToTheInput) {
  std::string escapes = "\"";
  for (int i = 0; i < 200'000; ++i) escapes += "\\\",";
  EXPECT_GT(split_list(escapes).size(), 100'000u);  // would take minutes if each quote were followed to the end
}

TEST(FieldsTest, Unquotes) {
  EXPECT_EQ(unquote("plain"), "plain");
  EXPECT_EQ(unquote("\"a \\\"b\\\" c\""), "a \"b\" c");
  EXPECT_EQ(unquote("\"open"), "open");
  EXPECT_EQ(unquote("\"open\\"), "open\\");
}

TEST(FieldsTest, MakesBasicCredentials) {
  EXPECT_EQ(basic_credentials("Aladdin", "open sesame"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");  // RFC 7617
  EXPECT_EQ(basic_credentials("", ""), "Basic Og==");
  EXPECT_EQ(basic_credentials("ab", ""), "Basic YWI6");
}

TEST(MediaTypeTest, ReadsWhatServersSend) {
  struct Case {
    std::string value;
    std::string essence;
    const char* charset;
  };
  for (const Case& c : {
           Case{"text/html", "text/html", ""},
           Case{"Text/HTML; Charset=UTF-8", "text/html", "UTF-8"},
           Case{"text/html;charset=\"utf-8\"", "text/html", "utf-8"},
           Case{"text/html; charset='iso-8859-1'", "text/html", "iso-8859-1"},
           Case{"text/html charset=x", "text/html", "x"},
           Case{"text/html; charset = windows-1252 ", "text/html", "windows-1252"},
           Case{" text/html ;; a=\"x;charset=y\"; charset=z", "text/html", "z"},
           Case{"text/html, text/plain", "text/html", ""},
           Case{"text/html; charset", "text/html", ""},
           Case{"image/svg+xml", "image/svg+xml", ""},
           Case{"text", "", ""},
           Case{"", "", ""},
           Case{"/", "", ""},
           Case{"te(xt/html", "", ""},
           Case{"text/\x1b[31mhtml", "", ""},
           Case{"text/" + std::string(127, 'x'), "text/" + std::string(127, 'x'), ""},
           Case{"text/" + std::string(128, 'x'), "", ""},
       }) {
    const std::string value = c.value;
    const MediaType type = parse_media_type(value);
    EXPECT_EQ(type.essence, c.essence) << value;
    EXPECT_EQ(type.charset(), c.charset) << value;
  }
}

TEST(MediaTypeTest, TakesTheLastSoundOneOfAHead) {
  const auto head = *parse_response_head(
      "HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Type: text/html;charset=a\nContent-Type: none\n\n",
      Mode::lenient);
  EXPECT_EQ(content_type(head).charset(), "a");
  EXPECT_EQ(mime_of(head), "text/html");
  EXPECT_EQ(mime_of(*parse_response_head("HTTP/1.1 200 OK\n\n", Mode::lenient)), "unknown");
}

}  // namespace
}  // namespace caddis::http
