#include "caddis/crawl/site_tallies.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "caddis/base/fetch_status.h"
#include "caddis/base/strings.h"
#include "caddis/commit/commit_group.h"
#include "caddis/commit/staged_write.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/fetch/decoded_body.h"
#include "caddis/url/domain.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {
namespace {

// Rows that could not be read when their tallies were staged: without them their group is not written, but tried again.
class LateRows final : public commit::StagedWrite {
 public:
  LateRows(store::Kv& kv, std::vector<LateRow> rows) : kv_(kv), rows_(std::move(rows)) {}

  Result<void> append(commit::GroupOutput&) override {
    whole_.clear();
    for (const LateRow& row : rows_) {
      TRY(const auto before, kv_.get(kStatistics, row.key));
      whole_.push_back(row.completed(before));
    }
    return {};
  }
  void seal(commit::GroupOutput&, commit::CommitGroup& group) override {
    for (size_t i = 0; i < rows_.size(); ++i) group.batch().put(kStatistics, rows_[i].key, whole_[i]);
  }

 private:
  store::Kv& kv_;
  const std::vector<LateRow> rows_;
  std::vector<std::string> whole_;
};

}  // namespace

std::string to_row(const Finding& finding) { return fmt::format("{} {}", finding.times, finding.amount); }

void read_row(std::string_view row, Finding& finding) {
  const size_t blank = std::min(row.find(' '), row.size());
  const auto number = [](std::string_view text) { return static_cast<uint64_t>(parse_int(text).value_or(0)); };
  finding = {number(row.substr(0, blank)), number(row.substr(std::min(blank + 1, row.size())))};
}

void SiteTallies::on_final(visit::VisitResult& result) {
  for (const visit::LoggedVisit& visited : result.visited) count(visited.entry, visited.host);
}

void SiteTallies::on_deleted(const visit::LoggedVisit& record) { count(record.entry, record.host); }

void SiteTallies::count(const visit::LogEntry& entry, std::string_view host) {
  count_findings(entry, host);
  std::string_view domain = url::registrable_domain(host);
  if (domain.empty()) domain = host;
  // DNS is asked about the host, and answers where the host never does.
  if (entry.status == status::kDnsOk) domain = host = kLookups;
  hosts_.of(host).count(entry);
  domains_.of(domain).count(entry);
  sources_.of(fmt::format("{} {}", entry.seed.empty() ? "-" : entry.seed, host)).count(entry);
}

void SiteTallies::count_findings(const visit::LogEntry& entry, std::string_view host) {
  const auto of = [&](std::string_view kind, std::string_view name) -> Finding& {
    return findings_.of(fmt::format("{} {}", kind, name));
  };
  const visit::VisitFacts& facts = entry.facts;
  if (facts.body.flaw == fetch::BodyFlaw::read_in_part) of(kReadInPart, host).add({1, entry.size});
  if (!facts.refused_address.empty()) of(kRefused, fmt::format("{} {}", facts.refused_address, host)).add({1, 0});
  if (!facts.body.document_problem.empty()) of(kDocumentsFailed, host).add({1, entry.size});
  if (!facts.page.wall.empty()) of(kWall, fmt::format("{} {}", facts.page.wall, host)).add({1, entry.size});
  const std::string& login = facts.peer.login.way;
  if (login.contains('-')) of(kLogin, fmt::format("{} {}", login, host)).add({1, 0});
  if (facts.body.dropped_links > 0) of(kLinksDropped, host).add({1, facts.body.dropped_links});
}

void SiteTallies::stage(commit::CommitGroup& group) {
  std::vector<LateRow> late;
  stage(group.batch(), group.number(), &late);
  if (!late.empty()) group.add(std::make_unique<LateRows>(kv_, std::move(late)));
}

void SiteTallies::stage(store::Batch& batch, commit::GroupNumber group, std::vector<LateRow>* late) {
  hosts_.stage(batch, kStatistics, &kv_, group, late);
  domains_.stage(batch, kStatistics, &kv_, group, late);
  sources_.stage(batch, kStatistics, &kv_, group, late);
  findings_.stage(batch, kStatistics, &kv_, group, late);
}

void SiteTallies::committed(commit::GroupNumber group) {
  hosts_.committed(group);
  domains_.committed(group);
  sources_.committed(group);
  findings_.committed(group);
}

}  // namespace caddis::crawl
