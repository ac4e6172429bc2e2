#include "caddis/control/frontier_json.h"

#include "caddis/base/json_text.h"
#include "caddis/url/public_form.h"

namespace caddis::control {
namespace {

double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

std::string usage_json(const frontier::Usage& usage) {
  return JsonObject()
      .add("successes", usage.successes)
      .add("responses", usage.responses)
      .add("bytes", usage.bytes)
      .add("novel_bytes", usage.novel_bytes)
      .add("cost", usage.cost)
      .finish();
}

std::string queue_json(const frontier::QueueReport& queue) {
  JsonObject out;
  out.add("queue", queue.origin)
      .add("queued", queue.queued)
      .add("state", frontier::to_string(queue.state))
      .add("wait_seconds", seconds(queue.wait))
      .add("visiting_seconds", seconds(queue.visiting_for))
      .add("failures", queue.failures)
      .add("last_fetch_seconds", seconds(queue.last_fetch))
      .add("finished", queue.finished)
      .add("retries", queue.retries)
      .add("again", queue.again)
      .add("knows_robots", queue.knows_robots)
      .add_raw("usage", usage_json(queue.usage))
      .add("over_quota", frontier::to_string(queue.over))
      .add("retired", queue.retired)
      .add("given_up", queue.given_up);
  if (queue.crawl_delay) out.add("crawl_delay_seconds", seconds(*queue.crawl_delay));
  return out.finish();
}

std::string_view name_of(frontier::Precedence precedence) {
  static constexpr std::string_view kNames[] = {"first", "embed", "normal"};
  return kNames[static_cast<size_t>(precedence)];
}

std::string waiting_json(const frontier::WaitingUrl& url, bool with_place) {
  JsonObject out;
  out.add("url", url::public_form(url.candidate.url))
      .add("via", url::public_form(url.candidate.via))
      .add("hops", url.candidate.hops)
      .add("seed", url.candidate.seed)
      .add("queue", url.origin)
      .add("where", url.where)
      .add("precedence", name_of(frontier::precedence_of(url.priority)))
      .add("attempt", url.attempt);
  if (url.where == "retry") out.add("wait_seconds", seconds(url.wait));
  if (with_place && url.where == "queue") out.add("ahead", url.ahead);
  return out.finish();
}

template <class Items, class Write>
std::string list(const Items& items, Write write) {
  std::string out = "[";
  for (const auto& item : items) {
    if (out.size() > 1) out += ',';
    out += write(item);
  }
  return out + "]";
}

std::string json_text(const std::string& text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

}  // namespace

std::string queues_json(const std::vector<frontier::QueueReport>& queues) { return list(queues, queue_json); }

std::string queue_page_json(const frontier::QueuePage& page) {
  return JsonObject().add_raw("queues", queues_json(page.queues)).add("marker", page.cursor).finish();
}

std::string waits_json(const frontier::QueueStates& waits) {
  return list(waits.states, [](const frontier::QueueStates::Count& state) {
    return JsonObject()
        .add("state", frontier::to_string(state.state))
        .add("queues", state.queues)
        .add("urls", state.urls)
        .finish();
  });
}

std::string host_json(const frontier::HostReport& host) {
  JsonObject out;
  out.add("host", host.name).add("known", host.known);
  out.add("in_memory", host.in_memory)
      .add_raw("addresses", list(host.addresses, json_text))
      .add("knows_address", host.knows_address)
      .add("blocked", host.overrides.blocked)
      .add("retired", host.overrides.retired);
  if (host.overrides.delay) out.add("delay_seconds", seconds(*host.overrides.delay));
  if (!host.sheets.empty()) out.add_raw("sheets", list(host.sheets, json_text));
  if (!host.group.empty()) out.add("group", host.group).add_raw("group_usage", usage_json(host.group_usage));
  if (host.overrides.budget) out.add("budget", *host.overrides.budget);
  out.add("dns_failures", host.failures)
      .add("aside", host.aside)
      .add("given_up", host.given_up)
      .add("wait_seconds", seconds(host.wait))
      .add("last_fetch_seconds", seconds(host.last_fetch))
      .add("finished", host.finished)
      .add_raw("usage", usage_json(host.usage))
      .add("in_inbox", host.in_inbox)
      .add("visiting", url::public_form(host.visiting))
      .add("visiting_seconds", seconds(host.visiting_for))
      .add_raw("queues", queues_json(host.queues));
  return out.finish();
}

std::string url_json(std::string_view url, const frontier::UrlReport& report, const std::vector<std::string>& sheets) {
  JsonObject out;
  out.add("url", url::public_form(url))
      .add("seen", report.seen)
      .add("visiting", report.visiting)
      .add("visiting_seconds", seconds(report.visiting_for))
      .add_raw("waits", list(report.waits, [](const auto& one) { return waiting_json(one, true); }));
  if (!sheets.empty()) out.add_raw("sheets", list(sheets, json_text));
  return out.add_raw("host", host_json(report.host)).finish();
}

std::string page_json(const frontier::WaitingPage& page) {
  JsonObject out;
  out.add_raw("urls", list(page.urls, [](const auto& one) { return waiting_json(one, false); }))
      .add("marker", page.cursor);
  if (page.moved) out.add("moved", true);
  return out.finish();
}

std::string error_json(std::string_view message) { return JsonObject().add("error", message).finish(); }

std::string count_json(std::string_view verb, uint64_t urls, std::string_view marker) {
  return JsonObject().add(verb, urls).add("marker", marker).finish();
}

}  // namespace caddis::control
