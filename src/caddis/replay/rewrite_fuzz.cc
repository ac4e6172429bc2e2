// Pages and style sheets from anywhere: rewriting ends, what has no links stays, and what was rewritten for one archive
// has every captured byte outside of values.
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/replay/css.h"
#include "caddis/replay/html.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::replay;
  if (size > 64 * 1024) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto page = *caddis::url::Url::parse("http://example.org/dir/page");
  for (const bool xml : {false, true}) {
    LinkRewriter links("/c/", "20260102030405", page, Modifier::page);
    HtmlOptions options;
    options.xml = xml;
    options.head_insert = "<script src=\"/-/client.js\"></script>";
    const std::string out = rewrite_html(input, links, options);
    CADDIS_CHECK(out.find(options.head_insert) != std::string::npos);
  }
  const LinkRewriter links("/c/", "20260102030405", page, Modifier::page);
  std::string css;
  const bool changed = rewrite_css(input, links, css);
  CADDIS_CHECK(changed || css == input);
  (void)rewrite_srcset(input, links, Modifier::image);
  (void)rewrite_refresh(input, links);
  return 0;
}
