#include "caddis/replay/partial.h"

#include <algorithm>
#include <string>

#include "caddis/base/strings.h"
#include "caddis/replay/body_response.h"
#include "caddis/replay/headers.h"
#include "caddis/replay/range.h"

namespace caddis::replay {
namespace {

std::optional<uint64_t> number_of(std::string_view digits) {
  const auto number = parse_int(trim(digits));
  if (!number || *number < 0) return std::nullopt;
  return static_cast<uint64_t>(*number);
}

}  // namespace

std::optional<CapturedPart> parse_content_range(std::string_view value) {
  value = trim(value);
  if (!starts_with_ignore_case(value, "bytes ")) return std::nullopt;
  value.remove_prefix(6);
  const size_t dash = value.find('-'), slash = value.find('/');
  if (dash == std::string_view::npos || slash == std::string_view::npos || dash > slash) return std::nullopt;
  const auto first = number_of(value.substr(0, dash)), last = number_of(value.substr(dash + 1, slash - dash - 1)),
             total = number_of(value.substr(slash + 1));
  if (!first || !last || !total || *first > *last || *last >= *total) return std::nullopt;
  return CapturedPart{*first, *last, *total};
}

std::optional<CapturedPart> captured_part(const Stored& stored) {
  if (stored.status() != 206 || !stored.head) return std::nullopt;
  return parse_content_range(stored.head->find("content-range").value_or(std::string_view()));
}

bool has_wanted_part(const http::ServerRequest& request, const Stored& stored) {
  const auto part = captured_part(stored);
  if (!part) return true;
  ByteRange range;
  const RangeKind kind = parse_range(request.header("range"), part->total, range);
  const uint64_t wanted = kind == RangeKind::satisfiable ? range.first : 0;
  return part->first <= wanted && wanted <= part->last;
}

Result<bool> put_part(const http::ServerRequest& request, Stored& stored, http::ServerResponse& response) {
  const auto part = captured_part(stored);
  const auto size = part ? stored.body->size() : std::nullopt;
  if (!part || !size || *size != part->last - part->first + 1) return false;
  ByteRange range;
  if (parse_range(request.header("range"), part->total, range) != RangeKind::satisfiable) return false;
  if (range.first < part->first || range.first > part->last) return false;
  const uint64_t last = std::min(range.last, part->last);
  response.status = 206;
  set_header(response.headers, "Accept-Ranges", "bytes");
  set_header(response.headers, "Content-Range",
             "bytes " + std::to_string(range.first) + '-' + std::to_string(last) + '/' + std::to_string(part->total));
  TRY_VOID(put_body(request, body_range(std::move(stored.body), range.first - part->first, last - part->first),
                    last - range.first + 1, response));
  return true;
}

}  // namespace caddis::replay
