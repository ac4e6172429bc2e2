// Rows of groups from anywhere: nothing crashes, and what was read comes back when it is written and read again.
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/repair/group_undo.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace repair = caddis::repair;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto record = repair::decode_group_undo(input);
  if (!record) return 0;
  repair::UndoEntries visits;
  for (const repair::UndoEntry& visit : record->visits) {
    caddis::frontier::Lease lease;
    lease.kind = visit.kind;
    lease.host = visit.host;
    lease.origin = visit.origin;
    lease.candidate = visit.candidate;
    visits.add(lease);
  }
  const auto again = repair::decode_group_undo(repair::encode_group_undo(record->before, visits, record->seen));
  CADDIS_CHECK(again.has_value());
  CADDIS_CHECK(again->before == record->before && again->seen == record->seen);
  CADDIS_CHECK(again->visits.size() == record->visits.size());
  return 0;
}
