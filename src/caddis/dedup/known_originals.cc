#include "caddis/dedup/known_originals.h"

#include <utility>

#include "caddis/base/log.h"

namespace caddis::dedup {
Result<std::optional<Match>> KnownOriginals::ask(const Source& source, Strategy strategy, const Question& question) {
  if (source.is_broken->load(std::memory_order_relaxed)) return std::nullopt;
  auto match = source.originals->find(strategy, question);
  if (match) return match;
  if (!source.is_broken->exchange(true))
    log_error("dedup", "a digest index is not asked any more, and payloads it knows are stored again: {}",
              match.error().message);
  return std::nullopt;
}

Result<std::optional<Match>> KnownOriginals::find(Strategy strategy, const Question& question) const {
  std::optional<Match> best;
  for (const Source& source : sources_) {
    TRY(auto match, ask(source, strategy, question));
    if (!match || (best && best->likeness <= match->likeness)) continue;
    best = std::move(match);
    if (is_best(strategy, best->likeness)) break;
  }
  return best;
}

}  // namespace caddis::dedup
