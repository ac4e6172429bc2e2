#include "caddis/crawl/keys_row.h"

#include <fmt/format.h>

#include "caddis/cdx/index_meta.h"
#include "caddis/crawl/store_layout.h"

namespace caddis::crawl {

std::string keys_row(const config::KeyPolicies& keys) {
  return fmt::format("{} {}", keys.crawl.hash(), keys.index.hash());
}

Result<void> check_keys_row(store::Kv& kv, const config::CanonicalizationSettings& settings) {
  TRY(const config::KeyPolicies keys, config::key_policies(settings));
  TRY(const auto row, kv.get(kMeta, kKeysRow));
  if (!row || *row == keys_row(keys)) return {};
  return fail(ErrorCode::unsupported,
              fmt::format("this Caddis makes other keys by '{}' and '{}' (hashes {}) than the one that began the crawl "
                          "({}): finish it with that version, or begin a new crawl into the same collection",
                          keys.crawl.notation(), keys.index.notation(), keys_row(keys), *row));
}

Result<void> note_journal_policy(io::Files& files, const std::string& journal, const url::KeyPolicy& policy) {
  const cdx::IndexMeta noted = cdx::read_index_meta(files, journal);
  if (noted.policy == policy) return {};
  return cdx::write_index_meta(files, journal, policy, std::vector<uint64_t>());
}

}  // namespace caddis::crawl
