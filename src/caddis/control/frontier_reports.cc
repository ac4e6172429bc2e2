#include "caddis/control/frontier_reports.h"

#include "caddis/url/public_form.h"

namespace caddis::control {
namespace {

std::string_view name_of(frontier::Precedence precedence) {
  static constexpr std::string_view kNames[] = {"first", "embed", "normal"};
  return kNames[static_cast<size_t>(precedence)];
}

std::optional<std::vector<std::string>> if_any(const std::vector<std::string>& names) {
  return names.empty() ? std::nullopt : std::optional(names);
}

api::Usage to_api(const frontier::Usage& usage) {
  return {.successes = usage.successes,
          .responses = usage.responses,
          .bytes = usage.bytes,
          .novel_bytes = usage.novel_bytes,
          .cost = usage.cost};
}

api::Queue to_api(const frontier::QueueReport& queue) {
  api::Queue out;
  out.origin = queue.origin;
  out.queued = queue.queued;
  out.state = frontier::to_string(queue.state);
  out.wait_seconds = seconds(queue.wait);
  out.visiting_seconds = seconds(queue.visiting_for);
  out.failures = queue.failures;
  out.last_fetch_seconds = seconds(queue.last_fetch);
  out.finished = queue.finished;
  out.retries = queue.retries;
  out.again = queue.again;
  out.knows_robots = queue.knows_robots;
  out.usage = to_api(queue.usage);
  out.over_quota = frontier::to_string(queue.over);
  out.retired = queue.retired;
  out.given_up = queue.given_up;
  if (queue.crawl_delay) out.crawl_delay_seconds = seconds(*queue.crawl_delay);
  return out;
}

enum class Place { shown, left_out };

api::WaitingUrl to_api(const frontier::WaitingUrl& waiting, Place place) {
  api::WaitingUrl out;
  out.url = url::public_form(waiting.candidate.url);
  out.via = url::public_form(waiting.candidate.via);
  out.hops = waiting.candidate.hops;
  out.seed = waiting.candidate.seed;
  out.queue = waiting.origin;
  out.where = waiting.where;
  out.precedence = name_of(frontier::precedence_of(waiting.priority));
  out.attempt = waiting.attempt;
  if (waiting.where == "retry") out.wait_seconds = seconds(waiting.wait);
  if (place == Place::shown && waiting.where == "queue") out.ahead = waiting.ahead;
  return out;
}

}  // namespace

double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

std::vector<api::Queue> to_api(const std::vector<frontier::QueueReport>& queues) {
  std::vector<api::Queue> out;
  out.reserve(queues.size());
  for (const frontier::QueueReport& queue : queues) out.push_back(to_api(queue));
  return out;
}

api::QueuePage to_api(const frontier::QueuePage& page) {
  return {.queues = to_api(page.queues), .marker = page.cursor};
}

std::vector<api::QueueStateCount> to_api(const frontier::QueueStates& waits) {
  std::vector<api::QueueStateCount> out;
  for (const auto& state : waits.states)
    out.push_back({.state = std::string(frontier::to_string(state.state)), .queues = state.queues, .urls = state.urls});
  return out;
}

api::Host to_api(const frontier::HostReport& host) {
  api::Host out;
  out.host = host.name;
  out.known = host.known;
  out.in_memory = host.in_memory;
  out.addresses = host.addresses;
  out.knows_address = host.knows_address;
  out.blocked = host.overrides.blocked;
  out.retired = host.overrides.retired;
  if (host.overrides.delay) out.delay_seconds = seconds(*host.overrides.delay);
  out.sheets = if_any(host.sheets);
  if (!host.group.name.empty()) {
    out.group = host.group.name;
    out.group_usage = to_api(host.group.usage);
  }
  if (!host.domain.name.empty()) out.domain = {host.domain.name, to_api(host.domain.usage)};
  out.budget = host.overrides.budget;
  out.dns_failures = host.failures;
  out.aside = host.aside;
  out.given_up = host.given_up;
  out.wait_seconds = seconds(host.wait);
  out.last_fetch_seconds = seconds(host.last_fetch);
  out.finished = host.finished;
  out.usage = to_api(host.usage);
  out.in_inbox = host.in_inbox;
  out.visiting = url::public_form(host.visiting);
  out.visiting_seconds = seconds(host.visiting_for);
  out.queues = to_api(host.queues);
  return out;
}

api::WaitingPage to_api(const frontier::WaitingPage& page) {
  api::WaitingPage out;
  for (const frontier::WaitingUrl& one : page.urls) out.urls.push_back(to_api(one, Place::left_out));
  out.marker = page.cursor;
  if (page.moved) out.moved = true;
  return out;
}

api::UrlReport to_api(std::string_view url, const frontier::UrlReport& report, std::vector<std::string> sheets) {
  api::UrlReport out;
  out.url = url::public_form(url);
  out.seen = report.seen;
  out.visiting = report.visiting;
  out.visiting_seconds = seconds(report.visiting_for);
  for (const frontier::WaitingUrl& one : report.waits) out.waits.push_back(to_api(one, Place::shown));
  out.sheets = if_any(sheets);
  out.host = to_api(report.host);
  return out;
}

}  // namespace caddis::control
