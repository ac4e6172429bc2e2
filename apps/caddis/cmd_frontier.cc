// caddis frontier [COLLECTION]: why a crawl is as slow as it is, in one screen; what is known of a host or a URL; and
// what an operator changes. Asks the crawl itself while it runs, and its state where it has stopped.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "caddis/aio/loop.h"
#include "caddis/aio/nursery.h"
#include "caddis/base/clock.h"
#include "caddis/base/time_format.h"
#include "caddis/crawl/collection.h"
#include "caddis/crawl/stopped_crawl.h"
#include "caddis/engine/control_client.h"
#include "caddis/engine/frontier_query.h"
#include "caddis/io/files.h"
#include "caddis/store/rocks_kv.h"
#include "commands.h"

namespace caddis::cli {
namespace {

using Json = nlohmann::json;

struct FrontierOptions {
  std::string collection = ".", host, url, regex, by, delay, end, budget, queue;
  std::vector<std::string> add;
  bool urls = false, erase = false, dry = false, force = false, seed = false, wake = false, json = false;
  bool block = false, unblock = false, retire = false, unretire = false, all = false;
  size_t limit = 20;
};

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("-._~").contains(c))
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

aio::Task<void> ask_into(aio::Loop& loop, std::string socket, std::string method, std::string path, std::string body,
                         Result<std::string>& answer) {
  answer = co_await engine::ask(loop, socket, method, path, body);
}

// A crawl that can be asked, whether it runs or not.
class Asked {
 public:
  explicit Asked(crawl::Launch launch) : launch_(std::move(launch)) {}

  Result<std::string> get(const std::string& path, const std::string& query) {
    if (!stopped_) {
      auto answer = call("GET", query.empty() ? path : path + "?" + query, "");
      if (answer || answer.error().code != ErrorCode::not_found) return answer;
      TRY(stopped_, crawl::StoppedCrawl::open(io::real_files(), system_clock(), store::rocks_opener(), launch_));
    }
    return engine::look(stopped_->frontier(), path, query, true,
                        [&](std::string_view url) { return stopped_->arrival_of(url); });
  }
  Result<std::string> post(const std::string& path, const std::string& body) { return call("POST", path, body); }
  bool runs() const { return stopped_ == nullptr; }
  crawl::StoppedCrawl& stopped() { return *stopped_; }

 private:
  Result<std::string> call(const std::string& method, const std::string& path, const std::string& body) {
    const auto loop = aio::make_loop(system_clock());
    Result<std::string> answer;
    aio::run_to_end(*loop, ask_into(*loop, launch_.control_socket(), method, path, body, answer));
    return answer;
  }

