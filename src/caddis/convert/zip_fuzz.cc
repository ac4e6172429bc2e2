// Any bytes as a zip archive: nothing crashes, no more is unpacked than is allowed, and what is made is a sound archive
// whose URLs stay below the prefix.
#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/convert/convert.h"
#include "caddis/io/memory_files.h"
#include "caddis/warc/check.h"
#include "caddis/warc/finding.h"
#include "caddis/warc/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis;
  io::MemoryFiles files;
  if (!files.write_atomically("x.zip", {reinterpret_cast<const char*>(data), size})) return 0;
  const convert::ConvertOptions options{
      .compression = warc::Compression::none, .seed = 1, .url_prefix = "https://example.org/x/"};
  constexpr uint64_t kMost = 1 << 20;
  const convert::ZipLimits limits{.entry = kMost, .least = kMost, .times = 1};
  if (!convert::convert_zip(files, "x.zip", "x.warc", options, limits)) return 0;
  const std::string bytes = *files.read_all("x.warc");
  const warc::MemorySource source(bytes);
  const auto checked =
      warc::check_file(source, [](const warc::Finding& finding) { CADDIS_CHECK(finding.level != warc::Level::error); });
  CADDIS_CHECK(checked.has_value());
  uint64_t unpacked = 0;
  warc::Reader reader(source);
  while (auto* record = *reader.next()) {
    if (record->type() != warc::RecordType::resource) continue;
    CADDIS_CHECK(record->header().target_uri().starts_with(options.url_prefix));
    unpacked += record->content_length();
  }
  CADDIS_CHECK(unpacked <= kMost + size);
  return 0;
}
