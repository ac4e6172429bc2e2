// One line of an index: where a capture of a URL lies. A plain value, all fields as text as they stand in the index;
// what the index does not know is empty. Field names are those of CDXJ and of pywb's CDX server (docs/formats/cdxj.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace caddis::cdx {

inline constexpr std::string_view kRevisitMime = "warc/revisit";

struct RecordPlace {
  std::string length, offset;  // of the record in its file, compressed where the file is
  std::string filename;
  // In an index of several collections: which of them holds it, counted from 1. In any other it is 0.
  uint32_t member = 0;
};

struct Capture : RecordPlace {
  std::string urlkey;     // by url::surt
  std::string timestamp;  // 14 digits (17 where an indexer wrote milliseconds)
  std::string url;
  std::string mime;                  // "warc/revisit" for a revisit record
  std::string status;                // HTTP status
  std::string digest;                // of the payload; base32 for SHA-1, labelled for others
  std::string redirect, robotflags;  // only in CDX with 10 and more fields
  // Where the record lies that a revisit stands for; filled by resolving (query.h) or from CDX with 14 fields.
  std::string original_length, original_offset, original_filename;
  // Members that have no place above: name and value as JSON text.
  std::vector<std::pair<std::string, std::string>> extra;

  bool is_revisit() const { return mime == kRevisitMime; }
  std::optional<uint64_t> offset_number() const;
  std::optional<uint64_t> length_number() const;
};

// The field of that name or of one of its aliases (original, mimetype, statuscode, redirecturl); extra members without
// the quotes of a JSON string. Empty where the capture has none.
std::string_view field(const Capture& capture, std::string_view name);
bool is_field_name(std::string_view name);

}  // namespace caddis::cdx
