// Memento (RFC 7089): the Link header of a capture, TimeGates and TimeMaps. Pure but for asking the index.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"
#include "caddis/cdx/capture_index.h"

namespace caddis::replay {

// Where a collection's addresses begin, with scheme and host as Memento wants them: "http://127.0.0.1:8080/coll/".
struct MementoBase {
  std::string prefix;
  std::string collection;

  std::string timegate(std::string_view url) const { return prefix + "timegate/" + std::string(url); }
  std::string timemap(std::string_view url) const { return prefix + "timemap/link/" + std::string(url); }
  std::string memento(const cdx::Capture& capture) const { return prefix + capture.timestamp + "mp_/" + capture.url; }
};

// The value of Link for a URL: original, timegate, timemap, and where `neighbours` is given the first, previous, next
// and last mementos around `current` (null for a TimeGate that leads to none).
std::string memento_links(const MementoBase& base, std::string_view url, const cdx::Capture* current,
                          const cdx::UrlCaptures::Neighbours* neighbours);

// A TimeMap in application/link-format (RFC 6690): its head, with the times of the first and the last memento (empty:
// there is none), then each memento, then a line end.
std::string timemap_head(const MementoBase& base, std::string_view url, std::string_view first, std::string_view last);
std::string timemap_entry(const MementoBase& base, const cdx::Capture& capture, bool is_first, bool is_last);

// "Fri, 02 Jan 2026 03:04:05 GMT" of a timestamp.
std::string memento_date(std::string_view timestamp);
// The timestamp of an Accept-Datetime; ErrorCode::parse where it is malformed.
Result<std::string> parse_accept_datetime(std::string_view value);

}  // namespace caddis::replay
