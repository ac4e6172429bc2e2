// Any bytes: as an ARC header line, and as a WARC header block.
#include <cstdint>

#include "caddis/base/check.h"
#include "caddis/warc/header_parser.h"
#include "caddis/warc/record_scan.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::warc;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Header header;
  std::vector<HeaderFlaw> flaws;
  if (const auto line = parse_arc_line(bytes.substr(0, bytes.find('\n')))) {
    arc_header(*line, header, flaws);
    CADDIS_CHECK(!header.target_uri().empty());
  }
  if (const auto end = find_header_end(bytes)) {
    CADDIS_CHECK(*end <= bytes.size());
    parse_warc_header(bytes.substr(0, *end), header, flaws);
  }
  if (const auto at = find_record(bytes, 0, Dialect::unknown)) CADDIS_CHECK(*at < bytes.size());
  return 0;
}
