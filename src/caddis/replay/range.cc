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
  const auto first = parse_int(trim(value.substr(0, dash)));
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

void apply_range(const http::ServerRequest& request, http::ServerResponse& response) {
  if (response.status != 200) return;
  set_header(response.headers, "Accept-Ranges", "bytes");
  const std::string size = std::to_string(response.body.size());
  ByteRange range;
  switch (parse_range(request.header("range"), response.body.size(), range)) {
    case RangeKind::none:
      return;
    case RangeKind::unsatisfiable:
      response.status = 416;
      set_header(response.headers, "Content-Range", "bytes */" + size);
      response.body.clear();
      return;
    case RangeKind::satisfiable:
      break;
  }
  response.status = 206;
  set_header(response.headers, "Content-Range",
             "bytes " + std::to_string(range.first) + '-' + std::to_string(range.last) + '/' + size);
  response.body = response.body.substr(range.first, range.last - range.first + 1);
}

}  // namespace caddis::replay
