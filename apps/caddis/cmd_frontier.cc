// caddis frontier [COLLECTION]: why a crawl is as slow as it is, in one screen; what is known of a host or a URL; and
// what an operator changes. Asks the crawl itself while it runs, and its state if it has stopped.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "asked_crawl.h"
#include "caddis/base/counted.h"
#include "caddis/base/json_text.h"
#include "caddis/base/percent.h"
#include "caddis/control/deletion.h"
#include "commands.h"
#include "frontier_options.h"
#include "frontier_overview.h"
#include "frontier_words.h"

namespace caddis::cli {
namespace {

namespace api = control::api;

// Only a crawl that runs can be changed: another answers with the way out.
Result<std::string> change(AskedCrawl& crawl, const std::string& path, const std::string& query,
                           const std::string& body = "") {
  auto answer = crawl.post(path, query, body);
  if (answer || answer.error().code != ErrorCode::not_found) return answer;
  return fail(
      ErrorCode::not_found,
      fmt::format("the crawl does not run, and can be changed only while it runs: start it paused (caddis crawl "
                  "--resume --paused --collection {0}), give this command again, and let it go on (caddis resume {0})",
                  crawl.launch().collection));
}

template <class Document>
Result<void> print_answer(const std::string& answer, bool as_json, void (*print)(const Document&)) {
  if (as_json) {
    fmt::print("{}\n", answer);
    return {};
  }
  TRY(const Document document, api::from_json<Document>(answer));
  print(document);
  return {};
}

std::string path_of_host(const FrontierOptions& options) { return "/hosts/" + percent_encoded(options.host); }

// Returns true if anything is known of --host.
Result<bool> is_known(AskedCrawl& crawl, const FrontierOptions& options) {
  TRY(const auto host, crawl.read<api::Host>(path_of_host(options)));
  return host.known;
}

Result<void> expect_known(AskedCrawl& crawl, const FrontierOptions& options) {
  if (options.host.empty()) return {};
  TRY(const bool known, is_known(crawl, options));
  if (!known) return fail(ErrorCode::not_found, fmt::format("nothing is known of the host {}", options.host));
  return {};
}

Result<void> list_urls(AskedCrawl& crawl, const FrontierOptions& options) {
  TRY_VOID(expect_known(crawl, options));
  constexpr size_t kShown = 20, kPart = 1000;
  size_t left = options.limit.value_or(kShown);
  api::WaitingPage page;
  bool moved = false;
  do {
    TRY(page, crawl.read<api::WaitingPage>("/urls", query_of({{"limit", std::to_string(std::min(left, kPart))},
                                                              {"nearest", "1"},
                                                              {"marker", page.marker},
                                                              {"host", options.host},
                                                              {"regex", options.regex}})));
    moved = moved || page.moved.value_or(false);
    for (const api::WaitingUrl& one : page.urls) fmt::print("{}\n", options.json ? api::to_json(one) : one.url);
    left -= page.urls.size();
  } while (left > 0 && !page.marker.empty());
  if (moved)
    fmt::print(stderr,
               "caddis frontier: the crawl went on while the list was made: URLs may be missing, come twice, or be "
               "visited by now. A list of one moment needs a paused crawl (caddis pause)\n");
  return {};
}

Result<void> delete_urls(AskedCrawl& crawl, const FrontierOptions& options) {
  TRY_VOID(expect_known(crawl, options));
  const control::AskPart part = [&](const std::string& marker) {
    return change(
        crawl, "/urls/delete",
        query_of(
            {{"marker", marker}, {"host", options.host}, {"regex", options.regex}, {"dry", options.dry ? "1" : ""}}));
  };
  TRY(const uint64_t urls, options.dry ? control::count_in_parts(part) : control::delete_in_parts(part));
  if (options.json)
    fmt::print("{}\n", JsonObject().add(options.dry ? "would_delete" : "deleted", urls).finish());
  else
    fmt::print("{} {}\n", counted(urls, "URL"), options.dry ? "would be deleted" : "deleted");
  return {};
}

// Why not all that were given are added.
std::string why_fewer(const api::AddedUrls& answer) {
  std::string why;
  if (answer.over_budget > 0)
    why = fmt::format("; {} over the budget of {} (--force, or a higher one: --host NAME --budget N)",
                      answer.over_budget, answer.over_budget == 1 ? "its host" : "their hosts");
  const uint64_t known = answer.given - answer.added - answer.over_budget;
  if (known == 0) return why;
  return why + (why.empty() ? "; what is missing was known already (--force)"
                            : fmt::format("; {} known already (--force)", known));
}

Result<void> add_urls(AskedCrawl& crawl, const FrontierOptions& options) {
  std::string body;
  for (const std::string& url : options.add)
    body += options.precedence.empty()
                ? url + "\n"
                : JsonObject().add("url", url).add("precedence", options.precedence).finish() + "\n";
  TRY(const std::string text,
      change(crawl, "/urls", query_of({{"force", options.force ? "1" : ""}, {"seed", options.seed ? "1" : ""}}), body));
  if (options.json) {
    fmt::print("{}\n", text);
    return {};
  }
  TRY(const auto answer, api::from_json<api::AddedUrls>(text));
  fmt::print("{} of {} added{}\n", answer.added, counted(answer.given, "URL"), why_fewer(answer));
  return {};
}

Result<void> wake(AskedCrawl& crawl, const FrontierOptions& options) {
  TRY_VOID(expect_known(crawl, options));
  uint64_t hosts = 0;
  api::WokenHosts part;
  do {
    TRY(const std::string text, change(crawl, "/wake", query_of({{"host", options.host}, {"marker", part.marker}})));
    TRY(part, api::from_json<api::WokenHosts>(text));
    hosts += part.hosts;
  } while (!part.marker.empty());
  if (options.json)
    fmt::print("{}\n", JsonObject().add("hosts", hosts).finish());
  else if (hosts == 0)
    fmt::print("nothing was put off after failures\n");
  else
    fmt::print("{} at once what was put off\n", counted(hosts, "host tries again", "hosts try again"));
  return {};
}

// An empty value stands for that of the settings.
std::string orders(const FrontierOptions& options) {
  std::string query;
  if (options.block || options.unblock) query += options.block ? "&block=1" : "&block=0";
  if (options.retire || options.unretire) query += options.retire ? "&retire=1" : "&retire=0";
  if (!options.delay.empty()) query += "&delay=" + (options.delay == "default" ? "" : percent_encoded(options.delay));
  if (!options.budget.empty())
    query += "&budget=" + (options.budget == "default" ? "" : percent_encoded(options.budget));
  return query.empty() ? query : query.substr(1);
}

Result<void> end_visit(AskedCrawl& crawl, const FrontierOptions& options) {
  TRY(const std::string answer, change(crawl, "/visits/end", query_of({{"url", options.end}})));
  return print_answer<api::EndedVisit>(answer, options.json, [](const api::EndedVisit& visit) {
    fmt::print("the visit of {} is being ended\n", visit.ends);
  });
}

Result<void> change_queue(AskedCrawl& crawl, const FrontierOptions& options) {
  TRY(const std::string answer,
      change(crawl, "/queues", query_of({{"queue", options.queue}, {"retire", options.retire ? "1" : "0"}})));
  return print_answer(answer, options.json, print_host);
}

Result<void> change_host(AskedCrawl& crawl, const FrontierOptions& options) {
  TRY(const bool known, is_known(crawl, options));
  TRY(const std::string answer, change(crawl, path_of_host(options), orders(options)));
  TRY_VOID(print_answer(answer, options.json, print_host));
  if (!known && !options.json) fmt::print("  not known so far; this is kept for when it is found\n");
  return {};
}

// The answer of --json says itself that nothing is known.
Result<void> explain_host(AskedCrawl& crawl, const FrontierOptions& options) {
  if (!options.json) TRY_VOID(expect_known(crawl, options));
  TRY(const std::string answer, crawl.get(path_of_host(options)));
  return print_answer(answer, options.json, print_host);
}

Result<void> explain_url(AskedCrawl& crawl, const FrontierOptions& options) {
  TRY(const std::string answer, crawl.get("/url", query_of({{"url", options.url}})));
  return print_answer(answer, options.json, print_url);
}

Result<void> run(AskedCrawl& crawl, const FrontierOptions& options) {
  if (!options.add.empty()) return add_urls(crawl, options);
  if (options.erase) return delete_urls(crawl, options);
  if (options.wake) return wake(crawl, options);
  if (!options.end.empty()) return end_visit(crawl, options);
  if (!options.queue.empty()) return change_queue(crawl, options);
  if (options.has_orders()) return change_host(crawl, options);
  if (options.urls) return list_urls(crawl, options);
  if (!options.url.empty()) return explain_url(crawl, options);
  if (!options.host.empty()) return explain_host(crawl, options);
  return print_overview(crawl, options);
}

int frontier_command(FrontierOptions options) {
  if (const auto usable = check(options); !usable) {
    fmt::print(stderr, "caddis frontier: {}\n", usable.error().message);
    return 2;
  }
  auto crawl = open_asked_crawl(options.collection);
  if (!crawl) {
    fmt::print(stderr, "caddis frontier: {}\n", crawl.error().message);
    return 2;
  }
  if (const auto done = run(*crawl, options); !done) {
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
