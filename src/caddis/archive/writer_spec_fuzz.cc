// Any text as a writer: one that is taken is taken by its chain, too, and what is told of others does nothing to a
// terminal.
#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/archive/writer_spec.h"
#include "caddis/base/check.h"
#include "caddis/base/visible.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto spec = archive::WriterSpec::parse(text);
  CADDIS_CHECK(archive::writer_chain({std::string(text)}).has_value() == spec.has_value());
  if (spec)
    CADDIS_CHECK(!spec->name.empty() && !spec->folder.contains(".."));
  else
    CADDIS_CHECK(!has_control_character(spec.error().message));
  return 0;
}
