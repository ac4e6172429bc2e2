// The frontier for those who look and operate: reports, lists and explanations, which change nothing; and an operator's
// edits, which leave through the frontier's `stage` like everything else.
//
// Belongs to the frontier's thread. Walks and edits over all hosts go in parts: each reads a bounded number of rows,
// and says with a cursor where to go on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/frontier/inspection.h"
#include "caddis/frontier/lease.h"
#include "caddis/frontier/queue_reporter.h"
#include "caddis/frontier/scheduled_url.h"

namespace caddis::frontier {

struct FrontierParts;

class FrontierAdmin {
 public:
  explicit FrontierAdmin(FrontierParts& parts) : parts_(parts), reporter_(parts) {}

  // --- looking (frontier_admin.cc)
  // The states of the resident queues. Sees every host: some milliseconds if there are a hundred thousand.
  QueueSurvey survey(size_t limit) const { return reporter_.survey(limit); }
  // The first resident queues by `order`.
  std::vector<QueueReport> queues(QueueOrder order, size_t limit) const { return reporter_.top(order, limit); }
  // The first of all: for states that nobody works on, for it reads every row.
  Result<std::vector<QueueReport>> all_queues(QueueOrder order, size_t limit);
  // A part of all: the resident ones and the first of the others, then with its cursor the next ones, at most `rows`.
  Result<QueuePage> some_queues(QueueOrder order, size_t limit, const std::string& cursor, size_t rows = 5000);
  Result<HostReport> explain_host(const std::string& name);
  // `url` as it would be scheduled.
  Result<UrlReport> explain_url(const ScheduledUrl& url);
  // A part of the URLs that wait, from a cursor on. ErrorCode::not_found if the cursor no longer holds, unless the
  // nearest place is asked for.
  Result<WaitingPage> waiting(const WaitingQuery& query);
  // The lease under which a URL is being visited.
  std::optional<LeaseInfo> lease_of(const std::string& url) const;
  Result<HostOverrides> overrides(const std::string& host);
  // URLs of a seed that is watched that wait or are being visited.
  uint64_t outstanding(const std::string& seed) const;
  // News for the operator since the last call: patterns of URLs that say nothing new.
  std::vector<std::string> take_notices();

  // --- hosts and URLs (frontier_admin_edit.cc)
  Result<void> set_overrides(const std::string& host, const HostOverrides& overrides);
  // From now on, or no more, the outstanding URLs of a seed are counted: exact if it is watched before its first URL.
  void watch_origin(const std::string& seed);
  void forget_origin(const std::string& seed);
  // Lets the URLs of one origin wait, or takes it up again. ErrorCode::not_found if it has no queue.
  Result<void> retire_queue(const std::string& host, const std::string& origin, bool retired);
  // Deletes URLs that match; they stay seen. As long as the cursor returned is not empty, there is more.
  // A URL that is being visited is left alone.
  Result<Erased> erase(const WaitingQuery& query);
  // The same in parts that are bounded in time, whatever the size of a host: it goes from row to row, from `query.cursor`
  // on or the nearest place, until `is_enough` says so or some thousands are deleted. Chunks of a queue may change their order.
  Result<Swept> sweep(const WaitingQuery& query, std::function<bool()> is_enough);
  // Lets that host try again at once, or all of them: back-offs, Retry-After and pauses for `host-bandwidth` end, the
  // politeness delay does not.
  Result<Woken> wake(const std::string& host, const std::string& cursor = "");
  // Forgets: what was learned of the host's addresses, or of the origin's robots.txt, is asked for again before the
  // next visit.
  Result<void> forget(LeaseKind kind, const std::string& host, const std::string& origin);
  // A host whose addresses were refused is looked up anew, as if it never had been.
  Result<void> look_up_again(const std::string& host);
  // More addresses may be connected to than before: resident hosts that were refused are tried anew. Others are when
  // they are loaded.
  void recheck_refused();

  // --- settings (frontier_admin_edit.cc)
  // The rules of the crawl and of its sheets (`quotas` of these as YAML). Delays count from the next visit on; what
  // waits keeps its order. Queues are taken up again whose quota was raised, and the other way round.
  void set_rules(HostRules of_crawl, const RulesSummary& of_sheets, std::string quotas);
  // From now on every URL that waits or is found, but in retired queues, is leased as abandoned: the crawl runs dry.
  void abandon_all(int status, std::string why);

 private:
  Result<uint64_t> erase_of(Host& host, const WaitingQuery& query);
  Result<Woken> wake_one(const std::string& host);
  Result<bool> wake_up(Host& host);
  Result<bool> sleeps(const std::string& name);
  Result<void> retire(Host& host, const std::string& origin, bool retired);
  // The resident hosts that are not about to leave.
  std::vector<Host*> staying() const;

  FrontierParts& parts_;
  QueueReporter reporter_;
};

}  // namespace caddis::frontier
