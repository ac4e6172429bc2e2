// The rows of the table, and the small extractors that need no file of their own.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "caddis/base/strings.h"
#include "caddis/base/visible.h"
#include "caddis/extract/css_links.h"
#include "caddis/extract/dash_links.h"
#include "caddis/extract/extractor.h"
#include "caddis/extract/hls_links.h"
#include "caddis/extract/html_links.h"
#include "caddis/extract/http_links.h"
#include "caddis/extract/js_links.h"
#include "caddis/extract/json_links.h"
#include "caddis/extract/link_sink.h"
#include "caddis/extract/list_links.h"
#include "caddis/extract/mhtml_links.h"
#include "caddis/extract/pattern_links.h"
#include "caddis/extract/plan.h"
#include "caddis/extract/reading.h"
#include "caddis/extract/text_links.h"
#include "caddis/extract/xml_links.h"
#include "caddis/robots/robots.h"
#include "caddis/text/encoding.h"
#include "caddis/url/crawl_schemes.h"
#include "caddis/url/domain.h"

namespace caddis::extract {
namespace {

template <DocumentType type>
bool reads_type(const Reading& reading) {
  return reading.is(type);
}

bool is_top(const Reading& reading) { return reading.depth == 0; }

bool reads_page(const Reading& reading) { return reading.is(DocumentType::html) || reading.is(DocumentType::svg); }

// Kinds of XML that have an extractor of their own: if that is off, this one reads them.
bool reads_xml(const Reading& reading) {
  if (!reading.has_body || reading.is_read || reading.out.nofollow) return false;
  switch (reading.type()) {
    case DocumentType::xml:
    case DocumentType::feed:
    case DocumentType::oai:
    case DocumentType::listing:
    case DocumentType::dash:
      return true;
    default:
      return false;
  }
}

bool reads_json(const Reading& reading) {
  if (!reading.has_body || reading.is_read || reading.out.nofollow || !reading.plan.options().javascript) return false;
  return reading.type() == DocumentType::json || reading.type() == DocumentType::json_feed ||
         reading.type() == DocumentType::manifest;
}

template <DocumentType type>
bool reads_followed(const Reading& reading) {
  return reading.is(type) && !reading.out.nofollow;
}

bool reads_script(const Reading& reading) {
  return reading.is(DocumentType::javascript) && reading.plan.options().javascript && !reading.out.nofollow;
}

void run_http(Reading& reading, LinkSink& sink) { extract_http(reading.document, sink); }

void run_robots(Reading& reading, LinkSink& sink) {
  reading.is_read = true;
  const robots::Robots robots = robots::Robots::parse(reading.document.body);
  for (const std::string& sitemap : robots.sitemaps()) sink.add(sitemap, Hop::manifest, kManifestMisc);
}

void run_sitemap(Reading& reading, LinkSink& sink) {
  reading.is_read = true;
  extract_sitemap(reading.document.body, reading.plan, sink);
}

void run_html(Reading& reading, LinkSink& sink) {
  reading.is_read = true;
  reading.find_charset();
  const PageRules rules{.options = reading.plan.options(),
                        .script = reading.plan.script(),
                        .obeys_nofollow = reading.plan.options().obey_meta_nofollow && reading.document.heeds_nofollow,
                        .nofollow = reading.out.nofollow,
                        .product_token = reading.document.product_token};
  const bool keeps = text::keeps_markup(reading.out.charset);
  PageFacts facts = extract_html(keeps ? reading.document.body : reading.text(),
                                 keeps ? std::string_view(reading.out.charset) : text::kUtf8, rules, sink);
  reading.out.title = std::move(facts.title);
  reading.out.directives.add(facts.directives);
  reading.out.nofollow = facts.nofollow;
}

void run_css(Reading& reading, LinkSink& sink) {
  reading.is_read = true;
  extract_css(reading.text(), CssPlace::file, sink);
}

void run_javascript(Reading& reading, LinkSink& sink) {
  reading.is_read = true;
  const auto via = url::Url::parse(reading.document.via);
  const ScriptPlace place{
      .kind = ScriptKind::script_file, .via = via && via->is_http() ? &*via : nullptr, .rules = reading.plan.script()};
  extract_javascript(reading.text(), place, sink);
}

void run_json(Reading& reading, LinkSink& sink) {
  reading.is_read = true;
  if (contains_ignore_case(reading.document.content_type, "speculationrules"))
    return extract_speculation_rules(reading.text(), sink);
  const ScriptPlace place{.kind = ScriptKind::json_file, .via = nullptr, .rules = reading.plan.script()};
  extract_javascript(reading.text(), place, sink);
}

void run_json_feed(Reading& reading, LinkSink& sink) { reading.is_read = extract_json_feed(reading.text(), sink); }

void run_manifest(Reading& reading, LinkSink& sink) { reading.is_read = extract_web_manifest(reading.text(), sink); }

void run_feed(Reading& reading, LinkSink& sink) {
  reading.is_read = true;
  extract_feed(reading.text(), sink);
}

void run_xml(Reading& reading, LinkSink& sink) {
  reading.is_read = true;
  extract_xml(reading.text(), sink);
}

void run_oai(Reading& reading, LinkSink& sink) {
  reading.is_read = true;
  extract_oai(reading.text(), sink);
}

void run_listing(Reading& reading, LinkSink& sink) {
  reading.is_read = true;
  extract_listing(reading.text(), sink);
}

void run_hls(Reading& reading, LinkSink& sink) {
  reading.is_read = true;
  extract_hls(reading.text(), reading.plan.options().renditions, sink);
}

void run_dash(Reading& reading, LinkSink& sink) {
  reading.is_read = true;
  extract_dash(reading.text(), reading.plan.options().renditions, sink);
}

void run_subtitles(Reading& reading, LinkSink& sink) {
  reading.is_read = true;
  extract_subtitles(reading.text(), sink);
}

void run_calendar(Reading& reading, LinkSink& sink) {
  reading.is_read = true;
  extract_calendar(reading.text(), sink);
}

bool reads_mhtml(const Reading& reading) { return reading.is(DocumentType::archive) && is_top(reading); }

void run_mhtml(Reading& reading, LinkSink& sink) {
  reading.is_read = true;
  extract_mhtml(reading, sink);
}

bool reads_source_map(const Reading& reading) {
  return reading.is(DocumentType::javascript) || reading.is(DocumentType::css);
}

void run_source_map(Reading& reading, LinkSink& sink) { extract_source_map(reading.document, sink); }

bool reads_favicon(const Reading& reading) {
  return reading.is(DocumentType::html) && is_top(reading) && reading.plan.options().favicon &&
         reading.sink.document_url().is_http();
}

void run_favicon(Reading&, LinkSink& sink) {
  sink.add_to(sink.document_url(), "/favicon.ico", Hop::inferred, kInferredMisc, {});
}

bool reads_sites(const Reading& reading) {
  return is_top(reading) && !reading.plan.options().sites.paths.empty() && reading.sink.document_url().is_http();
}

void run_site_paths(Reading& reading, LinkSink& sink) {
  for (const std::string& path : reading.plan.options().sites.paths)
    sink.add_to(sink.document_url(), path, Hop::inferred, kInferredMisc, {});
}

// The owners of the site, and of the network that its server is in: the first server of WHOIS refers to those who know.
bool reads_owners(const Reading& reading) {
  return is_top(reading) && url::can_be_crawled(reading.sink.document_url()) &&
         reading.sink.document_url().scheme() != "whois" && !reading.sink.document_url().hostname().empty();
}

void run_whois(Reading& reading, LinkSink& sink) {
  const std::string_view domain = url::registrable_domain(sink.document_url().hostname());
  for (const std::string_view owned : {domain, reading.document.address})
    if (!owned.empty())
      sink.add_to(sink.document_url(), fmt::format("whois:{}", owned), Hop::inferred, kInferredMisc, {});
}

bool reads_unread(const Reading& reading) { return reading.has_body && !reading.is_read && !reading.out.nofollow; }

void run_universal(Reading& reading, LinkSink& sink) {
  reading.is_read = true;
  const size_t most = reading.plan.options().patterns.universal_length;
  add_urls_in(reading.document.body.substr(0, most), Hop::speculative, kSpeculativeMisc, sink);
  if (reading.document.body.size() > most)
    sink.leave_unread(fmt::format("only the first {} bytes are searched for URLs (extract.universal-length)", most));
}

bool reads_matching(const Reading& reading) {
  return reading.has_body && !reading.out.nofollow && reading.plan.multiple_regex().url != nullptr;
}

void run_multiple_regex(Reading& reading, LinkSink& sink) {
  extract_multiple_regex(reading.document.body, reading.plan, sink);
}

bool reads_links(const Reading& reading) { return !reading.out.links.empty(); }

void run_uri_in_uri(Reading&, LinkSink& sink) { extract_uri_in_uri(sink); }

bool reads_triggers(const Reading& reading) { return reads_links(reading) && !reading.plan.implied_uris().empty(); }

void run_implied_uris(Reading& reading, LinkSink& sink) { extract_implied_uris(reading.plan, sink); }

using enum DocumentType;

constexpr auto kExtractors = std::to_array<Extractor>({
    {"http", "ExtractorHTTP", "Location, Refresh, Content-Location, Link and Speculation-Rules of any response.", true,
     is_top, run_http},
    {"robots", "ExtractorRobotsTxt", "The sitemaps that a robots.txt names.", true, reads_type<robots>, run_robots},
    {"sitemaps", "ExtractorSitemap",
     "Pages, images, videos and other languages of a sitemap; the sitemaps of an index. Also gzip files, and plain "
     "lists of URLs.",
     true, reads_type<sitemap>, run_sitemap},
    {"html", "ExtractorHTML, JerichoExtractorHTML",
     "Elements and attributes of HTML and SVG, scripts, styles, templates, JSON and maps of imports in them.", true,
     reads_page, run_html},
    {"css", "ExtractorCSS", "url(), @import and image-set() of style sheets.", true, reads_type<css>, run_css},
    {"javascript", "ExtractorJS, KnowledgableExtractorJS",
     "Strings in scripts that are surely URLs (`extract.script-…`).", true, reads_script, run_javascript},
    {"source-maps", "", "The source map that a script or a style sheet names, in its text or its header.", true,
     reads_source_map, run_source_map},
    {"feeds", "RssExtractor (CrawlRSS)",
     "RSS, Atom and RDF: items, enclosures, media and pictures, and links in the texts of items.", true,
     reads_followed<feed>, run_feed},
    {"json-feeds", "", "JSON Feed: items, attachments, pictures and the next page.", true, reads_followed<json_feed>,
     run_json_feed},
    {"web-manifests", "", "Manifests of web applications: icons, screenshots, start page and shortcuts.", true,
     reads_followed<manifest>, run_manifest},
    {"oai", "ExtractorOAI", "OAI-PMH: links in records, and the next part of a list.", true, reads_followed<oai>,
     run_oai},
    {"listings", "", "Listings of buckets (S3) and containers (Azure): what is in them, and their next page.", true,
     reads_followed<listing>, run_listing},
    {"hls", "", "HLS playlists: renditions, segments, keys and maps (`extract.renditions`).", true,
     reads_type<playlist>, run_hls},
    {"dash", "", "MPEG-DASH: segments by templates, timelines and lists (`extract.renditions`).", true,
     reads_type<dash>, run_dash},
    {"subtitles", "", "WebVTT and SRT: links in texts, and pictures of chapters.", true, reads_followed<subtitles>,
     run_subtitles},
    {"calendars", "", "iCalendar and vCard: URLs, attachments, photographs, and links in descriptions.", true,
     reads_followed<calendar>, run_calendar},
    {"mhtml", "", "Pages saved as MHTML: each part by the extractor of its kind.", true, reads_mhtml, run_mhtml},
    {"json", "ExtractorJson", "Strings of JSON, also of one in each line, that are surely URLs.", true, reads_json,
     run_json},
    {"xml", "ExtractorXML", "Texts and attributes of any other XML that are surely URLs.", true, reads_xml, run_xml},
    {"favicon", "ExtractorHTTP", "/favicon.ico of the host of each HTML page (`extract.favicon`).", true, reads_favicon,
     run_favicon},
    {"site-paths", "ExtractorHTTP", "Paths that every site is asked for (`extract.site-paths`).", true, reads_sites,
     run_site_paths},
    {"whois", "FetchWhois",
     "WHOIS of the registrable domain and of the address of each host that answers (docs/ftp.md).", false, reads_owners,
     run_whois},
    {kUniversal, "ExtractorUniversal",
     "Absolute URLs among the first bytes of what no other extractor has read (`extract.universal-length`).", false,
     reads_unread, run_universal},
    {"multiple-regex", "ExtractorMultipleRegex",
     "Links made of what several expressions find in a document (`extract.multiple-regex-…`).", false, reads_matching,
     run_multiple_regex},
    {"uri-in-uri", "ExtractorURI", "Absolute URLs in the query strings of the links found so far.", false, reads_links,
     run_uri_in_uri},
    {"implied-uris", "ExtractorImpliedURI", "URLs that links found so far imply by a pattern (`extract.implied-uris`).",
     false, reads_triggers, run_implied_uris},
});

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const Extractor& extractor : kExtractors) names.emplace_back(extractor.name);
  return names;
}

