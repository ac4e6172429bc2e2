// Binary documents and the links in them: PDF, Office files, e-books, Flash.
//
//   if (const auto format = format_of(content_type, bytes))
//     const Found found = read_document(*format, bytes, Limits());
//
// Pure functions, any thread. What somebody hostile has written may be large, nested or broken: every reader is bounded
// by `Limits`, and says in `Found::problem` why it has not read all. A reader may still need much time and memory, or
// die of a fault of a library: a crawl asks a process of its own (reader.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caddis::documents {

enum class Format : uint8_t {
  pdf,    // ISO 32000
  ooxml,  // ECMA-376: DOCX, XLSX, PPTX
  odf,    // ISO/IEC 26300: ODT, ODS, ODP
  epub,   // EPUB 2 and 3
  ole,    // DOC, XLS and PPT of Office 97 to 2003 ([MS-CFB])
  rtf,    // Rich Text Format
  swf,    // Flash
};
inline constexpr size_t kFormats = 7;
inline constexpr std::array<std::string_view, kFormats> kFormatNames = {"pdf", "ooxml", "odf", "epub",
                                                                        "ole", "rtf",   "swf"};

inline std::string_view to_string(Format format) { return kFormatNames[static_cast<size_t>(format)]; }
std::optional<Format> format_named(std::string_view name);

// The format of a document, by its first bytes; of zip archives by the media type, too. Nothing for other documents, at
// the cost of looking at one byte.
std::optional<Format> format_of(std::string_view content_type, std::string_view bytes);

// The hops are Heritrix's, as in extract/extract.h.
enum class LinkKind : char {
  navigation = 'L',   // somebody may click on it
  embed = 'E',        // it is shown as a part of the document, or Flash asks for it
  speculative = 'X',  // a text that is surely a URL
};

struct FoundLink {
  std::string url;  // as written, in UTF-8; perhaps relative, perhaps no URL at all
  LinkKind kind = LinkKind::navigation;

  bool operator==(const FoundLink&) const = default;
};

struct Limits {
  size_t links = 6000;  // further ones are dropped and counted
  size_t url_length = 4096;
  uint64_t unpacked = 200u << 20;  // bytes of all its parts together
  size_t entries = 20'000;         // of a zip archive or a compound file
};

struct Found {
  std::vector<FoundLink> links;  // each once, in the order of the document as far as its format has one
  std::string base;              // against which the document says that relative ones resolve; empty if it does not
  uint64_t dropped = 0;          // links beyond the limits
  uint64_t attachments = 0;      // files within the document
  std::string problem;           // why the document was not read as a whole; empty if it was
};

Found read_document(Format format, std::string_view bytes, const Limits& limits);

}  // namespace caddis::documents
