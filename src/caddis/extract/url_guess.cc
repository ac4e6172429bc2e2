#include "caddis/extract/url_guess.h"

#include <algorithm>
#include <array>

#include "caddis/base/strings.h"

namespace caddis::extract {
namespace {

// Extensions of what pages link to or embed; sorted.
constexpr std::string_view kExtensions[] = {
    "asp",   "aspx",  "avi",  "avif", "bmp",  "cfm",   "cgi",  "css",         "csv",  "do",  "doc",  "docx",
    "eot",   "epub",  "flac", "flv",  "gif",  "gz",    "htm",  "html",        "ico",  "jpe", "jpeg", "jpg",
    "js",    "json",  "jsp",  "m3u8", "m4a",  "m4v",   "mid",  "mjs",         "mov",  "mp3", "mp4",  "mpd",
    "mpeg",  "mpg",   "odt",  "ogg",  "ogv",  "opus",  "otf",  "pdf",         "php",  "pl",  "png",  "ppt",
    "pptx",  "ps",    "rdf",  "rss",  "rtf",  "shtml", "srt",  "svg",         "swf",  "tar", "tif",  "tiff",
    "ts",    "ttf",   "txt",  "vtt",  "wasm", "wav",   "webm", "webmanifest", "webp", "wma", "wmv",  "woff",
    "woff2", "xhtml", "xls",  "xlsx", "xml",  "xsl",   "zip"};
static_assert(std::is_sorted(std::begin(kExtensions), std::end(kExtensions)));

// Names that look like addresses: namespaces, vocabularies, schemas.
constexpr std::string_view kNames[] = {"www.w3.org/1998/",
                                       "www.w3.org/1999/",
                                       "www.w3.org/2000/",
                                       "www.w3.org/2001/",
                                       "www.w3.org/2002/",
                                       "www.w3.org/2003/",
                                       "www.w3.org/2004/",
                                       "www.w3.org/2005/",
                                       "www.w3.org/2006/",
                                       "www.w3.org/2007/",
                                       "www.w3.org/ns/",
                                       "www.w3.org/XML/",
                                       "schema.org",
                                       "schemas.",
                                       "purl.org/",
                                       "ogp.me/",
                                       "ns.adobe.com/",
                                       "xmlns.com/",
                                       "rdfs.org/",
                                       "json-schema.org/",
                                       "www.sitemaps.org/schemas/",
                                       "www.google.com/schemas/",
                                       "search.yahoo.com/mrss",
                                       "a9.com/-/spec/",
                                       "wellformedweb.org/",
                                       "backend.userland.com/",
                                       "cyber.law.harvard.edu/rss/",
                                       "rdf.data-vocabulary.org"};

constexpr bool is_url_char(char c) {
  if (static_cast<uint8_t>(c) >= 0x80) return true;
  if (static_cast<uint8_t>(c) <= 0x20 || c == 0x7F) return false;
  switch (c) {
    case '"':
    case '\'':
    case '<':
    case '>':
    case '{':
    case '}':
    case '|':
    case '\\':
    case '^':
    case '`':
    case '[':
    case ']':
    case '*':
    case '$':
      return false;
    default:
      return true;
  }
}

// Whether `text` ends in the middle: something is to be appended.
bool ends_open(std::string_view text) {
  const char last = text.back();
  return last == '=' || last == '?' || last == '&' || last == '-' || last == '_' || last == '.' || last == ':' ||
         last == ',' || last == '%' || last == '#';
}

bool has_clean_characters(std::string_view text) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (!is_url_char(text[at])) return false;
    // "%s" and "%d" are formats, not escapes.
    if (text[at] == '%' && (at + 2 >= text.size() || hex_value(text[at + 1]) < 0 || hex_value(text[at + 2]) < 0))
      return false;
  }
  return true;
}

// The host at the front of `text` (behind the "//"): dotted, of letters, digits and '-', its last label a top-level
// domain.
bool has_real_host(std::string_view text) {
  std::string_view host = text.substr(0, text.find_first_of("/?#"));
  if (const size_t colon = host.rfind(':'); colon != std::string_view::npos) {
    const std::string_view port = host.substr(colon + 1);
    if (port.empty() || !std::all_of(port.begin(), port.end(), is_digit)) return false;
    host = host.substr(0, colon);
  }
  if (host.empty() || host.size() > 253) return false;
  size_t dots = 0, label = 0;
  bool numeric = true;
  for (const char c : host) {
    if (c == '.') {
      if (label == 0) return false;
      ++dots;
      label = 0;
      continue;
    }
    if (!is_alnum(c) && c != '-' && c != '_' && static_cast<uint8_t>(c) < 0x80) return false;
    numeric = numeric && is_digit(c);
    ++label;
  }
  if (dots == 0 || label == 0) return false;
  if (numeric) return dots == 3;
  const std::string_view top = host.substr(host.rfind('.') + 1);
  if (top.starts_with("xn--")) return true;
  return top.size() >= 2 &&
         std::all_of(top.begin(), top.end(), [](char c) { return is_alpha(c) || static_cast<uint8_t>(c) >= 0x80; });
}

bool is_name(std::string_view behind_slashes) {
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view name) { return behind_slashes.starts_with(name); });
}

}  // namespace

bool is_absolute_url(std::string_view text) {
  if (starts_with_ignore_case(text, "http:"))
    text.remove_prefix(5);
  else if (starts_with_ignore_case(text, "https:"))
    text.remove_prefix(6);
  if (!text.starts_with("//") || text.size() < 6) return false;
  text.remove_prefix(2);
  return has_clean_characters(text) && !ends_open(text) && has_real_host(text) && !is_name(text);
}

bool is_www_host(std::string_view text) {
  if (!starts_with_ignore_case(text, "www.") || text.size() < 8) return false;
  const std::string_view host = text.substr(0, text.find_first_of("/?#:"));
  return std::count(host.begin(), host.end(), '.') >= 2 && has_clean_characters(text) && !ends_open(text) &&
         has_real_host(text) && !is_name(text);
}

bool is_clean_path(std::string_view text) {
  return !text.empty() && !text.starts_with("//") && has_clean_characters(text) && !ends_open(text) &&
         text.find("/:") == std::string_view::npos && text.find("...") == std::string_view::npos &&
         text.substr(0, text.find('?')).find("//") == std::string_view::npos;
}

std::span<const std::string_view> usual_extensions() { return kExtensions; }

std::string extension_of(std::string_view text) {
  if (!is_clean_path(text)) return {};
  const std::string_view path = text.substr(0, text.find_first_of("?#;"));
  const size_t dot = path.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || path[dot - 1] == '/' || path[dot - 1] == '.') return {};
  return to_lower(path.substr(dot + 1));
}

bool has_web_extension(std::string_view text) {
  const std::string extension = extension_of(text);
  return std::binary_search(std::begin(kExtensions), std::end(kExtensions), std::string_view(extension));
}

bool is_anchored_path(std::string_view text) {
  return (text.starts_with('/') || text.starts_with("./") || text.starts_with("../")) && text.size() > 1 &&
         is_clean_path(text);
}

bool is_sure_url(std::string_view text) {
  return is_absolute_url(text) || is_www_host(text) || (text.starts_with('/') && has_web_extension(text));
}

}  // namespace caddis::extract