bool is_change(std::string_view item) { return item.starts_with('+') || item.starts_with('-'); }

}  // namespace

std::span<const Extractor> extractors() { return kExtractors; }

const Extractor* find_extractor(std::string_view name) {
  const auto* const found = std::ranges::find(kExtractors, name, &Extractor::name);
  return found == kExtractors.end() ? nullptr : found;
}

Result<void> known_extractor(std::string_view item) {
  const std::string_view name = is_change(item) ? item.substr(1) : item;
  if (find_extractor(name) != nullptr) return {};
  return fail(ErrorCode::config, fmt::format("there is no extractor '{}': there are {}", visible(name, 100),
                                             fmt::join(all_names(), ", ")));
}

std::vector<const Extractor*> chosen_extractors(const std::vector<std::string>& items) {
  std::vector<const Extractor*> chosen;
  if (!items.empty() && is_change(items.front()))
    for (const Extractor& extractor : kExtractors)
      if (extractor.is_usual) chosen.push_back(&extractor);
  for (const std::string_view item : items) {
    const Extractor* const named = find_extractor(is_change(item) ? item.substr(1) : item);
    if (named == nullptr) continue;
    if (item.starts_with('-'))
      std::erase(chosen, named);
    else if (std::ranges::find(chosen, named) == chosen.end())
      chosen.push_back(named);
  }
  return chosen;
}

