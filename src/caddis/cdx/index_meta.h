// `<index>.meta`, a file beside an index (and beside a crawl's journal) that says by which key policy its lines are
// keyed (docs/formats/cdxj.md). An index without it is keyed by ia-surt, as those of other programs are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/url/key_policy.h"

namespace caddis::cdx {

struct IndexMeta {
  std::optional<url::KeyPolicy> policy;  // none: the keys of the index cannot be used
  std::string problem;                   // why
  // Where the index was made of a journal: how much of each of its files it holds.
  std::vector<uint64_t> journal;
  std::string text;  // as it stands in the file
};
IndexMeta read_index_meta(io::Files& files, const std::string& index_path);

// ErrorCode::conflict where the index is keyed by another policy, with the way out.
Result<void> check_key_policy(io::Files& files, const std::string& index_path, const url::KeyPolicy& wanted);

// `journals`: the files of which the index was made, with their present sizes.
Result<void> write_index_meta(io::Files& files, const std::string& index_path, const url::KeyPolicy& policy,
                              const std::vector<std::string>& journals = {});
// The same with known sizes.
Result<void> write_index_meta(io::Files& files, const std::string& index_path, const url::KeyPolicy& policy,
                              const std::vector<uint64_t>& journal);
// For as long as nobody can say by which policy: the index is about to be replaced by one keyed by `wanted`.
Result<void> write_rewriting_meta(io::Files& files, const std::string& index_path, const url::KeyPolicy& wanted,
                                  const std::vector<uint64_t>& journal);

}  // namespace caddis::cdx
