// Any bytes as the answer of a program of others.
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/extract/program_links.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::extract;
  constexpr size_t kMost = 10;
  const std::string_view answer(reinterpret_cast<const char*>(data), size);
  const auto all = parse_program_answer(answer, Renditions::all, kMost);
  const auto best = parse_program_answer(answer, Renditions::best, kMost);
  CADDIS_CHECK(all.has_value() == best.has_value());
  CADDIS_CHECK(!all || all->links.size() <= kMost);
  return 0;
}
