#include <algorithm>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/extract/extract.h"
#include "caddis/extract/plan.h"
#include "caddis/feeds/sitemap.h"
#include "caddis/io/content_codec.h"

namespace caddis::extract {
namespace {

constexpr size_t kSniffed = 1024;

// The path of an absolute URL, without query and fragment.
std::string_view path_of(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  const size_t authority = url.find("://");
  const size_t path = url.find('/', authority == std::string_view::npos ? 0 : authority + 3);
  return path == std::string_view::npos ? std::string_view() : url.substr(path);
}

std::string extension_of(std::string_view path) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  const size_t dot = file.rfind('.');
  return dot == std::string_view::npos ? std::string() : to_lower(file.substr(dot + 1));
}

std::string_view without_mark(std::string_view body) {
  if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);
  while (!body.empty() && is_space(body.front())) body.remove_prefix(1);
  return body;
}

bool looks_like_html(std::string_view body) {
  const std::string_view start = without_mark(body);
  return starts_with_ignore_case(start, "<!doctype html") || starts_with_ignore_case(start, "<html") ||
         starts_with_ignore_case(start, "<head") || starts_with_ignore_case(start, "<body");
}

// For documents without a usable type: any tag makes it HTML, unless its bytes are no text at all.
bool has_tags(std::string_view body) {
  const std::string_view start = body.substr(0, kSniffed);
  if (start.find('\0') != std::string_view::npos) return false;
  for (size_t at = 1; at < start.size(); ++at)
    if (start[at - 1] == '<' && (is_alpha(start[at]) || start[at] == '!')) return true;
  return false;
}

bool is_media_extension(std::string_view extension) {
  for (const std::string_view media : {"gif",  "jpg", "jpeg", "png", "tif", "tiff", "bmp",  "avi", "mov",  "mpg",
                                       "mpeg", "mp3", "mp4",  "swf", "wav", "au",   "aiff", "mid", "webp", "avif"}) {
    if (extension == media) return true;
  }
  return false;
}

DocumentType type_of_extension(std::string_view extension) {
  if (extension == "css") return DocumentType::css;
  if (extension == "js" || extension == "mjs") return DocumentType::javascript;
  if (extension == "json" || extension == "jsonl" || extension == "ndjson") return DocumentType::json;
  if (extension == "webmanifest") return DocumentType::manifest;
  if (extension == "m3u8" || extension == "m3u") return DocumentType::playlist;
  if (extension == "vtt" || extension == "srt") return DocumentType::subtitles;
  if (extension == "ics" || extension == "vcf") return DocumentType::calendar;
  if (extension == "mht" || extension == "mhtml") return DocumentType::archive;
  if (extension == "svg") return DocumentType::svg;
  if (extension == "xml" || extension == "rss" || extension == "atom" || extension == "rdf" || extension == "mpd")
    return DocumentType::xml;
  return DocumentType::other;
}

// The name of the first element, without its prefix; empty if none begins there.
std::string_view root_name(std::string_view body) {
  body = without_mark(body);
  constexpr size_t kMostBefore = 100;  // comments, instructions and a DOCTYPE
  for (size_t times = 0; times < kMostBefore && body.starts_with('<'); ++times) {
    const bool is_comment = body.starts_with("<!--");
    if (!is_comment && !body.starts_with("<?") && !body.starts_with("<!")) {
      std::string_view name = body.substr(1, body.find_first_of(" \t\r\n/>", 1) - 1);
      name.remove_prefix(std::min(name.find(':') + 1, name.size()));
      return name;
    }
    const std::string_view end = is_comment ? "-->" : ">";
    const size_t at = body.find(end);
    if (at == std::string_view::npos) return {};
    body = without_mark(body.substr(at + end.size()));
  }
  return {};
}

DocumentType type_of_root(std::string_view name) {
  if (name == "rss" || name == "feed" || name == "RDF") return DocumentType::feed;
  if (name == "OAI-PMH") return DocumentType::oai;
  if (name == "ListBucketResult" || name == "ListVersionsResult" || name == "EnumerationResults")
    return DocumentType::listing;
  return name == "MPD" ? DocumentType::dash : DocumentType::other;
}

DocumentType type_of_xml(std::string_view body) {
  if (feeds::looks_like_sitemap(body)) return DocumentType::sitemap;
  if (looks_like_html(body)) return DocumentType::html;
  if (const DocumentType type = type_of_root(root_name(body)); type != DocumentType::other) return type;
  const std::string_view start = body.substr(0, kSniffed);
  if (start.find("<svg") != std::string_view::npos) return DocumentType::svg;
  return start.find("<html") != std::string_view::npos ? DocumentType::html : DocumentType::xml;
}

// Servers call feeds and sitemaps HTML as well: their first element says what they are.
DocumentType type_of_markup(std::string_view body) {
  const std::string_view root = root_name(body);
  if (root == "urlset" || root == "sitemapindex") return DocumentType::sitemap;
  return type_of_root(root) == DocumentType::feed ? DocumentType::feed : DocumentType::html;
}

DocumentType type_of_unknown(std::string_view body, std::string_view extension) {
  if (const DocumentType type = type_of_extension(extension); type != DocumentType::other) {
    return type == DocumentType::xml ? type_of_xml(body) : type;
  }
  if (without_mark(body.substr(0, kSniffed)).starts_with("#EXTM3U")) return DocumentType::playlist;
  if (without_mark(body).starts_with("<?xml")) return type_of_xml(body);
  if (is_media_extension(extension)) return looks_like_html(body) ? DocumentType::html : DocumentType::other;
  return has_tags(body) ? type_of_markup(body) : DocumentType::other;
}

