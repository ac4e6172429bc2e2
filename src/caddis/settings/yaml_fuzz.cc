// Any bytes as a settings file; what is accepted must survive being written and read again.
#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/settings/yaml.h"

namespace caddis::settings {
namespace {
struct Sample {
  int64_t count = 1;
  double factor = 1;
  bool flag = false;
  std::string text = "a";
  std::vector<std::string> list;
  Duration delay{};
  std::optional<Duration> limit;
};
}  // namespace

template <>
const Schema& schema_of<Sample>() {
  static const Schema schema(
      "sample", "For fuzzing.",
      {
          field<&Sample::count>("count", "A number.", {.flags = kSheet, .unit = kBytes, .min = "0"}),
          field<&Sample::factor>("factor", "A fraction.", {.flags = kHostSheet}),
          field<&Sample::flag>("flag", "A truth."),
          field<&Sample::text>("text", "A text."),
          field<&Sample::list>("list", "A list.", {.flags = kSheet, .check = free_text}),
          field<&Sample::delay>("delay", "A time."),
          field<&Sample::limit>("limit", "A time or nothing.", {.flags = kSheet}),
      });
  return schema;
}
}  // namespace caddis::settings

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::settings;
  Sample sample, again;
  Sheets sheets, sheets_again;
  const std::string_view given(reinterpret_cast<const char*>(data), size);
  // A file of people, which may extend itself.
  Composition composition{
      .find = [&](const std::string& named, const std::string&) -> caddis::Result<BaseFile> {
        return BaseFile{named, std::string(given)};
      },
      .resolve = [](const std::string& text, const std::string&) -> caddis::Result<std::string> { return text; },
      .sheets = {}};
  Sample composed;
  (void)load_yaml(given, "fuzz.yaml", {section(composed)}, composition);
  if (!load_yaml(given, "fuzz.yaml", {section(sample)}, &sheets)) return 0;
  const std::string text = to_yaml({section(sample)}) + to_yaml(sheets);
  CADDIS_CHECK(load_yaml(text, "again.yaml", {section(again)}, &sheets_again).has_value());
  CADDIS_CHECK(diff({section(sample)}, {section(again)}).empty());
  CADDIS_CHECK(sheets == sheets_again);
  return 0;
}
