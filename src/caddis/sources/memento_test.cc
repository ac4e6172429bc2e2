#include "caddis/sources/memento.h"

#include <gtest/gtest.h>

namespace caddis::sources {
namespace {

TEST(MementoLinks, AreReadFromATimeMap) {
  const MementoLinks links = parse_memento_links(
      "<http://a.example.org>;rel=\"original\",\n"
      "<http://arxiv.example.net/timemap/http://a.example.org>\n"
      " ; rel=\"self\";type=\"application/link-format\"\n"
      " ; from=\"Tue, 20 Jun 2000 18:02:59 GMT\", <http://arxiv.example.net/timemap/2/http://a.example.org>; "
      "rel=\"timemap\",\n"
      "<http://arxiv.example.net/web/20000620180259/http://a.example.org/?a=1,2>; rel=\"first memento\"; "
      "datetime=\"Tue, 20 Jun 2000 18:02:59 GMT\",\n"
      "<http://arxiv.example.net/web/x>; rel=\"memento\"; datetime=\"soon\",\n"
      "<http://arxiv.example.net/web/20091027204954/http://a.example.org>; rel=\"last memento\"; "
      "datetime=\"Tue, 27 Oct 2009 20:49:54 GMT\"\n");
  EXPECT_EQ(links.original, "http://a.example.org");
  ASSERT_EQ(links.timemaps.size(), 1u);
  EXPECT_EQ(links.timemaps[0], "http://arxiv.example.net/timemap/2/http://a.example.org");
  ASSERT_EQ(links.mementos.size(), 2u);
  EXPECT_EQ(links.mementos[0].address, "http://arxiv.example.net/web/20000620180259/http://a.example.org/?a=1,2");
  EXPECT_EQ(links.mementos[0].timestamp, "20000620180259");
  EXPECT_EQ(links.mementos[1].timestamp, "20091027204954");
}

TEST(MementoAddress, AsksForTheBodyAsCaptured) {
  EXPECT_EQ(raw_memento_address("http://w.example/web/20140101000000/http://a.example/"),
            "http://w.example/web/20140101000000id_/http://a.example/");
  EXPECT_EQ(raw_memento_address("http://w.example/c/20140101000000mp_/http://a.example/20150101000000/x"),
            "http://w.example/c/20140101000000id_/http://a.example/20150101000000/x");
  EXPECT_EQ(raw_memento_address("http://w.example/memento?url=x"), "http://w.example/memento?url=x");
  EXPECT_EQ(raw_memento_address("http://w.example/20140101000000"), "http://w.example/20140101000000");
}

http::ResponseHead head_of(std::string_view text) { return *http::parse_response_head(text, http::Mode::lenient); }

TEST(CapturedHead, HasTheFieldsOfTheCapture) {
  const std::string head = captured_head(
      head_of("HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Type: text/html\r\nMemento-Datetime: "
              "x\r\nX-Archive-Orig-Server: Apache\r\n"
              "X-Archive-Orig-Content-Length: 5\r\nX-App: a\r\nContent-Encoding: gzip\r\nLink: <x>\r\n\r\n"));
  EXPECT_EQ(head, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nServer: Apache\r\nContent-Encoding: gzip\r\n\r\n");
}

TEST(CapturedHead, OfAnArchiveThatRenamesNone) {
  const std::string head = captured_head(head_of(
      "HTTP/1.1 302 Found\r\nServer: nginx\r\nX-Own: a\r\nLocation: /web/20140101000000id_/http://b.example/\r\n"
      "Transfer-Encoding: chunked\r\n\r\n"));
  EXPECT_EQ(head, "HTTP/1.1 302 Found\r\nX-Own: a\r\nLocation: http://b.example/\r\n\r\n");
}

}  // namespace
}  // namespace caddis::sources