  crawl::Launch launch_;
  std::unique_ptr<crawl::StoppedCrawl> stopped_;
};

std::string wait_of(const Json& of) {
  const double wait = of.value("wait_seconds", 0.0);
  return wait > 0 ? fmt::format(" for {:.1f}s", wait) : "";
}

void print_usage(std::string_view whose, const Json& usage) {
  fmt::print("  {}: {} captured, {} answers, {}, {} of them novel\n", whose, usage["successes"].get<uint64_t>(),
             usage["responses"].get<uint64_t>(), format_size(usage["bytes"].get<long long>()),
             format_size(usage["novel_bytes"].get<long long>()));
}

void print_queue(const Json& queue) {
  fmt::print("{:>9} {}  {}{}", queue["queued"].get<uint64_t>(), queue["queue"].get<std::string>(),
             queue["state"].get<std::string>(), wait_of(queue));
  if (const double visiting = queue["visiting_seconds"]; visiting > 0) fmt::print(" for {:.1f}s", visiting);
  if (const auto failures = queue["failures"].get<uint64_t>(); failures > 0)
    fmt::print(", {} failures in a row", failures);
  if (const auto retries = queue["retries"].get<uint64_t>(); retries > 0) fmt::print(", {} to be retried", retries);
  if (const double last = queue["last_fetch_seconds"]; last >= 1) fmt::print(", last fetch took {:.1f}s", last);
  if (const std::string quota = queue["over_quota"]; !quota.empty()) fmt::print(", quota.{} is used up", quota);
  fmt::print("\n");
}

void print_host(const Json& host) {
  if (!host["known"].get<bool>()) {
    fmt::print("{}: nothing is known of this host\n", host["host"].get<std::string>());
    return;
  }
  fmt::print("{}: {} visits, next one {}\n", host["host"].get<std::string>(), host["finished"].get<uint64_t>(),
             wait_of(host).empty() ? "allowed now" : "not" + wait_of(host));
  if (host["blocked"].get<bool>()) fmt::print("  blocked by the operator: its URLs are given up with -5001\n");
  if (host["retired"].get<bool>()) fmt::print("  retired by the operator: its URLs wait until it is taken up again\n");
  print_usage("so far", host["usage"]);
  if (host.contains("group"))
    print_usage("politeness group " + host["group"].get<std::string>() + " so far", host["group_usage"]);
  if (host.contains("sheets")) {
    std::string sheets;
    for (const auto& sheet : host["sheets"]) sheets += (sheets.empty() ? "" : ", ") + sheet.get<std::string>();
    fmt::print("  sheets that hold for it, the later counts: {}\n", sheets);
  }
  if (host.contains("delay_seconds")) fmt::print("  a delay of its own: {}s\n", host["delay_seconds"].get<double>());
  if (host.contains("budget")) fmt::print("  a budget of its own: {} URLs\n", host["budget"].get<uint64_t>());
  std::string addresses;
  for (const auto& address : host["addresses"]) addresses += " " + address.get<std::string>();
  fmt::print("  addresses:{}{}\n", addresses.empty() ? " none" : addresses,
             host["knows_address"].get<bool>() ? "" : " (to be looked up)");
  if (const auto failures = host["dns_failures"].get<uint64_t>(); failures > 0)
    fmt::print("  {} failed look-ups in a row\n", failures);
  if (const auto status = host["given_up"].get<int>(); status != 0) fmt::print("  given up with {}\n", status);
  if (const std::string visiting = host["visiting"]; !visiting.empty())
    fmt::print("  being visited for {:.1f}s: {}\n", host["visiting_seconds"].get<double>(), visiting);
  if (const auto letters = host["in_inbox"].get<uint64_t>(); letters > 0)
    fmt::print("  {} URLs found while it was out of memory\n", letters);
  for (const auto& queue : host["queues"]) print_queue(queue);
  for (const auto& queue : host["queues"])
    if (host["queues"].size() > 1) print_usage(queue["queue"].get<std::string>(), queue["usage"]);
}

void print_url(const Json& report) {
  fmt::print("{}\n", report["url"].get<std::string>());
  if (report["visiting"].get<bool>())
    fmt::print("  is being visited, for {:.1f}s\n", report["visiting_seconds"].get<double>());
  for (const auto& one : report["waits"]) {
    fmt::print("  waits in {} ({}{}), {} line", one["queue"].get<std::string>(), one["where"].get<std::string>(),
               wait_of(one), one["precedence"].get<std::string>());
    if (one.contains("ahead")) fmt::print(", {} before it", one["ahead"].get<uint64_t>());
    fmt::print(", try {}\n  found on {} by {}\n", one["attempt"].get<uint64_t>(),
               one["via"] == "" ? "no page" : one["via"].get<std::string>(),
               one["hops"] == "" ? "no hop" : "hops " + one["hops"].get<std::string>());
  }
  if (!report["seen"].get<bool>())
    fmt::print("  was never queued: no page named it, or the scope rejected it (caddis scope explain)\n");
  else if (report["waits"].empty() && !report["visiting"].get<bool>())
    fmt::print("  was queued, and does not wait any more: visited, given up or deleted (logs/crawl.log)\n");
  print_host(report["host"]);
}

void print_answer(const std::string& answer, bool as_json, void (*print)(const Json&)) {
  if (as_json)
    fmt::print("{}\n", answer);
  else
    print(Json::parse(answer));
}

struct QueueLists {
  struct Counts {
    uint64_t queues = 0, urls = 0;
  };
  std::map<std::string, Counts> states;
  std::vector<std::pair<std::string, std::vector<Json>>> first = {
      {"Largest", {}}, {"Slowest", {}}, {"Most failures", {}}};

