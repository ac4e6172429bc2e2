#include "caddis/replay/range.h"

#include <algorithm>
#include <string>

#include "caddis/base/strings.h"
#include "caddis/replay/headers.h"

namespace caddis::replay {

RangeKind parse_range(std::string_view value, uint64_t size, ByteRange& range) {
  value = trim(value);
  if (!starts_with_ignore_case(value, "bytes=") || value.find(',') != std::string_view::npos) return RangeKind::none;
  value.remove_prefix(6);
  const size_t dash = value.find('-');
  if (dash == std::string_view::npos) return RangeKind::none;
  const std::string_view begin = trim(value.substr(0, dash));
  const auto first = parse_int(begin);
  if (!first && !begin.empty()) return RangeKind::none;
  const auto last = parse_int(trim(value.substr(dash + 1)));
  if ((first && *first < 0) || (last && *last < 0)) return RangeKind::none;
  if (!first && !last) return RangeKind::none;
  if (!first) {  // the last so many bytes
    const uint64_t length = std::min<uint64_t>(static_cast<uint64_t>(*last), size);
    if (length == 0) return RangeKind::unsatisfiable;
    range = {size - length, size - 1};
    return RangeKind::satisfiable;
  }
  if (last && *last < *first) return RangeKind::none;
  if (static_cast<uint64_t>(*first) >= size) return RangeKind::unsatisfiable;
  range = {static_cast<uint64_t>(*first), last ? std::min<uint64_t>(static_cast<uint64_t>(*last), size - 1) : size - 1};
  return RangeKind::satisfiable;
}

RangeKind answer_range(const http::ServerRequest& request, uint64_t size, http::ServerResponse& response,
                       ByteRange& range) {
  if (response.status != 200) return RangeKind::none;
  set_header(response.headers, "Accept-Ranges", "bytes");
  if (request.method != "GET") return RangeKind::none;  // RFC 9110, section 14.2
  const RangeKind kind = parse_range(request.header("range"), size, range);
  if (kind == RangeKind::unsatisfiable) {
    response.status = 416;
    set_header(response.headers, "Content-Range", "bytes */" + std::to_string(size));
  } else if (kind == RangeKind::satisfiable) {
    response.status = 206;
    set_header(response.headers, "Content-Range",
               "bytes " + std::to_string(range.first) + '-' + std::to_string(range.last) + '/' + std::to_string(size));
  }
  return kind;
}

}  // namespace caddis::replay
