#include "caddis/crawl/digest_rows.h"

#include "caddis/cdx/line.h"
#include "caddis/commit/commit_group.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/dedup/original_row.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {
namespace {

dedup::Likeness likeness_of(const dedup::Original& original, const dedup::Question& question) {
  if (original.url == question.url) return dedup::Likeness::url;
  return cdx::index_key(original.url) == question.url_key ? dedup::Likeness::canonical : dedup::Likeness::digest;
}

}  // namespace

void DigestRows::on_final(visit::VisitResult& result) {
  for (visit::Capture& capture : result.captures)
    if (capture.original) gathered_.push_back(*std::move(capture.original));
}

void DigestRows::stage(commit::CommitGroup& group) {
  for (const auto& [key, value] : gathered_) group.batch().put(kDigests, key, value);
  gathered_.clear();
}

// Strategies by URL have rows of their own; the row of the digest alone may be of the same URL, too.
Result<std::optional<dedup::Match>> DigestRows::find(dedup::Strategy strategy, const dedup::Question& question) const {
  for (const dedup::Strategy kind : {strategy, dedup::Strategy::any}) {
    const auto key = dedup::row_key(kind, question);
    if (!key) return std::nullopt;
    TRY(const auto value, kv_.get(kDigests, *key));
    if (!value) {
      if (strategy != dedup::Strategy::url && strategy != dedup::Strategy::canonical) break;
      continue;
    }
    TRY(dedup::Original original, dedup::read_row(*value));
    const dedup::Likeness likeness = likeness_of(original, question);
    if (serves(strategy, likeness)) return dedup::Match{std::move(original), likeness};
  }
  return std::nullopt;
}

}  // namespace caddis::crawl
