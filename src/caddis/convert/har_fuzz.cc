// Any bytes as a HAR file: nothing crashes, and what is made of it is a sound archive that holds no login.
#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/convert/convert.h"
#include "caddis/io/memory_files.h"
#include "caddis/warc/check.h"
#include "caddis/warc/finding.h"
#include "caddis/warc/payload.h"
#include "caddis/warc/reader.h"

namespace {

using namespace caddis;

void check(const std::string& bytes) {
  const warc::MemorySource source(bytes);
  const auto checked =
      warc::check_file(source, [](const warc::Finding& finding) { CADDIS_CHECK(finding.level != warc::Level::error); });
  CADDIS_CHECK(checked.has_value());
  warc::Reader reader(source);
  while (auto* record = *reader.next()) {
    if (record->type() != warc::RecordType::request) continue;
    const auto payload = warc::read_payload(*record, bytes.size());
    CADDIS_CHECK(payload.has_value());
    const warc::HttpHead head(payload->http_head);
    CADDIS_CHECK(head.get("Authorization").empty() && head.get("Proxy-Authorization").empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  io::MemoryFiles files;
  if (!files.write_atomically("x.har", {reinterpret_cast<const char*>(data), size})) return 0;
  const convert::ConvertOptions options{.compression = warc::Compression::none, .seed = 1, .url_prefix = ""};
  if (!convert::convert_har(files, "x.har", "x.warc", options)) return 0;
  check(*files.read_all("x.warc"));
  return 0;
}
