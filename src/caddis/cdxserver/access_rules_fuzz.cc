// Rules and policies of access points, as they are sent.
#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/cdxserver/access_control.h"
#include "caddis/io/memory_files.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  io::MemoryFiles files;
  auto access = *cdxserver::AccessControl::open(files, "a.json");
  const WallTime now{std::chrono::seconds(1'700'000'000)};
  static_cast<void>(access->put_policies(text));
  static_cast<void>(access->put_rules(text, "fuzz", now));
  static_cast<void>(access->decisions("public", text, now));
  static_cast<void>(access->decision("public", text, "20200101000000", now));
  // Rules that were taken are read again.
  const auto again = cdxserver::AccessControl::open(files, "a.json");
  CADDIS_CHECK(again.has_value());
  CADDIS_CHECK((*again)->rules({}) == access->rules({}));
  CADDIS_CHECK((*again)->policies() == access->policies());
  return 0;
}