  void count(const Json& queue) {
    Counts& counts = states[queue["state"]];
    ++counts.queues;
    counts.urls += queue["queued"].get<uint64_t>();
  }
  // Keeps the first few in each order.
  void rank(const Json& queue) {
    constexpr size_t kShown = 5;
    for (size_t list = 0; list < first.size(); ++list) {
      if (amount(queue, list) <= 0) continue;
      auto& queues = first[list].second;
      const auto place =
          std::ranges::find_if(queues, [&](const Json& other) { return amount(queue, list) > amount(other, list); });
      queues.insert(place, queue);
      if (queues.size() > kShown) queues.pop_back();
    }
  }
  static double amount(const Json& queue, size_t list) {
    const auto number = [&](const char* name) { return queue[name].get<double>(); };
    if (list == 0) return number("queued");
    if (list == 1) return std::max({number("wait_seconds"), number("last_fetch_seconds"), number("visiting_seconds")});
    return number("failures") + number("retries");
  }
};

// Of a running crawl the queues in memory, unless `all` are asked for, a part at a time.
Result<void> collect(Asked& asked, bool all, QueueLists& lists) {
  std::string marker;
  do {
    const std::string query = fmt::format("limit=10000{}{}", all ? "&all=1&marker=" : "", marker);
    TRY(const std::string text, asked.get("/queues", query));
    const Json answer = Json::parse(text);
    for (const auto& queue : all ? answer["queues"] : answer) {
      lists.count(queue);
      lists.rank(queue);
    }
    marker = all ? answer["marker"].get<std::string>() : "";
  } while (!marker.empty());
  return {};
}

Result<void> overview(Asked& asked, const FrontierOptions& options) {
  TRY(const std::string largest, asked.get("/queues", fmt::format("by=size&limit={}", options.limit)));
  if (options.json) {
    fmt::print("{}\n", largest);
    return {};
  }
  if (asked.runs()) {
    TRY(const std::string text, asked.get("/status", ""));
    const Json status = Json::parse(text);
    const std::string waits = status["waits_for"], slow = status["slow_because"];
    fmt::print("{}{}{}: {:.1f} documents/s, {} URLs wait, {} being visited, {} hosts, {} set aside\n",
               status["state"].get<std::string>(), waits.empty() ? "" : ", waits for ", waits,
               status["documents_per_second"].get<double>(), status["queued"].get<uint64_t>(),
               status["visiting"].get<uint64_t>(), status["hosts"].get<uint64_t>(),
               status["hosts_aside"].get<uint64_t>());
    if (!slow.empty()) fmt::print("what holds it up most is {}\n", slow);
  } else {
    const auto stats = asked.stopped().frontier().stats();
    fmt::print("not running: {} URLs wait, {} hosts, {} set aside\n", stats.queued, stats.hosts, stats.hosts_aside);
  }
  const bool all = options.all || !asked.runs();
  QueueLists lists;
  TRY_VOID(collect(asked, all, lists));
  fmt::print("\nWhat queues{} wait for\n", all ? "" : " in memory");
  for (const auto& [state, counts] : lists.states)
    fmt::print("{:>9} URLs in {} queues: {}\n", counts.urls, counts.queues, state);
  for (const auto& [title, queues] : lists.first) {
    if (!queues.empty()) fmt::print("\n{}\n", title);
    for (const auto& queue : queues) print_queue(queue);
  }
  return {};
}

std::string selection(const FrontierOptions& options) {
  std::string query;
  if (!options.host.empty()) query += "&host=" + percent_encoded(options.host);
  if (!options.regex.empty()) query += "&regex=" + percent_encoded(options.regex);
  return query.empty() ? query : query.substr(1);
}

Result<void> list_urls(Asked& asked, const FrontierOptions& options) {
  std::string marker;
  size_t left = options.limit;
  do {
    TRY(const std::string text, asked.get("/urls", fmt::format("limit={}&marker={}&{}", std::min<size_t>(left, 1000),
                                                               marker, selection(options))));
    const Json page = Json::parse(text);
    for (const auto& url : page["urls"]) fmt::print("{}\n", options.json ? url.dump() : url["url"].get<std::string>());
    left -= page["urls"].size();
    marker = page["marker"];
  } while (left > 0 && !marker.empty());
  return {};
}

Result<void> erase_urls(Asked& asked, const FrontierOptions& options) {
  uint64_t urls = 0;
  std::string marker;
  const std::string verb = options.dry ? "would_delete" : "deleted";
  do {
    TRY(const std::string text,
        asked.post(fmt::format("/urls/delete?marker={}&{}{}", marker, selection(options), options.dry ? "&dry=1" : ""),
                   ""));
    const Json part = Json::parse(text);
    urls += part[verb].get<uint64_t>();
    marker = part["marker"];
  } while (!marker.empty());
  fmt::print("{} URLs {}\n", urls, options.dry ? "would be deleted" : "deleted");
  return {};
}

Result<void> add_urls(Asked& asked, const FrontierOptions& options) {
  std::string body;
  for (const std::string& url : options.add) body += url + "\n";
  TRY(const std::string text,
      asked.post(fmt::format("/urls?force={}&seed={}", options.force ? 1 : 0, options.seed ? 1 : 0), body));
  const Json answer = Json::parse(text);
  fmt::print("{} of {} URLs added{}\n", answer["added"].get<uint64_t>(), answer["given"].get<uint64_t>(),
             answer["added"] == answer["given"] ? "" : "; the others were known already (--force)");
  return {};
}

Result<void> wake(Asked& asked, const FrontierOptions& options) {
  uint64_t hosts = 0;
  std::string marker;
  do {
    TRY(const std::string text,
        asked.post(fmt::format("/wake?host={}&marker={}", percent_encoded(options.host), marker), ""));
    const Json part = Json::parse(text);
    hosts += part["hosts"].get<uint64_t>();
    marker = part["marker"];
  } while (!marker.empty());
  fmt::print("{} hosts try again at once what waits after failures\n", hosts);
  return {};
}

std::string orders(const FrontierOptions& options) {
  std::string query;
  if (options.block || options.unblock) query += options.block ? "&block=1" : "&block=0";
  if (options.retire || options.unretire) query += options.retire ? "&retire=1" : "&retire=0";
  if (!options.delay.empty()) query += "&delay=" + (options.delay == "default" ? "" : percent_encoded(options.delay));
  if (!options.budget.empty())
    query += "&budget=" + (options.budget == "default" ? "" : percent_encoded(options.budget));
  return query.empty() ? query : query.substr(1);
}

Result<void> run(Asked& asked, const FrontierOptions& options) {
  if (!options.add.empty()) return add_urls(asked, options);
  if (options.erase) return erase_urls(asked, options);
  if (options.wake) return wake(asked, options);
  if (!options.end.empty()) {
    TRY(const std::string answer, asked.post("/visits/end?url=" + percent_encoded(options.end), ""));
    fmt::print("{}\n", answer);
    return {};
  }
  if (!options.queue.empty()) {
    if (options.retire == options.unretire) return fail(ErrorCode::config, "say --retire or --unretire");
    TRY(const std::string answer,
        asked.post(fmt::format("/queues?queue={}&retire={}", percent_encoded(options.queue), options.retire ? 1 : 0),
                   ""));
    print_answer(answer, options.json, print_host);
    return {};
  }
  if (const std::string changes = orders(options); !changes.empty()) {
    if (options.host.empty()) return fail(ErrorCode::config, "say which host: --host NAME");
    TRY(const std::string answer, asked.post("/hosts/" + percent_encoded(options.host) + "?" + changes, ""));
    print_answer(answer, options.json, print_host);
    return {};
  }
  if (options.urls || !options.regex.empty()) return list_urls(asked, options);
  if (!options.url.empty()) {
    TRY(const std::string answer, asked.get("/url", "url=" + percent_encoded(options.url)));
    print_answer(answer, options.json, print_url);
    return {};
  }
  if (!options.host.empty()) {
    TRY(const std::string answer, asked.get("/hosts/" + percent_encoded(options.host), ""));
    print_answer(answer, options.json, print_host);
    return {};
  }
  return overview(asked, options);
}

int frontier_command(const FrontierOptions& options) {
  const auto launch = crawl::latest_launch(io::real_files(), options.collection);
  if (!launch || !*launch) {
    fmt::print(stderr, "caddis frontier: there is no crawl in {}\n", options.collection);
    return 2;
  }
  Asked asked(**launch);
  if (const auto done = run(asked, options); !done) {
    fmt::print(stderr, "caddis frontier: {}: {}\n", options.collection, done.error().message);
    return done.error().code == ErrorCode::config || done.error().code == ErrorCode::parse ? 2 : 1;
  }
  return 0;
}

}  // namespace

