// The seeds of a crawl, in its state: "seed:<url>" → who named it. All that is known of them between two groups is what
// is not on disk yet; everything else is asked of the store.
//
// Belongs to the crawl's loop.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/commit/participant.h"
#include "caddis/store/kv.h"
#include "caddis/url/url.h"

namespace caddis::crawl {

// The values: by whom a seed was named.
inline constexpr std::string_view kGivenSeed = "given";        // the settings
inline constexpr std::string_view kListedSeed = "list";        // a list of seeds
inline constexpr std::string_view kOperatorSeed = "operator";  // an operator, while it ran
inline constexpr std::string_view kFoundSeed = "redirect";     // nobody: another seed redirects to it
inline constexpr std::string_view kRemovedSeed = "removed";    // an operator has ended it: it is none any more

class SeedRows final : public commit::CommitParticipant {
 public:
  // The store must outlive the rows.
  explicit SeedRows(store::Kv& kv) : kv_(kv) {}

  // By whom it was named, or that it was removed; nothing if it never was a seed.
  Result<std::optional<std::string>> origin(std::string_view url) const;
  void put(std::string_view url, std::string_view origin);
  using Rows = std::map<std::string, std::string, std::less<>>;
  // The rows that the store does not have yet, or not so.
  Rows uncommitted() const;

  void stage(commit::CommitGroup& group) override;
  void committed(commit::GroupNumber group) override;

 private:
  store::Kv& kv_;
  Rows gathered_;
  std::deque<std::pair<commit::GroupNumber, Rows>> staged_;
};

// All seeds that the store has, one after the other, those that were removed among them.
using SeedCall = std::function<void(const url::Url& seed, std::string_view origin)>;
Result<void> each_seed(store::Kv& kv, const SeedCall& call);
// Takes those out of seeds of the settings that an operator has ended.
Result<void> leave_out_removed(store::Kv& kv, std::vector<url::Url>& seeds);
// At most `most` of them from the URL `from` on ("": the first). Returns the URL to go on from; nothing at the end.
Result<std::optional<std::string>> some_seeds(store::Kv& kv, std::string_view from, size_t most, const SeedCall& call);

}  // namespace caddis::crawl