std::string extractors_markdown() {
  std::string out =
      "# Extractors\n\n"
      "Made from the table in `src/caddis/extract/extractors.cc`: `caddis schema --extractors > "
      "docs/extractors.md`.\n\n"
      "An extractor finds links in documents of some kinds. `extract.extractors` says which of them run, and in which\n"
      "order; sheets may say it for a site. If the first name has `+` or `-` before it, all of them change the usual "
      "list:\n\n"
      "```yaml\nextract:\n  extractors: [-source-maps, +universal]\n```\n\n"
      "The processors report counts, for each extractor, the documents it has read, the links that it was the first "
      "to\n"
      "find, and those that the limits of `extract` left out (`max-links`, `max-sitemap-links`, `max-url-length`).\n\n"
      "PDF, Office files, e-books, RTF and Flash (ExtractorPDF, ExtractorDOC and ExtractorSWF of Heritrix) are read by "
      "a\nstep of their own, `documents`: [documents.md](documents.md). A program of yours can find what no extractor "
      "does:\n[programs.md](programs.md).\n\n"
      "| extractor | on | finds | Heritrix |\n|---|---|---|---|\n";
  for (const Extractor& extractor : kExtractors)
    out += fmt::format("| `{}` | {} | {} | {} |\n", extractor.name, extractor.is_usual ? "yes" : "no", extractor.doc,
                       extractor.heritrix);
  return out;
}

}  // namespace caddis::extract
