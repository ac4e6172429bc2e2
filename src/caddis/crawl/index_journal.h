// The index journal of a launch: a CDXJ line for each capture, in the order of their records (docs/formats/cdx.md).
// When the crawl ends it is sorted into the index.
//
// Its stream is opened on the crawl's loop; lines come from the WARC writers, on the group's worker, where places in
// files are known.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/commit/participant.h"
#include "caddis/url/key_policy.h"

namespace caddis::archive {
struct Records;
}  // namespace caddis::archive
namespace caddis::visit {
struct Capture;
}  // namespace caddis::visit

namespace caddis::crawl {

class IndexJournal final : public commit::CommitParticipant {
 public:
  explicit IndexJournal(std::string path) : path_(std::move(path)) {}

  Result<void> open(store::StreamSet& streams) override;
  // Lines come through `append` alone.
  void stage(commit::CommitGroup& group) override { (void)group; }

  // Where the records of a capture begin.
  struct Place {
    std::string_view file;
    uint64_t start = 0;
  };
  // Appends to `lines` the line of a capture that has these records; nothing if it is not indexed.
  static void add_line(std::string& lines, const visit::Capture& capture, const archive::Records& records,
                       const Place& place, const url::KeyPolicy& policy);
  static Result<void> append(store::StreamSet& streams, std::string_view lines);

 private:
  const std::string path_;
};

}  // namespace caddis::crawl
