#include "caddis/base/strings.h"
#include "caddis/extract/extract.h"
#include "caddis/feeds/sitemap.h"

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
  if (extension == "json" || extension == "webmanifest") return DocumentType::json;
  if (extension == "svg") return DocumentType::svg;
  if (extension == "xml" || extension == "rss" || extension == "atom" || extension == "rdf") return DocumentType::xml;
  return DocumentType::other;
}

DocumentType type_of_xml(std::string_view body) {
  if (feeds::looks_like_sitemap(body)) return DocumentType::sitemap;
  if (looks_like_html(body)) return DocumentType::html;
  const std::string_view start = body.substr(0, kSniffed);
  if (start.find("<svg") != std::string_view::npos) return DocumentType::svg;
  return start.find("<html") != std::string_view::npos ? DocumentType::html : DocumentType::xml;
}

DocumentType type_of_unknown(std::string_view body, std::string_view extension) {
  if (const DocumentType type = type_of_extension(extension); type != DocumentType::other) {
    return type == DocumentType::xml ? type_of_xml(body) : type;
  }
  if (without_mark(body).starts_with("<?xml")) return type_of_xml(body);
  if (is_media_extension(extension)) return looks_like_html(body) ? DocumentType::html : DocumentType::other;
  return has_tags(body) ? DocumentType::html : DocumentType::other;
}

}  // namespace

DocumentType document_type(const Document& document) {
  const std::string type = to_lower(trim(document.content_type.substr(0, document.content_type.find(';'))));
  const std::string_view path = path_of(document.url);
  const std::string extension = extension_of(path);
  if (path.ends_with(".xml.gz") && document.body.starts_with("\x1F\x8B")) return DocumentType::sitemap;
  const bool text = type.empty() || type == "text/plain";
  if (path == "/robots.txt" && text) return DocumentType::robots;
  if (type == "text/html" || type.starts_with("application/xhtml") || type == "application/vnd.wap.xhtml+xml") {
    // A server's name for what it does not know: pictures are not searched for tags.
    if (is_media_extension(extension) && !looks_like_html(document.body)) return DocumentType::other;
    return DocumentType::html;
  }
  if (type == "text/css") return DocumentType::css;
  if (type.find("javascript") != std::string::npos || type.find("ecmascript") != std::string::npos) {
    return DocumentType::javascript;
  }
  if (type == "image/svg+xml") return DocumentType::svg;
  if (type.ends_with("/json") || type.ends_with("+json")) return DocumentType::json;
  if (type.ends_with("/xml") || type.ends_with("+xml")) return type_of_xml(document.body);
  if (type == "text/plain") return type_of_extension(extension);
  const bool unknown = type.empty() || type.find('/') == std::string::npos || type == "application/unknown" ||
                       type == "application/octet-stream";
  return unknown ? type_of_unknown(document.body, extension) : DocumentType::other;
}

}  // namespace caddis::extract
