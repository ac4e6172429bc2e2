// What a group held, in a row of the crawl's store beside it: the latest groups can be taken back where a disk lied and
// has lost bytes that it had said were safe (docs/architecture.md, "The commit protocol"). The row names the visits
// that ended in the group, so that they are made again, and the fingerprints that stood in its part of the seen-set's
// log.
//
// Grammar: docs/formats/groups.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/frontier/lease.h"
#include "caddis/store/streams.h"

namespace caddis::repair {

// A visit as far as it takes to make it again.
struct UndoEntry {
  frontier::LeaseKind kind = frontier::LeaseKind::url;
  std::string host, origin;       // of prerequisites: whose
  frontier::Candidate candidate;  // of URLs: without context
};

// The visits of a group, in the form of the row; of one as it is on average, 60 bytes and some tenths of a microsecond.
class UndoEntries {
 public:
  void add(const frontier::Lease& lease);
  const std::string& bytes() const { return bytes_; }

 private:
  void put(std::string_view text, std::string& before);

  std::string bytes_;
  std::string first_, second_, seed_;  // of the visit before
};

struct GroupUndo {
  store::StreamEnds before;  // where the group begins
  std::vector<UndoEntry> visits;
  std::string seen;  // rows of the fingerprint log
};

std::string encode_group_undo(const store::StreamEnds& before, const UndoEntries& visits, std::string_view seen);
// ErrorCode::corrupt where the bytes are none.
Result<GroupUndo> decode_group_undo(std::string_view bytes);

// The key in the family `meta`; numbers sort.
std::string group_row(uint64_t number);
// ErrorCode::corrupt where the key is none.
Result<uint64_t> number_of_group_row(std::string_view key);

}  // namespace caddis::repair
