// Pages and style sheets from anywhere: rewriting ends, what has no links stays, and what was rewritten for one archive
// has every captured byte outside of values.
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/replay/css.h"
#include "caddis/replay/fuzz_windows.h"
#include "caddis/replay/html.h"

using namespace caddis::replay;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 64 * 1024) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto page = *caddis::url::Url::parse("http://example.org/dir/page");
  for (const bool xml : {false, true}) {
    LinkRewriter links("/c/", "20260102030405", page, Modifier::page);
    HtmlOptions options;
    options.xml = xml;
    options.head_insert = "<script src=\"/-/client.js\"></script>";
    const std::string out = rewrite_html(input, links, options);
    // XML without a place for it in front of its elements is none that could be shown.
    CADDIS_CHECK(xml || out.find(options.head_insert) != std::string::npos);
    for (const size_t most : {size_t{128}, size_t{1} << 20}) {
      LinkRewriter again("/c/", "20260102030405", page, Modifier::page);
      HtmlRewriter rewriter(again, options);
      const std::string pieces = in_windows(rewriter, input, most);
      CADDIS_CHECK(most == 128 || pieces == out);
    }
  }
  const LinkRewriter links("/c/", "20260102030405", page, Modifier::page);
  std::string css;
  const bool changed = rewrite_css(input, links, css);
  CADDIS_CHECK(changed || css == input);
  for (const size_t most : {size_t{128}, size_t{1} << 20}) {
    CssRewriter rewriter(links);
    const std::string pieces = in_windows(rewriter, input, most);
    CADDIS_CHECK(most == 128 || pieces == css);
  }
  (void)rewrite_srcset(input, links, Modifier::image);
  (void)rewrite_refresh(input, links);
  return 0;
}
