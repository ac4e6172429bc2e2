// Rows of a store, as they may be damaged, or come from a server that is followed: whatever can be read comes back the same.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/packed_row.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const size_t end = text.find('\n');
  caddis::cdx::Capture capture;
  if (end != std::string_view::npos) {
    const auto files = caddis::cdx::decode_row(text.substr(0, end), text.substr(end + 1), capture);
    if (files && caddis::cdx::check_row(capture)) {
      std::string key, value;
      caddis::cdx::append_row_key(key, capture, *files);
      caddis::cdx::append_row_value(value, capture, *files);
      caddis::cdx::Capture again;
      CADDIS_CHECK(caddis::cdx::decode_row(key, value, again).has_value());
      CADDIS_CHECK(caddis::cdx::cdxj_line(again) == caddis::cdx::cdxj_line(capture));
    }
  }
  const auto line = caddis::cdx::parse_line(text);
  if (!line || !caddis::cdx::check_row(*line)) return 0;
  std::string key, value;
  const caddis::cdx::RowFiles files{line->filename.empty() ? 0U : 1U, line->original_filename.empty() ? 0U : 2U};
  caddis::cdx::append_row_key(key, *line, files);
  caddis::cdx::append_row_value(value, *line, files);
  const auto decoded = caddis::cdx::decode_row(key, value, capture);
  CADDIS_CHECK(decoded.has_value());
  CADDIS_CHECK(capture.url == line->url && capture.digest == line->digest && capture.offset == line->offset);
  return 0;
}
