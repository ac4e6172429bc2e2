#include "caddis/crawl/frontier_rows.h"

#include "caddis/commit/commit_group.h"
#include "caddis/crawl/statistics.h"
#include "caddis/frontier/frontier.h"

namespace caddis::crawl {

void FrontierRows::stage(commit::CommitGroup& group) {
  const frontier::Stats stats = frontier_.stats();
  statistics_.set_rejected("host-budget", stats.over_host_budget);
  statistics_.set_rejected("domain-hosts", stats.over_domain_hosts);
  statistics_.set_rejected("stale-patterns", stats.over_patterns);
  stage_ = frontier_.stage(group.batch());
}

void FrontierRows::committed(commit::GroupNumber group) {
  (void)group;
  frontier_.committed(stage_);
}

}  // namespace caddis::crawl
