// Action files from anywhere: nothing crashes, and no line is longer than it may be. The first byte tells how to read.
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/crawl/action_file.h"
#include "caddis/io/memory_files.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (input.empty()) return 0;
  (void)crawl::parse_action_name(input);
  const int how = input.front();
  io::MemoryFiles files;
  CADDIS_CHECK(files.write_atomically("/x", input.substr(1)).has_value());
  auto reader = crawl::ActionReader::open(files, "/x", how % 2 == 1);
  CADDIS_CHECK(reader.has_value());
  for (auto line = reader->next(); line && *line; line = reader->next()) {
    CADDIS_CHECK((*line)->size() <= crawl::ActionReader::kLongest);
    const auto parsed = crawl::parse_action_line(**line, static_cast<crawl::ActionKind>(how / 2 % 5));
    if (parsed && *parsed) CADDIS_CHECK(!(*parsed)->url.empty());
  }
  return 0;
}