// JSON says by a member whether it is a feed.
DocumentType type_of_json(std::string_view type, std::string_view extension, std::string_view body) {
  if (type == "application/manifest+json" || extension == "webmanifest") return DocumentType::manifest;
  const bool is_feed = type == "application/feed+json" ||
                       body.substr(0, kSniffed).find("jsonfeed.org/version/") != std::string_view::npos;
  return is_feed ? DocumentType::json_feed : DocumentType::json;
}

// Types of media and of texts whose name alone says enough.
DocumentType type_of_name(std::string_view type) {
  static constexpr std::pair<std::string_view, DocumentType> kNames[] = {
      {"application/vnd.apple.mpegurl", DocumentType::playlist},
      {"application/x-mpegurl", DocumentType::playlist},
      {"audio/mpegurl", DocumentType::playlist},
      {"audio/x-mpegurl", DocumentType::playlist},
      {"text/vtt", DocumentType::subtitles},
      {"application/x-subrip", DocumentType::subtitles},
      {"text/srt", DocumentType::subtitles},
      {"text/calendar", DocumentType::calendar},
      {"text/vcard", DocumentType::calendar},
      {"text/x-vcard", DocumentType::calendar},
      {"multipart/related", DocumentType::archive},
      {"message/rfc822", DocumentType::archive},
      {"application/x-mimearchive", DocumentType::archive},
      // A document of JSON in each line (or record): no tree as a whole, but its strings are those of JSON.
      {"application/jsonl", DocumentType::json},
      {"application/jsonlines", DocumentType::json},
      {"application/json-lines", DocumentType::json},
      {"application/x-jsonlines", DocumentType::json},
      {"application/ndjson", DocumentType::json},
      {"application/x-ndjson", DocumentType::json},
      {"application/json-seq", DocumentType::json},
      {"application/geo+json-seq", DocumentType::json}};
  for (const auto& [name, of_name] : kNames)
    if (name == type) return of_name;
  return DocumentType::other;
}

// Servers that do not know these formats call them texts, or nothing at all.
DocumentType type_of_text(std::string_view body, std::string_view extension) {
  if (without_mark(body.substr(0, kSniffed)).starts_with("#EXTM3U")) return DocumentType::playlist;
  return extension == "mpd" ? type_of_xml(body) : type_of_extension(extension);
}

// Plain lists have a URL in each line, and nothing else.
bool lists_urls(std::string_view text) {
  constexpr size_t kFront = 4096;
  const bool is_cut = text.size() > kFront;
  text = without_mark(text.substr(0, kFront));
  if (is_cut) text = text.substr(0, text.find_last_of("\r\n"));
  size_t urls = 0;
  for (std::string_view line : split(text, '\n')) {
    line = trim(line);
    if (line.empty()) continue;
    const bool is_url = starts_with_ignore_case(line, "http://") || starts_with_ignore_case(line, "https://");
    if (!is_url || line.find_first_of(" \t<>") != std::string_view::npos) return false;
    ++urls;
  }
  return urls > 0;
}

// A page that a sitemap lists is named by it as well: its bytes have to say that it is one, too.
bool reads_as_sitemap(std::string_view type, std::string_view body) {
  constexpr size_t kPacked = 4096;
  const bool is_packed = body.starts_with("\x1F\x8B");
  std::string unpacked;
  if (is_packed) unpacked = io::decode_content(body.substr(0, kPacked), "gzip", kPacked).bytes;
  const std::string_view front = is_packed ? std::string_view(unpacked) : body;
  if (feeds::looks_like_sitemap(front)) return true;
  const bool may_be_list = is_packed || type.empty() || type == "text/plain" || type == "application/octet-stream";
  return may_be_list && lists_urls(front);
}

std::string media_type_of(const Document& document) {
  return to_lower(trim(document.content_type.substr(0, document.content_type.find(';'))));
}

}  // namespace

DocumentType document_type(const Document& document, const Plan& plan) {
  if (plan.names_sitemap(document.url) && reads_as_sitemap(media_type_of(document), document.body))
    return DocumentType::sitemap;
  return document_type(document);
}

DocumentType document_type(const Document& document) {
  const std::string type = media_type_of(document);
  if (document.is_named_sitemap && reads_as_sitemap(type, document.body)) return DocumentType::sitemap;
  const std::string_view path = path_of(document.url);
  const std::string extension = extension_of(path);
  if (path.ends_with(".xml.gz") && document.body.starts_with("\x1F\x8B")) return DocumentType::sitemap;
  const bool text = type.empty() || type == "text/plain";
  if (path == "/robots.txt" && text) return DocumentType::robots;
  if (type == "text/html" || type.starts_with("application/xhtml") || type == "application/vnd.wap.xhtml+xml") {
    // A server's name for what it does not know: pictures are not searched for tags.
    if (is_media_extension(extension) && !looks_like_html(document.body)) return DocumentType::other;
    return type_of_markup(document.body);
  }
  if (type == "text/css") return DocumentType::css;
  if (type.find("javascript") != std::string::npos || type.find("ecmascript") != std::string::npos) {
    return DocumentType::javascript;
  }
  if (type == "image/svg+xml") return DocumentType::svg;
  if (type.ends_with("/json") || type.ends_with("+json")) return type_of_json(type, extension, document.body);
  if (type.ends_with("/xml") || type.ends_with("+xml")) return type_of_xml(document.body);
  if (const DocumentType named = type_of_name(type); named != DocumentType::other) return named;
  if (type == "text/plain") return type_of_text(document.body, extension);
  const bool unknown = type.empty() || type.find('/') == std::string::npos || type == "application/unknown" ||
                       type == "application/octet-stream";
  return unknown ? type_of_unknown(document.body, extension) : DocumentType::other;
}

}  // namespace caddis::extract
