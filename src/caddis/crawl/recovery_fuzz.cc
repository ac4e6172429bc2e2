// Recovery logs as files: no damage stops the reader, and lines that are read are written and read again as the same.
#include "caddis/base/check.h"
#include "caddis/base/strings.h"
#include "caddis/crawl/recovery_line.h"
#include "caddis/crawl/recovery_reader.h"
#include "caddis/io/memory_files.h"

namespace {

void check(std::string_view text) {
  using namespace caddis::crawl;
  const auto line = parse_recovery_line(text);
  if (!line || line->event == RecoveryLine::Event::other) return;
  std::string once, twice;
  append_recovery_line(once, *line);
  CADDIS_CHECK(!once.empty());
  const auto again = parse_recovery_line(std::string_view(once).substr(0, once.size() - 1));
  CADDIS_CHECK(again.has_value() && again->event == line->event);
  append_recovery_line(twice, *again);
  CADDIS_CHECK(once == twice);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis;
  io::MemoryFiles files;
  CADDIS_CHECK(files.write_atomically("/log", {reinterpret_cast<const char*>(data), size}).has_value());
  const auto reader = crawl::RecoveryReader::open(files, "/log");
  CADDIS_CHECK(reader.has_value());
  for (;;) {
    const auto text = (*reader)->next();
    CADDIS_CHECK(text.has_value());
    if (text->empty()) return 0;
    for (const std::string_view line : split(*text, '\n')) check(line);
  }
}
