#include "caddis/documents/document.h"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/documents/embedded.h"
#include "caddis/documents/link_collector.h"
#include "caddis/documents/ole_links.h"
#include "caddis/documents/package_links.h"
#include "caddis/documents/pdf_links.h"
#include "caddis/documents/rtf_links.h"
#include "caddis/documents/swf_links.h"

namespace caddis::documents {
namespace {

constexpr std::string_view kTakesTooMuch = "reading it takes more memory than there is for a document";

// The first entry of a zip archive: its local header has 30 bytes before the name.
struct FirstEntry {
  std::string_view name, content;
};

FirstEntry first_entry(std::string_view bytes) {
  constexpr size_t kHeader = 30, kShown = 100;
  if (bytes.size() < kHeader) return {};
  const auto length = [&](size_t at) {
    return static_cast<size_t>(static_cast<uint8_t>(bytes[at])) |
           static_cast<size_t>(static_cast<uint8_t>(bytes[at + 1])) << 8;
  };
  const size_t name = length(26), extra = length(28);
  FirstEntry entry{bytes.substr(kHeader, name), {}};
  if (bytes.size() > kHeader + name + extra) entry.content = bytes.substr(kHeader + name + extra, kShown);
  return entry;
}

bool is_opendocument(std::string_view type) {
  return contains_ignore_case(type, "application/vnd.oasis.opendocument") ||
         contains_ignore_case(type, "application/vnd.sun.xml");
}

bool is_epub(std::string_view type) { return contains_ignore_case(type, "application/epub+zip"); }

bool is_office(std::string_view type) {
  return contains_ignore_case(type, "openxmlformats") ||
         contains_ignore_case(type, "application/vnd.ms-") /* those with macros, and misnamed ones */ ||
         contains_ignore_case(type, "application/msword");
}

// A zip archive that is none of these is not read: its files are not addressed by URLs.
std::optional<Format> format_of_zip(std::string_view content_type, std::string_view bytes) {
  const FirstEntry first = first_entry(bytes);
  if (first.name == "mimetype" && is_opendocument(first.content)) return Format::odf;
  if (first.name == "mimetype" && is_epub(first.content)) return Format::epub;
  for (const std::string_view start :
       {"[Content_Types].xml", "_rels/", "docProps/", "word/", "xl/", "ppt/", "customXml/"})
    if (first.name.starts_with(start)) return Format::ooxml;
  if (is_opendocument(content_type)) return Format::odf;
  if (is_epub(content_type)) return Format::epub;
  if (is_office(content_type)) return Format::ooxml;
  return std::nullopt;
}

// Bytes may stand before the header of a PDF; servers that say so are believed.
bool has_late_header(std::string_view content_type, std::string_view bytes) {
  constexpr size_t kLatest = 1024;
  return contains_ignore_case(content_type, "application/pdf") && bytes.substr(0, kLatest).contains("%PDF-");
}

bool is_flash(std::string_view bytes) {
  constexpr uint8_t kLatestVersion = 60;
  constexpr uint8_t kLargest = 0x20;  // of the highest byte of the length; text has more
  const bool is_named = bytes.starts_with("FWS") || bytes.starts_with("CWS") || bytes.starts_with("ZWS");
  return is_named && bytes.size() > 8 && bytes[3] > 0 && static_cast<uint8_t>(bytes[3]) <= kLatestVersion &&
         static_cast<uint8_t>(bytes[7]) < kLargest;
}

void read(Format format, std::string_view bytes, const Limits& limits, LinkCollector& links) {
  switch (format) {
    case Format::pdf:
      read_pdf(bytes, limits, links);
      break;
    case Format::ooxml:
      read_ooxml(bytes, limits, links);
      break;
    case Format::odf:
      read_odf(bytes, limits, links);
      break;
    case Format::epub:
      read_epub(bytes, limits, links);
      break;
    case Format::ole:
      read_ole(bytes, limits, links);
      break;
    case Format::rtf:
      read_rtf(bytes, links);
      break;
    case Format::swf:
      read_swf(bytes, limits, links);
      break;
  }
}

}  // namespace

std::optional<Format> format_named(std::string_view name) {
  const auto* const found = std::ranges::find(kFormatNames, name);
  if (found == kFormatNames.end()) return std::nullopt;
  return static_cast<Format>(found - kFormatNames.begin());
}

std::optional<Format> format_of(std::string_view content_type, std::string_view bytes) {
  switch (bytes.empty() ? '\0' : bytes[0]) {
    case '%':
      if (bytes.starts_with("%PDF-")) return Format::pdf;
      break;
    case 'P':
      if (bytes.starts_with("PK\x03\x04")) return format_of_zip(content_type, bytes);
      break;
    case '\xD0':
      if (bytes.starts_with("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")) return Format::ole;
      break;
    case '{':
      if (bytes.starts_with("{\\rtf")) return Format::rtf;
      break;
    case 'F':
    case 'C':
    case 'Z':
      if (is_flash(bytes)) return Format::swf;
      break;
    default:
      break;
  }
  if (has_late_header(content_type, bytes)) return Format::pdf;
  return std::nullopt;
}

// A document within another that breaks costs its own links alone.
void read_embedded(std::string_view bytes, const Limits& limits, LinkCollector& links) {
  const auto format = format_of({}, bytes);
  if (!format || !links.enter()) return;
  try {
    read(*format, bytes, limits, links);
  } catch (const std::bad_alloc&) {
    links.set_problem(kTakesTooMuch);
  } catch (const std::exception& error) {
    links.set_problem(error.what());
  }
  links.leave();
}

Found read_document(Format format, std::string_view bytes, const Limits& limits) {
  LinkCollector links(limits);
  try {
    read(format, bytes, limits, links);
    return std::move(links).found();
  } catch (const std::bad_alloc&) {
    Found found;
    found.problem = kTakesTooMuch;
    return found;
  } catch (const std::exception& error) {
    Found found;
    found.problem = error.what();
    return found;
  }
}

}  // namespace caddis::documents
