// What is known of one host, and of one URL. Nothing changes by asking.

#include <algorithm>

#include "caddis/frontier/chunk.h"
#include "caddis/frontier/frontier.h"
#include "caddis/frontier/walk.h"

namespace caddis::frontier {

HostReport Frontier::report(const Host& host, bool in_memory) const {
  const SteadyTime now = clock_.steady();
  HostReport report;
  report.name = host.name;
  report.known = true;
  report.in_memory = in_memory;
  report.addresses = host.addresses;
  report.knows_address = host.addresses_expire > clock_.wall();
  report.orders = host.orders;
  report.failures = host.trouble.failures;
  report.aside = host.trouble.aside;
  report.given_up = host.trouble.given_up;
  report.wait = std::max(Duration(0), host.next_allowed - now);
  report.last_fetch = host.last_fetch;
  report.finished = host.finished;
  report.usage = host.usage();
  report.sheets = rules(host).sheets;
  report.group = group_of(host);
  report.group_usage = group_usage_.of(report.group);
  for (const auto& queue : host.queues) {
    report.queues.push_back(this->report(*queue, in_memory));
    if (const Visiting* visiting = in_memory ? visiting_of(*queue) : nullptr) {
      report.visiting = visiting->url;
      report.visiting_for = now - visiting->began;
    }
  }
  return report;
}

Result<HostReport> Frontier::explain_host(const std::string& name) {
  if (const Host* host = store_.find(name)) return report(*host, true);
  Host outside;
  outside.name = name;
  HostReport answer;
  answer.name = name;
  if (options_.rules_of) outside.rules = options_.rules_of(name);
  answer.sheets = rules(outside).sheets;
  TRY(const bool known, store_.look(outside));
  for (const auto& queue : outside.queues)
    if (queue->robots) queue->crawl_delay = queue->robots->crawl_delay(rules(outside).user_agent);
  if (known) answer = report(outside, false);
  const std::string letters = host_key(options_.identity.partition(name), name) + '\0';
  TRY_VOID(
      store_.each_row(store_.families().inbox, letters, [&](std::string_view, std::string_view value) -> Result<void> {
        TRY(const Letter letter, read_letter(value));
        TRY(const auto items, decode_chunk(letter.chunk));
        answer.in_inbox += items.size();
        answer.known = true;
        return {};
      }));
  return answer;
}

Result<UrlReport> Frontier::explain_url(const ScheduledUrl& url) {
  UrlReport report;
  TRY(report.seen, seen_.contains(url.fingerprint));
  TRY(report.host, explain_host(url.host));
  for (const auto& [id, visiting] : visiting_) {
    if (visiting.url != url.candidate.url) continue;
    report.visiting = true;
    report.visiting_for = clock_.steady() - visiting.began;
  }
  std::string line;
  uint64_t ahead = 0;
  Walk walk{store_, clock_.wall(), walk_prefix(url.host), [&](const WaitingUrl& waits) {
              std::string here = waits.where + waits.origin + static_cast<char>(waits.line);
              if (here != line) ahead = 0;
              line = std::move(here);
              if (waits.candidate.url == url.candidate.url) {
                report.waits.push_back(waits);
                report.waits.back().ahead = ahead;
              }
              ++ahead;
              return true;
            }};
  TRY_VOID(this->walk(walk));
  return report;
}

const Frontier::Visiting* Frontier::visiting_of(const Queue& queue) const {
  if (queue.visits == 0) return nullptr;
  for (const auto& [id, visiting] : visiting_)
    if (visiting.queue == &queue) return &visiting;
  return nullptr;
}

std::optional<LeaseInfo> Frontier::visit_of(const std::string& url) const {
  for (const auto& [id, visiting] : visiting_)
    if (visiting.url == url)
      return LeaseInfo{id, visiting.kind, visiting.queue->host->partition, clock_.steady() - visiting.began};
  return std::nullopt;
}

}  // namespace caddis::frontier
