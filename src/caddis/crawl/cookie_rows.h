// The cookies of a crawl, and their rows in its state. A visit says which rows of the jar it has changed; they are
// staged as the jar has them then, in the group of the visit. So the state has the cookies of every visit that is
// committed, and perhaps those of visits that come with the next group: these are made again after a crash, and set
// them again.
//
// Belongs to the crawl's loop, but for the jar, which looks after itself.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/commit/participant.h"
#include "caddis/cookies/cookie_jar.h"
#include "caddis/crawl/visit_listeners.h"
#include "caddis/store/kv.h"

namespace caddis::crawl {

class CookieRows final : public commit::CommitParticipant, public DispositionListener {
 public:
  // Both must outlive the rows.
  CookieRows(store::Kv& kv, const Clock& clock) : kv_(kv), clock_(clock) {}

  cookies::CookieJar& jar() { return jar_; }

  // Reads what the state has into the jar.
  Result<void> open(store::StreamSet& streams) override;
  void on_final(visit::VisitResult& result) override;
  void on_retry(const visit::VisitResult& result) override;
  void stage(commit::CommitGroup& group) override;

  // These rows of the jar have changed, without a visit.
  void note(const cookies::Changes& changes);

 private:
  cookies::CookieJar jar_;
  store::Kv& kv_;
  const Clock& clock_;
  std::set<std::string> changed_;  // keys of rows of the jar
};

}  // namespace caddis::crawl
