// Access rules of people and of other programs: whatever stands there is read or refused, and what is read can be asked
// and written.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/viewing/foreign_rules.h"
#include "caddis/viewing/rule_file.h"
#include "caddis/viewing/rule_set.h"

namespace {

void ask(caddis::viewing::RuleList list) {
  const auto set = caddis::viewing::RuleSet::make(std::move(list));
  if (!set) return;
  for (const char* url : {"http://example.com/a", "https://www.example.org:8080/b?c=d"})
    (void)(*set)->explain(url, "20200101000000", {"alice", "viewer"}, caddis::WallTime());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::viewing;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (auto list = parse_rules(text, "f")) {
    const auto again = parse_rules(format_rules(*list), "f");
    // Ids that differ in bytes that are no text become one.
    if (again) CADDIS_CHECK(format_rules(*again) == format_rules(*list));
    ask(*std::move(list));
  }
  if (auto lines = import_aclj(text)) {
    (void)export_aclj(lines->list);
    ask(std::move(lines->list));
  }
  const size_t half = text.find("\n\n");
  if (half == std::string_view::npos) return 0;
  if (auto rules = import_outback(text.substr(0, half), text.substr(half))) {
    (void)export_outback(rules->list);
    ask(std::move(rules->list));
  }
  return 0;
}
