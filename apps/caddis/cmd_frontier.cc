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
#include "caddis/base/counted.h"
#include "caddis/control/control_client.h"
#include "caddis/control/deletion.h"
#include "caddis/control/frontier_query.h"
#include "caddis/crawl/collection.h"
#include "caddis/crawl/stopped_crawl.h"
#include "caddis/io/files.h"
#include "caddis/store/rocks_kv.h"
#include "commands.h"
#include "frontier_options.h"
#include "frontier_words.h"

namespace caddis::cli {
namespace {

using Json = nlohmann::json;

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
  answer = co_await control::ask(loop, socket, method, path, body);
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
    return control::look(stopped_->frontier(), path, query, true,
                         [&](std::string_view url) -> Result<control::AskedUrl> {
                           TRY(auto scheduled, stopped_->scheduled_url_of(url));
                           TRY(auto sheets, stopped_->sheets_of(url));
                           return control::AskedUrl{std::move(scheduled), std::move(sheets)};
                         });
  }
  Result<std::string> post(const std::string& path, const std::string& body) {
    auto answer = call("POST", path, body);
    if (answer || answer.error().code != ErrorCode::not_found) return answer;
    return fail(ErrorCode::not_found,
                fmt::format("it does not run, and is changed only while it does: start it so that it visits nothing "
                            "(caddis crawl --resume --paused --collection {0}), give this command again meanwhile, and "
                            "let it go on (caddis resume {0})",
                            launch_.collection));
  }
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
  // Keeps the first `most` in each order.
  void rank(const Json& queue, size_t most) {
    for (size_t list = 0; list < first.size(); ++list) {
      if (amount(queue, list) <= 0) continue;
      auto& queues = first[list].second;
      const auto place =
          std::ranges::find_if(queues, [&](const Json& other) { return amount(queue, list) > amount(other, list); });
      queues.insert(place, queue);
      if (queues.size() > most) queues.pop_back();
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
Result<void> collect(Asked& asked, bool all, size_t most, QueueLists& lists) {
  std::string marker;
  do {
    const std::string query = fmt::format("limit=10000{}{}", all ? "&all=1&marker=" : "", marker);
    TRY(const std::string text, asked.get("/queues", query));
    const Json answer = Json::parse(text);
    for (const auto& queue : all ? answer["queues"] : answer) {
      lists.count(queue);
      lists.rank(queue, most);
    }
    marker = all ? answer["marker"].get<std::string>() : "";
  } while (!marker.empty());
  return {};
}

Result<void> print_state(Asked& asked) {
  if (!asked.runs()) {
    const auto stats = asked.stopped().frontier().stats();
    fmt::print("not running: {}, {}, {} set aside\n", counted(stats.queued, "URL waits", "URLs wait"),
               counted(stats.hosts, "host"), stats.hosts_aside);
    return {};
  }
  TRY(const std::string text, asked.get("/status", ""));
  const Json status = Json::parse(text);
  const std::string held_up = status["waits_for"], slow = status["slow_because"];
  fmt::print("{}{}{}\n", status["state"].get<std::string>(), held_up.empty() ? "" : ": ", held_up);
  fmt::print("{:.1f} documents/s, {}, {} being visited, {}, {} set aside\n",
             status["documents_per_second"].get<double>(),
             counted(status["queued"].get<uint64_t>(), "URL waits", "URLs wait"), status["visiting"].get<uint64_t>(),
             counted(status["hosts"].get<uint64_t>(), "host"), status["hosts_aside"].get<uint64_t>());
  if (!slow.empty()) fmt::print("what holds it up most is {}\n", slow);
  return {};
}

Result<void> overview(Asked& asked, const FrontierOptions& options) {
  constexpr size_t kShown = 5;
  const size_t most = options.limit.value_or(kShown);
  TRY(const std::string largest, asked.get("/queues", fmt::format("by=size&limit={}", most)));
  if (options.json) {
    fmt::print("{}\n", largest);
    return {};
  }
  TRY_VOID(print_state(asked));
  const bool all = options.all || !asked.runs();
  QueueLists lists;
  TRY_VOID(collect(asked, all, most, lists));
  fmt::print("\nWhat queues{} wait for\n", all ? "" : " in memory");
  for (const auto& [state, counts] : lists.states)
    fmt::print("{:>9} {} in {}: {}\n", counts.urls, counts.urls == 1 ? "URL" : "URLs", counted(counts.queues, "queue"),
               state);
  for (const auto& [title, queues] : lists.first) {
    if (!queues.empty()) fmt::print("\n{}\n", title);
    for (const auto& queue : queues) print_queue(queue);
  }
  return {};
}

// Whether anything is known of --host.
Result<bool> is_known(Asked& asked, const FrontierOptions& options) {
  TRY(const std::string text, asked.get("/hosts/" + percent_encoded(options.host), ""));
  return Json::parse(text)["known"].get<bool>();
}

Result<void> expect_known(Asked& asked, const FrontierOptions& options) {
  if (options.host.empty()) return {};
  TRY(const bool known, is_known(asked, options));
  if (!known) return fail(ErrorCode::not_found, fmt::format("nothing is known of the host {}", options.host));
  return {};
}

std::string selection(const FrontierOptions& options) {
  std::string query;
  if (!options.host.empty()) query += "&host=" + percent_encoded(options.host);
  if (!options.regex.empty()) query += "&regex=" + percent_encoded(options.regex);
  return query.empty() ? query : query.substr(1);
}

Result<void> list_urls(Asked& asked, const FrontierOptions& options) {
  TRY_VOID(expect_known(asked, options));
  constexpr size_t kShown = 20;
  std::string marker;
  size_t left = options.limit.value_or(kShown);
  bool moved = false;
  do {
    TRY(const std::string text,
        asked.get("/urls", fmt::format("limit={}&nearest=1&marker={}&{}", std::min<size_t>(left, 1000), marker,
                                       selection(options))));
    const Json page = Json::parse(text);
    moved = moved || page.contains("moved");
    for (const auto& url : page["urls"]) fmt::print("{}\n", options.json ? url.dump() : url["url"].get<std::string>());
    left -= page["urls"].size();
    marker = page["marker"];
  } while (left > 0 && !marker.empty());
  if (moved)
    fmt::print(stderr,
               "caddis frontier: the crawl changed what waits while the list was made: some of it may be missing, or "
               "stand there twice, or be visited by now (caddis pause before makes a list of one moment)\n");
  return {};
}

Result<void> erase_urls(Asked& asked, const FrontierOptions& options) {
  TRY_VOID(expect_known(asked, options));
  const control::AskPart part = [&](const std::string& marker) {
    return asked.post(
        fmt::format("/urls/delete?marker={}&{}{}", marker, selection(options), options.dry ? "&dry=1" : ""), "");
  };
  TRY(const uint64_t urls, options.dry ? control::count_in_parts(part) : control::delete_in_parts(part));
  if (options.json)
    fmt::print("{}\n", Json({{options.dry ? "would_delete" : "deleted", urls}}).dump());
  else
    fmt::print("{} {}\n", counted(urls, "URL"), options.dry ? "would be deleted" : "deleted");
  return {};
}

Result<void> add_urls(Asked& asked, const FrontierOptions& options) {
  std::string body;
  for (const std::string& url : options.add)
    body += options.precedence.empty() ? url + "\n"
                                       : Json({{"url", url}, {"precedence", options.precedence}}).dump() + "\n";
  TRY(const std::string text,
      asked.post(fmt::format("/urls?force={}&seed={}", options.force ? 1 : 0, options.seed ? 1 : 0), body));
  const Json answer = Json::parse(text);
  const auto added = answer["added"].get<uint64_t>(), given = answer["given"].get<uint64_t>();
  const auto over = answer["over_budget"].get<uint64_t>();
  if (options.json) {
    fmt::print("{}\n", text);
    return {};
  }
  std::string why;
  if (over > 0)
    why += fmt::format("; {} over the budget of {} (--force, or a higher one: --host NAME --budget N)", over,
                       over == 1 ? "its host" : "their hosts");
  if (added + over < given)
    why += over > 0 ? fmt::format("; {} known already (--force)", given - added - over)
                    : "; what is missing was known already (--force)";
  fmt::print("{} of {} added{}\n", added, counted(given, "URL"), why);
  return {};
}

Result<void> wake(Asked& asked, const FrontierOptions& options) {
  TRY_VOID(expect_known(asked, options));
  uint64_t hosts = 0;
  std::string marker;
  do {
    TRY(const std::string text,
        asked.post(fmt::format("/wake?host={}&marker={}", percent_encoded(options.host), marker), ""));
    const Json part = Json::parse(text);
    hosts += part["hosts"].get<uint64_t>();
    marker = part["marker"];
  } while (!marker.empty());
  if (options.json)
    fmt::print("{}\n", Json({{"hosts", hosts}}).dump());
  else if (hosts == 0)
    fmt::print("nothing was put off after failures\n");
  else
    fmt::print("{} at once what was put off\n", counted(hosts, "host tries again", "hosts try again"));
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

Result<void> end_visit(Asked& asked, const FrontierOptions& options) {
  TRY(const std::string answer, asked.post("/visits/end?url=" + percent_encoded(options.end), ""));
  if (options.json)
    fmt::print("{}\n", answer);
  else
    fmt::print("the visit of {} is being ended\n", Json::parse(answer)["ends"].get<std::string>());
  return {};
}

Result<void> change_queue(Asked& asked, const FrontierOptions& options) {
  TRY(const std::string answer,
      asked.post(fmt::format("/queues?queue={}&retire={}", percent_encoded(options.queue), options.retire ? 1 : 0),
                 ""));
  print_answer(answer, options.json, print_host);
  return {};
}

Result<void> change_host(Asked& asked, const FrontierOptions& options) {
  TRY(const bool known, is_known(asked, options));
  TRY(const std::string answer, asked.post("/hosts/" + percent_encoded(options.host) + "?" + orders(options), ""));
  print_answer(answer, options.json, print_host);
  if (!known && !options.json) fmt::print("  not known so far; kept for when it comes\n");
  return {};
}

// The answer of --json says itself that nothing is known.
Result<void> look_at_host(Asked& asked, const FrontierOptions& options) {
  TRY(const std::string answer, asked.get("/hosts/" + percent_encoded(options.host), ""));
  if (!options.json && !Json::parse(answer)["known"].get<bool>()) return expect_known(asked, options);
  print_answer(answer, options.json, print_host);
  return {};
}

Result<void> look_at_url(Asked& asked, const FrontierOptions& options) {
  TRY(const std::string answer, asked.get("/url", "url=" + percent_encoded(options.url)));
  print_answer(answer, options.json, print_url);
  return {};
}

Result<void> run(Asked& asked, const FrontierOptions& options) {
  if (!options.add.empty()) return add_urls(asked, options);
  if (options.erase) return erase_urls(asked, options);
  if (options.wake) return wake(asked, options);
  if (!options.end.empty()) return end_visit(asked, options);
  if (!options.queue.empty()) return change_queue(asked, options);
  if (options.has_orders()) return change_host(asked, options);
  if (options.urls) return list_urls(asked, options);
  if (!options.url.empty()) return look_at_url(asked, options);
  if (!options.host.empty()) return look_at_host(asked, options);
  return overview(asked, options);
}

int frontier_command(FrontierOptions options) {
  if (const auto usable = check(options); !usable) {
    fmt::print(stderr, "caddis frontier: {}\n", usable.error().message);
    return 2;
  }
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
  add_frontier_options(*command, *options);
  command->callback([options, &exit_code] { exit_code = frontier_command(*options); });
}

}  // namespace caddis::cli
