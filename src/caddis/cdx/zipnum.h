// A ZipNum cluster: index lines in gzip members of some thousand lines each, in one or more files, and a short index
// `<name>.idx` that says where each member begins. Read as one source of lines, whatever its size: memory holds a few
// members. docs/formats/zipnum.md has both files, and the locations `<name>.loc`.
//
// Sources may be read by any thread, a cursor by one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/cdx/line_source.h"
#include "caddis/cdx/sorted_file.h"
#include "caddis/io/files.h"
#include "caddis/url/key_policy.h"

namespace caddis::cdx {

// True for names of the short indexes.
bool is_zipnum_name(std::string_view name);

class ZipNumLines : public LineSource {
 public:
  // `path` is that of the .idx. Parts that lie nowhere are told when they are read; `broken` is told of lines that cannot be
  // parsed (null: nobody is).
  static Result<std::shared_ptr<ZipNumLines>> open(io::Files& files, const std::string& path,
                                                   url::KeyPolicy policy = url::KeyPolicy::ia_surt(),
                                                   std::shared_ptr<BrokenLines> broken = nullptr);

  Result<std::unique_ptr<LineCursor>> seek(std::string_view key) override;
  Result<Capture> parse(std::string_view line) const override;
  const url::KeyPolicy& policy() const override { return policy_; }
  // From the numbers of the first and last members' lines, or their count; an estimate.
  uint64_t estimated_lines();

 private:
  class Cursor;
  // One member, unpacked.
  struct Block {
    std::string text;
    std::vector<std::string_view> lines;
  };
  // Where a member lies.
  struct Place {
    std::string part;
    uint64_t offset = 0, length = 0;
  };

  ZipNumLines(io::Files& files, std::unique_ptr<SortedFile> index, url::KeyPolicy policy,
              std::shared_ptr<BrokenLines> broken)
      : files_(files), index_(std::move(index)), policy_(std::move(policy)), broken_(std::move(broken)) {}
  Result<void> read_locations();
  Result<Place> parse_place(std::string_view line) const;
  // In words, that of the member in which a line of the cluster stands.
  std::string place_of(std::string_view line) const;
  // That of the index's line at `offset`.
  Result<std::shared_ptr<const Block>> block(uint64_t offset);
  Result<std::string> read_member(const Place& place);
  Result<std::shared_ptr<io::File>> open_part(const std::string& part);

  io::Files& files_;
  const std::unique_ptr<SortedFile> index_;
  const url::KeyPolicy policy_;
  const std::shared_ptr<BrokenLines> broken_;
  std::map<std::string, std::vector<std::string>, std::less<>> locations_;
  std::mutex mutex_;  // of what follows
  std::map<std::string, std::shared_ptr<io::File>, std::less<>> parts_;
  std::vector<std::pair<uint64_t, std::shared_ptr<const Block>>> blocks_;  // read lately, the latest last
};

struct ZipNumOptions {
  size_t block_lines = 3000;
  uint64_t part_bytes = 10ULL << 30;  // another part is begun then
};
// Writes `<path>` (an .idx), its parts `<name>-00000.cdx.gz` and `<name>.loc` beside it, from a sorted file of lines. The .idx
// appears last, whole. Gives the number of lines. ErrorCode::conflict where it is there.
Result<uint64_t> write_zipnum(io::Files& files, const std::string& sorted, const std::string& path,
                              const ZipNumOptions& options = {});

}  // namespace caddis::cdx
