#include "caddis/extract/css_links.h"

#include <string>

#include "caddis/html/css_urls.h"

namespace caddis::extract {

void extract_css(std::string_view css, CssPlace place, LinkSink& sink) {
  const url::Url& base = place == CssPlace::page ? sink.base() : sink.document_url();
  html::CssUrls urls(css);
  for (html::CssUrl url; urls.next(url);) {
    if (url.has_escape)
      sink.add_to(base, html::css_unescape(url.raw), Hop::embed, kEmbedMisc, {});
    else
      sink.add_to(base, url.raw, Hop::embed, kEmbedMisc, {});
  }
}

}  // namespace caddis::extract
