#include "caddis/crawl/cookie_rows.h"

#include <utility>

#include "caddis/commit/commit_group.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {

Result<void> CookieRows::open(store::StreamSet& /*streams*/) {
  const WallTime now = clock_.wall();
  cookies::Changes expired;
  const auto rows = kv_.cursor(kMeta);
  for (rows->seek(kCookieRow); rows->valid() && rows->key().starts_with(kCookieRow); rows->next())
    TRY_VOID(jar_.load_row(rows->key().substr(kCookieRow.size()), rows->value(), now, expired));
  note(expired);
  return rows->status();
}

void CookieRows::note(const cookies::Changes& changes) { changed_.insert(changes.begin(), changes.end()); }

void CookieRows::on_final(visit::VisitResult& result) { note(result.cookies); }

void CookieRows::on_retry(const visit::VisitResult& result) { note(result.cookies); }

void CookieRows::stage(commit::CommitGroup& group) {
  for (const std::string& changed : std::exchange(changed_, {})) {
    const std::string key = std::string(kCookieRow) + changed;
    const std::string row = jar_.row(changed);
    if (row.empty())
      group.batch().erase(kMeta, key);
    else
      group.batch().put(kMeta, key, row);
  }
}

}  // namespace caddis::crawl
