// Documents that people and harvesters send to a harvest server.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/harvestserver/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::harvestserver;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)read_domain(text);
  (void)read_definition(text);
  (void)read_schedule(text);
  (void)read_field(text);
  (void)read_template_json(text);
  (void)read_name_changes(text);
  (void)read_event_seeds(text);
  (void)read_harvester(text);
  (void)read_progress(text);
  (void)read_deletion(text);
  (void)read_deleted(text);
  (void)read_script(text);
  // Documents that were read are written as they were.
  if (const auto order = read_order(text)) CADDIS_CHECK(read_order(to_json(*order)).has_value());
  if (const auto end = read_end(text)) CADDIS_CHECK(read_end(end_json(*end)).has_value());
  return 0;
}
