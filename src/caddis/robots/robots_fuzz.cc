// Any bytes as robots.txt, its last line also as the path asked for; and as what a page asks of robots.
#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/robots/encoding.h"
#include "caddis/robots/page_directives.h"
#include "caddis/robots/robots.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::robots;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Robots robots = Robots::parse(text);
  const std::string path = path_and_query(text.substr(text.find_last_of('\n') + 1));
  CADDIS_CHECK(path.starts_with('/'));
  for (std::string_view agent :
       {std::string_view("caddis"), std::string_view("Mozilla/5.0 (compatible; foobot/1.0)"), text}) {
    const Verdict verdict = robots.verdict(agent, path);
    CADDIS_CHECK(verdict.line <= robots.counts().lines);
    CADDIS_CHECK(verdict.allowed || !verdict.rule.empty());
    const auto delay = robots.crawl_delay(agent);
    CADDIS_CHECK(!delay || delay->count() >= 0);
  }
  const std::string said = parse_robots_tag(text, "foobot").text();
  CADDIS_CHECK(parse_directives(text).text().size() < 100 && said.size() < 100);
  return 0;
}
