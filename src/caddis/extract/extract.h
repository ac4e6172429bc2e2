// Links out of a fetched document: what a crawl may fetch next, and how each was found.
//
// extract() is pure and synchronous: one document in, its links out; any thread. It never fails: what cannot be read
// gives no links. Hop types and contexts are Heritrix's. Every link is absolute, of a scheme that can be crawled (url/crawl_schemes.h), without a fragment, and
// reported once for its URL and hop; the first context found stands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/extract/settings.h"
#include "caddis/robots/page_directives.h"
#include "caddis/url/url.h"

namespace caddis::extract {

class Plan;
struct Extractor;

enum class Hop : char {
  navlink = 'L',       // <a href>
  embed = 'E',         // a part of the page: image, style sheet, script, frame
  redirect = 'R',      // Location, Refresh
  inferred = 'I',      // /favicon.ico, Content-Location
  speculative = 'X',   // a string that is surely a URL, in a script
  prerequisite = 'P',  // (found by the crawl itself)
  manifest = 'M',      // in a sitemap, or naming one
  form = 'S',          // a form that was submitted (Heritrix's): a login's
};

struct Link {
  url::Url target;  // without a fragment
  Hop hop;
  std::string context;  // "a/@href", "link[rel='stylesheet']/@href", "Location:", "=EMBED_MISC"

  std::string_view url() const { return target.href(); }
};

// Text that stands where a link is expected, and is none.
struct BadLink {
  std::string written;  // the first bytes of it
  std::string why;
};

using HeaderField = std::pair<std::string_view, std::string_view>;

struct Document {
  std::string_view url;           // where it was fetched: absolute
  std::string_view via;           // the page that refers to it, against which links in scripts resolve; may be empty
  std::string_view content_type;  // the header's whole value; may be empty
  std::string_view charset;       // of the header where known apart from content_type; may be empty
  std::string_view body;          // with transfer and content codings removed
  int status = 200;
  std::span<const HeaderField> fields;  // of the response, in order
  bool heeds_nofollow = true;           // false: whatever it says about following is no matter here
  std::string_view product_token = {};  // the crawl's name, by which directives may address it
  std::string_view address = {};        // of the server that it came from; empty if nobody knows it
  bool is_named_sitemap = false;        // robots.txt or another sitemap names it
};

// What of a document is looked at.
enum class DocumentType {
  html,
  css,
  javascript,
  json,
  sitemap,
  robots,
  xml,
  svg,
  feed,       // RSS, Atom, RDF
  json_feed,  // JSON Feed
  manifest,   // of a web application
  oai,        // OAI-PMH
  listing,    // of a bucket of S3, or a container of Azure
  playlist,   // HLS
  dash,
  subtitles,  // WebVTT, SRT
  calendar,   // iCalendar, vCard
  archive,    // MHTML
  other
};

// A sitemap's largest size: 50 MB by its protocol, and some more. Compressed ones are unpacked up to it.
inline constexpr size_t kMaxSitemap = 64u << 20;

// The share of one extractor in the links of a document.
struct ExtractorWork {
  const Extractor* extractor = nullptr;  // of the table (extractor.h)
  uint32_t links = 0;                    // that it was the first to find
  uint32_t dropped = 0;                  // beyond the limits
};

struct Extracted {
  std::vector<Link> links;
  DocumentType type = DocumentType::other;
  std::string charset;                // of the Encoding Standard; empty where the body was not read as text
  std::string base;                   // the URL that links were resolved against
  std::string title;                  // of an HTML page, white space collapsed
  robots::PageDirectives directives;  // of robots meta elements and X-Robots-Tag
  bool nofollow = false;              // by these, and heeded
  size_t dropped = 0;                 // links beyond the limits
  std::vector<BadLink> bad;           // the first of them
  std::vector<ExtractorWork> work;    // of the extractors that have read it, in their order
  std::string unread;                 // why an extractor has not read all of the body, in words; empty if each has
  bool is_damaged = false;            // `unread` is no limit, but a fault of the document
};

Extracted extract(const Document& document, const Plan& plan);
// The same for who has a single document: a plan is made for it.
Extracted extract(const Document& document, const Options& options);

// A link that a reader of another kind of document has found.
struct WrittenLink {
  std::string_view written;  // absolute, or relative
  Hop hop;
  std::string_view context;
};

// Adds them to `out`, whose links stay and are not repeated: at most `max_links` more. They resolve against `base`.
void add_links(const url::Url& base, std::span<const WrittenLink> links, size_t max_links, const Options& options,
               Extracted& out);

// What extract() takes the document for: by its Content-Type, its path, and where both leave it open by its first
// bytes. What is named as a sitemap, and reads as one, is one whatever its server calls it; feeds and sitemaps that
// begin as such may be called HTML.
DocumentType document_type(const Document& document);
// The same, with the names of sitemaps that the settings have.
DocumentType document_type(const Document& document, const Plan& plan);
// Whether extract() reads the body of such a document: of one that is nothing that it knows, only extractors do that are
// off unless settings name them.
bool reads_body(DocumentType type, const Plan& plan);

}  // namespace caddis::extract