void add_frontier_commands(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("frontier",
                                         "Which queues wait, and why; what is known of a host or a URL; "
                                         "add, delete, block, slow down, try again");
  auto options = std::make_shared<FrontierOptions>();
  command->add_option("collection", options->collection, "The folder of the collection");
  command->add_option("--host", options->host, "Explain this host; with the options below: only its URLs");
  command->add_option("--url", options->url, "Explain this URL");
  command->add_flag("--urls", options->urls, "List URLs that wait");
  command->add_option("--regex", options->regex, "Only URLs in which this RE2 expression is found");
  command->add_option("--limit", options->limit, "List at most so many")->check(CLI::Range(size_t{1}, size_t{1} << 40));
  command->add_option("--add", options->add, "Add a URL, whatever the scope; may be repeated")->allow_extra_args(false);
  command->add_flag("--seed", options->seed, "They are seeds, and widen the scope");
  command->add_flag("--force", options->force, "Though they were known already");
  command->add_flag("--delete", options->erase, "Delete URLs that wait, of --host, with --regex or both");
  command->add_flag("--dry-run", options->dry, "Only count them");
  command->add_flag("--block", options->block, "Give up all URLs of the host");
  command->add_flag("--unblock", options->unblock, "Visit the host again");
  command->add_flag("--retire", options->retire, "Let the host's URLs wait");
  command->add_flag("--unretire", options->unretire, "Take the host up again");
  command->add_option("--delay", options->delay, "The host's own delay; 'default' for the settings'");
  command->add_option("--budget", options->budget,
                      "So many URLs are taken of the host, 0: any number; 'default' for the settings'");
  command->add_option("--queue", options->queue,
                      "With --retire or --unretire: this origin (http://a.example:8080) alone");
  command->add_flag("--wake", options->wake, "Try again at once what waits after failures, of --host or all");
  command->add_option("--end-visit", options->end, "End the visit of this URL, which is stuck");
  command->add_flag("--all", options->all, "Without other options: tell of queues out of memory, too");
  command->add_flag("--json", options->json, "As the crawl itself says it");
  command->callback([options, &exit_code] { exit_code = frontier_command(*options); });
}

}  // namespace caddis::cli
