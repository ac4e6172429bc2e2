// A WARC record's header: its type, its named fields in order, and typed access to the fields that the standard defines
// (ISO 28500:2017, "WARC 1.1", sections 4 and 5). Records of ARC files are presented with the same fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace caddis::warc {

// Section 6. `other` is a type that the standard does not know; readers skip such records.
enum class RecordType {
  warcinfo,
  response,
  resource,
  request,
  metadata,
  revisit,
  conversion,
  continuation,
  other,
};

std::string_view to_string(RecordType type);
RecordType record_type(std::string_view text);

// Ordered fields with case-insensitive names, in one piece of memory that is reused from record to record: views live
// until the header is changed. Names may repeat.
class Header {
 public:
  struct Field {
    std::string_view name;
    std::string_view value;
  };

  // "WARC/1.1", or "ARC/1" for a record of an ARC file.
  std::string_view version() const { return version_; }
  size_t size() const { return spans_.size(); }
  Field operator[](size_t i) const;
  // The value of the first field of that name; empty where there is none.
  std::string_view get(std::string_view name) const;
  std::optional<std::string_view> find(std::string_view name) const;
  std::vector<std::string_view> all(std::string_view name) const;
  bool has(std::string_view name) const { return find(name).has_value(); }

  void set_version(std::string_view version) { version_ = version; }
  void add(std::string_view name, std::string_view value);
  // Folded lines: appends to the value added last.
  void extend_last(std::string_view text);
  void clear();

  RecordType type() const { return record_type(get("WARC-Type")); }
  // Without the angle brackets around it: "urn:uuid:…".
  std::string_view id() const { return bare_uri("WARC-Record-ID"); }
  // Without the brackets that early wget wrote around it, otherwise as it stands.
  std::string_view target_uri() const { return bare_uri("WARC-Target-URI"); }
  Result<WallTime> date() const;
  std::optional<uint64_t> content_length() const;
  std::string_view content_type() const { return get("Content-Type"); }
  std::string_view payload_digest() const { return get("WARC-Payload-Digest"); }
  std::string_view block_digest() const { return get("WARC-Block-Digest"); }
  std::string_view truncated() const { return get("WARC-Truncated"); }
  std::string_view bare_uri(std::string_view name) const;

 private:
  struct Span {
    uint32_t name_at, name_size, value_size;  // the value follows the name
  };
  std::string version_;
  std::string text_;
  std::vector<Span> spans_;
};

// True where the block is an HTTP message: Content-Type is application/http, or a response or request to an http(s) URI
// without Content-Type, or an ARC record of one.
bool is_http(const Header& header);

}  // namespace caddis::warc
