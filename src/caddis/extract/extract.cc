#include "caddis/extract/extract.h"

#include "caddis/base/strings.h"
#include "caddis/extract/css_links.h"
#include "caddis/extract/html_links.h"
#include "caddis/extract/http_links.h"
#include "caddis/extract/js_links.h"
#include "caddis/extract/link_sink.h"
#include "caddis/extract/xml_links.h"
#include "caddis/feeds/sitemap.h"
#include "caddis/io/content_codec.h"
#include "caddis/robots/robots.h"
#include "caddis/text/encoding.h"
#include "caddis/text/sniff.h"

namespace caddis::extract {
namespace {

// Whether links are looked for in a body that came with this status.
bool is_read(int status, const Options& options) {
  return (status >= 200 && status < 300) || (status == 404 && options.not_found_pages);
}

bool is_page(DocumentType type) { return type == DocumentType::html; }

// The charset that the response names, by either way a caller has it.
std::string_view transport_charset(const Document& document) {
  return document.charset.empty() ? text::charset_label(document.content_type) : document.charset;
}

void extract_sitemap(const Document& document, const Options& options, LinkSink& sink) {
  sink.set_max_links(options.max_sitemap_links);
  // Sitemaps are also served as gzip files, which is no content coding.
  std::string unpacked;
  if (document.body.starts_with("\x1F\x8B")) unpacked = io::decode_content(document.body, "gzip", kMaxSitemap).bytes;
  const auto sitemap = feeds::parse_sitemap(unpacked.empty() ? document.body : std::string_view(unpacked));
  if (!sitemap) return;
  for (const feeds::SitemapEntry& entry : sitemap->entries) {
    sink.add(entry.loc, Hop::manifest, kManifestMisc);
    for (const std::string& alternate : entry.alternates) sink.add(alternate, Hop::manifest, kManifestMisc);
  }
  // Last: at the limit, pages matter more.
  for (const feeds::SitemapEntry& entry : sitemap->entries)
    for (const std::string& embed : entry.embeds) sink.add(embed, Hop::embed, kManifestMisc);
}

void extract_robots(std::string_view text, LinkSink& sink) {
  const robots::Robots robots = robots::Robots::parse(text);
  for (const std::string& sitemap : robots.sitemaps()) sink.add(sitemap, Hop::manifest, kManifestMisc);
}

void extract_page(std::string_view source, std::string_view encoding, const Options& options, LinkSink& sink,
                  Extracted& out) {
  PageFacts facts = extract_html(source, encoding, options, out.nofollow, sink);
  out.title = std::move(facts.title);
  out.nofollow = facts.nofollow;
}

void extract_script(const Document& document, std::string_view source, LinkSink& sink) {
  const auto via = url::Url::parse(document.via);
  extract_javascript(source, ScriptKind::module_file, via && via->is_http() ? &*via : nullptr, sink);
}

void extract_body(const Document& document, const Options& options, LinkSink& sink, Extracted& out) {
  if (out.type == DocumentType::other) return;
  // A sitemap and a robots.txt say themselves how they are read.
  if (out.type == DocumentType::sitemap) return extract_sitemap(document, options, sink);
  if (out.type == DocumentType::robots) return extract_robots(document.body, sink);
  const std::string_view transport = transport_charset(document);
  out.charset = is_page(out.type) ? text::sniff_html(document.body, transport).name
                                  : text::sniff_text(document.body, transport).name;
  sink.set_charset(out.charset);
  const bool is_markup = out.type == DocumentType::html || out.type == DocumentType::svg;
  if (is_markup && text::keeps_markup(out.charset)) return extract_page(document.body, out.charset, options, sink, out);
  std::string storage;
  const std::string_view source = text::to_utf8(document.body, out.charset, storage);
  switch (out.type) {
    case DocumentType::html:
    case DocumentType::svg:
      extract_page(source, text::kUtf8, options, sink, out);
      break;
    case DocumentType::css:
      extract_css(source, CssPlace::file, sink);
      break;
    case DocumentType::javascript:
      if (options.javascript && !out.nofollow) extract_script(document, source, sink);
      break;
    case DocumentType::json:
      if (options.javascript && !out.nofollow) extract_javascript(source, ScriptKind::json, nullptr, sink);
      break;
    case DocumentType::xml:
      if (!out.nofollow) extract_xml(source, sink);
      break;
    default:
      break;
  }
}

}  // namespace

Extracted extract(const Document& document, const Options& options) {
  Extracted out;
  LinkSink sink(document, options, out);
  if (!sink.usable()) return out;
  extract_http(document, sink);
  if (is_read(document.status, options) && !document.body.empty()) {
    out.type = document_type(document);
    out.nofollow = options.obey_meta_nofollow && has_nofollow_header(document);
    extract_body(document, options, sink, out);
    if (is_page(out.type) && options.favicon)
      sink.add_to(sink.document_url(), "/favicon.ico", Hop::inferred, kInferredMisc, {});
  }
  out.base = sink.base().href();
  return out;
}

void add_links(const url::Url& base, std::span<const WrittenLink> links, size_t max_links, const Options& options,
               Extracted& out) {
  const Document document{.url = base.href()};
  LinkSink sink(document, options, out);
  sink.set_max_links(out.links.size() + max_links);
  for (const WrittenLink& link : links) sink.add(link.written, link.hop, link.context);
}

}  // namespace caddis::extract
