#include "caddis/crawl/report_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/progress_line.h"
#include "caddis/crawl/statistics.h"
#include "caddis/frontier/frontier_admin.h"
#include "caddis/frontier/quota.h"
#include "caddis/url/crawl_schemes.h"
#include "caddis/url/domain.h"
#include "caddis/url/public_form.h"
#include "caddis/url/url.h"

namespace caddis::crawl {
namespace {

constexpr size_t kRowsAtOnce = 5000, kHostsAtOnce = 100;
constexpr uint64_t kMostUrls = 1'000'000;  // that wait, gone through for their seeds

void add_to(WaitingByName& names, std::string_view name, uint64_t urls, std::string_view why) {
  auto found = names.find(name);
  if (found == names.end()) {
    if (names.size() >= ReportFacts::kMostNames) return;
    found = names.emplace(std::string(name), Waiting()).first;
  }
  found->second.urls += urls;
  if (!why.empty()) found->second.why = why;
}

std::string host_of(const std::string& origin) {
  const auto url = url::Url::parse(origin + "/");
  return url ? std::string(url::crawl_host(*url)) : origin;
}

std::string_view reason_of(const frontier::QueueReport& queue) {
  using frontier::QueueState;
  if (queue.over != frontier::Quota::none) return frontier::to_string(queue.over);
  if (queue.state == QueueState::retired_by_setting) return kRetiredBySetting;
  if (queue.state == QueueState::blocked || queue.state == QueueState::retired) return "operator";
  return {};
}

// "reached max-documents (15)": the name in it; empty if there is none.
std::string_view limit_in(std::string_view text) {
  for (const std::string_view word : split(text, ' '))
    if (word.starts_with("max-")) return word.substr(0, word.find_first_of(";,:("));
  return {};
}

uint64_t urls_in(const WaitingByName& names) {
  uint64_t sum = 0;
  for (const auto& [name, waiting] : names) sum += waiting.urls;
  return sum;
}

// Whether hosts may share politeness groups: by the settings of the crawl, or by those of a sheet.
bool may_have_groups(const CrawlState& state) {
  const frontier::PolitenessSettings& settings = state.settings.now().politeness;
  return settings.group_assignment != frontier::GroupAssignment::host || !settings.groups.empty() ||
         (state.effective && state.effective->resolver().sheets() != nullptr);
}

}  // namespace

void set_end(ReportFacts& facts, const CrawlEnd& end) {
  facts.is_over = true;
  switch (end.reason) {
    case EndReason::finished:
      facts.status = end_words(end) + end.text.substr(std::min<size_t>(8, end.text.size()));
      break;
    case EndReason::limit:
      facts.status = fmt::format("{}; {}", end_words(end), end.text);
      facts.ended_by = fmt::format("limit:{}", end.limit);
      break;
    case EndReason::stopped:
      facts.status = fmt::format("{}; {}", end_words(end), end.text);
      facts.ended_by = "operator";
      break;
    case EndReason::failed:
      facts.status = "Failed - " + end.text;
      facts.ended_by = "failed";
      break;
  }
}

void set_recorded_end(ReportFacts& facts, std::string status) {
  facts.is_over = true;
  const std::string_view limit = limit_in(status);
  if (!status.starts_with("Finished"))
    facts.ended_by = "failed";
  else if (status.starts_with(end_words({EndReason::stopped, {}})))
    facts.ended_by = "operator";
  else if (!limit.empty())
    facts.ended_by = fmt::format("limit:{}", limit);
  else if (status.starts_with("Finished - "))
    facts.ended_by = "operator";
  facts.status = std::move(status);
}

void judge_names(ReportFacts& facts) {
  facts.knows_hosts = urls_in(facts.hosts) >= facts.frontier.queued;
  facts.knows_domains = urls_in(facts.domains) >= facts.frontier.queued;
  facts.knows_seeds = urls_in(facts.seeds) >= facts.frontier.queued;
}

Result<bool> QueueWalk::step() {
  using frontier::QueueOrder;
  TRY(frontier::QueuePage page, admin_.some_queues(QueueOrder::size, SIZE_MAX, cursor_, kRowsAtOnce));
  for (frontier::QueueReport& queue : page.queues) add(std::move(queue));
  cursor_ = std::move(page.cursor);
  return !cursor_.empty();
}

void QueueWalk::add(frontier::QueueReport queue) {
  auto& states = facts_.states.states;
  auto found = std::ranges::find(states, queue.state, &frontier::QueueStates::Count::state);
  if (found == states.end()) found = states.insert(found, {queue.state, 0, 0});
  ++found->queues;
  found->urls += queue.queued;
  const std::string host = host_of(queue.origin);
  const std::string_view domain = url::registrable_domain(host);
  const std::string_view why = reason_of(queue);
  add_to(facts_.hosts, host, queue.queued, why);
  add_to(facts_.domains, domain.empty() ? std::string_view(host) : domain, queue.queued, why);
  if (facts_.queues.size() < ReportFacts::kMostQueues) {
    facts_.queues.push_back(std::move(queue));
  } else {
    ++facts_.queues_left_out;
    facts_.urls_left_out += queue.queued;
  }
}

Result<bool> GroupWalk::step() {
  if (!may_have_groups(state_)) return false;
  if (!named_) {
    TRY(named_, frontier::PolitenessGroups::create(state_.settings.now().politeness));
  }
  const auto& hosts = state_.statistics.hosts().all();
  auto host = hosts.upper_bound(after_);
  for (size_t asked = 0; asked < kHostsAtOnce && host != hosts.end(); ++asked, ++host) {
    after_ = host->first;
    TRY_VOID(add(host->first));
  }
  return host != hosts.end();
}

// As visits wait for each other: by the operator's groups, a module's, or the `together` of the host.
Result<void> GroupWalk::add(const std::string& host) {
  TRY(const frontier::HostReport report, state_.frontier->admin().explain_host(host));
  if (!report.known) return {};
  std::string group = report.group.name;
  const std::string_view address = report.addresses.empty() ? std::string_view() : report.addresses.front();
  if (group.empty()) group = named_->of(host, address, state_.effective->of_host(host).host->politeness);
  if (!group.empty()) facts_.groups.emplace(host, std::move(group));
  return {};
}

Result<void> gather_from_stopped(CrawlState& state, ReportFacts& facts) {
  frontier::CrawlFrontier& frontier = *state.frontier;
  facts.frontier = frontier.stats();
  QueueWalk walk(frontier.admin(), facts);
  for (bool has_more = true; has_more;) {
    TRY(has_more, walk.step());
  }
  GroupWalk groups(state, facts);
  for (bool has_more = true; has_more;) {
    TRY(has_more, groups.step());
  }
  judge_names(facts);
  if (facts.frontier.queued > kMostUrls) return {};
  frontier::WaitingQuery query;
  query.only_count = true;
  // Queues do not count what waits to come into them.
  for (WaitingByName* const names : {&facts.hosts, &facts.domains})
    for (auto& [name, waiting] : *names) waiting.urls = 0;
  query.match = [&](const frontier::Candidate& candidate) {
    const auto url = url::Url::parse(candidate.url);
    const std::string host = url ? std::string(url::crawl_host(*url)) : candidate.url;
    const std::string_view domain = url::registrable_domain(host);
    add_to(facts.hosts, host, 1, {});
    add_to(facts.domains, domain.empty() ? std::string_view(host) : domain, 1, {});
    add_to(facts.seeds, url::public_form(candidate.seed), 1, {});
    return true;
  };
  do {
    TRY(const frontier::WaitingPage page, frontier.admin().waiting(query));
    query.cursor = page.cursor;
  } while (!query.cursor.empty());
  judge_names(facts);
  return {};
}

}  // namespace caddis::crawl
