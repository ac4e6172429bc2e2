// A crawl of documents of all kinds, under types of all kinds: whatever a server calls what, it is captured, and the
// crawl goes on.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/crawl.h"

namespace caddis::crawl {
namespace {

using testing::SimCrawl;

// Absent, empty, nonsense, and right for hardly any of the bodies.
constexpr const char* kTypes[] = {"",
                                  "Content-Type:\r\n",
                                  "Content-Type: ;\r\n",
                                  "Content-Type: unknown\r\n",
                                  "Content-Type: a/b/c; charset=\r\n",
                                  "Content-Type: application/unknown\r\n",
                                  "Content-Type: application/octet-stream\r\n",
                                  "Content-Type: text/plain\r\n",
                                  "Content-Type: text/html\r\n",
                                  "Content-Type: text/css\r\n",
                                  "Content-Type: text/javascript\r\n",
                                  "Content-Type: application/json\r\n",
                                  "Content-Type: text/xml\r\n",
                                  "Content-Type: image/svg+xml\r\n",
                                  "Content-Type: image/png\r\n"};

std::vector<std::string> bodies() {
  using namespace std::string_literals;
  // Empty, text, and what others tell formats by.
  std::vector<std::string> bodies = {"",
                                     "words",
                                     "12345",
                                     "{\"a\":1}",
                                     "[1]",
                                     " \n ",
                                     "<",
                                     "<1",
                                     "1 < 2",
                                     "#!/bin/sh\n",
                                     "%PDF-1.4\n1 0 obj",
                                     "%!PS-Adobe",
                                     "\x89PNG\r\n\x1a\n",
                                     "GIF89a",
                                     "\xFF\xD8\xFF\xE0",
                                     "RIFF1234WEBP",
                                     "BM1234",
                                     "II*\0"s,
                                     "MM\0*"s,
                                     "\0\0\1\0"s,
                                     "PK\3\4",
                                     "\x1F\x8B\x08",
                                     "BZh9",
                                     "\xFD"
                                     "7zXZ\0"s,
                                     "7z\xBC\xAF\x27\x1C",
                                     "Rar!\x1A\x07",
                                     "(\xB5/\xFD",
                                     "wOFF",
                                     "wOF2",
                                     "OTTO",
                                     "\0\1\0\0"s,
                                     "OggS",
                                     "fLaC",
                                     "ID3\3",
                                     "\0\0\0\x18"
                                     "ftypmp42"s,
                                     "\x1A\x45\xDF\xA3",
                                     "FWS\x09",
                                     "CWS\x09",
                                     "\x7F"
                                     "ELF",
                                     "MZ\x90",
                                     "\xCA\xFE\xBA\xBE",
                                     "\0asm"s,
                                     "\xEF\xBB\xBF",
                                     "\xFF\xFE",
                                     "\xD0\xCF\x11\xE0",
                                     "SQLite format 3\0"s};
  SeededRandom random(15);
  for (const size_t size : {1, 100, 1024, 5000})
    for (const bool printable : {true, false}) {
      std::string body(size, '\0');
      for (char& byte : body) byte = static_cast<char>(printable ? 0x30 + random.below(10) : random.below(256));
      bodies.push_back(body);
    }
  return bodies;
}

TEST(DocumentsOfAllTypes, AreAllCaptured) {
  SimCrawl crawl(1);
  const std::vector<std::string> all = bodies();
  crawl.settings.politeness.delay = Duration(0);
  crawl.settings.politeness.min_delay = Duration(0);
  for (size_t type = 0; type < std::size(kTypes); ++type)
    for (size_t body = 0; body < all.size(); ++body) {
      const std::string url = fmt::format("http://a.test/t{}/b{}", type, body);
      crawl.settings.crawl.seeds.push_back(url);
      crawl.site.add(url, fmt::format("HTTP/1.1 200 OK\r\n{}Content-Length: {}\r\n\r\n{}", kTypes[type],
                                      all[body].size(), all[body]));
    }
  ASSERT_TRUE(crawl.live({}));
  crawl.verify();
}

}  // namespace
}  // namespace caddis::crawl
