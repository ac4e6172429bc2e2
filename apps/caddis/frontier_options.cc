#include "frontier_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/url/crawl_schemes.h"
#include "caddis/url/url.h"

namespace caddis::cli {
namespace {

constexpr size_t kMostQueues = 10'000;

struct Given {
  std::string_view name;
  bool is_given;
};

struct Action {
  std::string_view name;
  bool is_wanted;
  std::string_view with;  // the options that mean something beside it
};

std::vector<Action> actions_of(const FrontierOptions& o) {
  static constexpr std::string_view kOrders = "--host --block --unblock --retire --unretire --delay --budget";
  std::vector<Action> actions = {{"--add", !o.add.empty(), "--seed --force --precedence"},
                                 {"--delete", o.erase, "--host --regex --dry-run"},
                                 {"--wake", o.wake, "--host"},
                                 {"--end-visit", !o.end.empty(), ""},
                                 {"--queue", !o.queue.empty(), "--retire --unretire"},
                                 {"--urls", o.urls, "--host --regex --limit"},
                                 {"--url", !o.url.empty(), ""}};
  const Given orders[] = {{"--block", o.block},       {"--unblock", o.unblock},      {"--retire", o.retire},
                          {"--unretire", o.unretire}, {"--delay", !o.delay.empty()}, {"--budget", !o.budget.empty()}};
  const auto order = std::ranges::find_if(orders, &Given::is_given);
  if (order != std::end(orders) && o.queue.empty()) actions.push_back({order->name, true, kOrders});
  return actions;
}

std::string_view home_of(std::string_view modifier) {
  if (modifier == "--dry-run") return "--delete";
  if (modifier == "--regex") return "--urls or --delete";
  if (modifier == "--limit") return "--urls, or stands alone for the lists of queues";
  if (modifier == "--all") return "no other option, as it is about the lists of queues";
  if (modifier == "--host") return "--urls, --delete, --wake, or what is changed of a host";
  if (modifier == "--seed" || modifier == "--force" || modifier == "--precedence") return "--add";
  if (modifier == "--retire" || modifier == "--unretire") return "--host or --queue";
  return "--host";
}

Result<void> take_host(FrontierOptions& options) {
  if (options.host.empty() || options.host == url::kFilesHost) return {};
  const bool is_url = options.host.find("://") != std::string::npos;
  const auto url = url::Url::parse(is_url ? options.host : "http://" + options.host);
  if (!url || !url->is_http() || url->hostname().empty())
    return fail(ErrorCode::config, fmt::format("--host {}: write the name of a host, a.example", options.host));
  const std::string name(url->hostname());
  if (url->pathname() != "/" || !url->search().empty())
    return fail(ErrorCode::config,
                fmt::format("--host {} names a page: write --host {}, or --url to look at a page", options.host, name));
  if (options.erase && to_lower(options.host) != name)
    return fail(ErrorCode::config, fmt::format("--delete takes all of a host: write --host {}, and --regex for a part "
                                               "of it",
                                               name));
  const size_t behind_ipv6 = options.host.starts_with('[') ? options.host.find(']') : 0;
  if (options.has_orders() && options.host.find_first_of(":/", behind_ipv6) != std::string::npos)
    return fail(ErrorCode::config,
                fmt::format("--host {}: orders hold for all of a host, whatever scheme and port: write --host {}, or "
                            "--retire --queue ORIGIN for one origin of it",
                            options.host, name));
  options.host = name;
  return {};
}

Result<void> check_values(FrontierOptions& options) {
  if (options.block && options.unblock) return fail(ErrorCode::config, "--block or --unblock, not both");
  if (options.retire && options.unretire) return fail(ErrorCode::config, "--retire or --unretire, not both");
  if (!options.queue.empty() && !options.retire && !options.unretire)
    return fail(ErrorCode::config, "--queue needs --retire or --unretire");
  if (options.queue.empty() && options.has_orders() && options.host.empty())
    return fail(ErrorCode::config, "say which host: --host NAME");
  if (options.erase && options.host.empty() && options.regex.empty())
    return fail(ErrorCode::config, "--delete needs --host, --regex or both");
  if (!options.urls && options.limit && *options.limit > kMostQueues)
    return fail(ErrorCode::config,
                fmt::format("--limit: lists of queues show {} at most, --urls any number", kMostQueues));
  return take_host(options);
}

}  // namespace

Result<void> check(FrontierOptions& options) {
  const auto actions = actions_of(options);
  const auto wanted = std::ranges::find_if(actions, &Action::is_wanted);
  if (wanted != actions.end()) {
    const auto other = std::find_if(wanted + 1, actions.end(), [](const Action& one) { return one.is_wanted; });
    if (other != actions.end())
      return fail(ErrorCode::config, fmt::format("{} and {}: one thing at a time", wanted->name, other->name));
  }
  std::string_view may = options.host.empty() ? "--limit --all" : "--host";
  if (wanted != actions.end()) may = wanted->with;
  const Given modifiers[] = {{"--dry-run", options.dry},
                             {"--regex", !options.regex.empty()},
                             {"--limit", options.limit.has_value()},
                             {"--all", options.all},
                             {"--host", !options.host.empty()},
                             {"--seed", options.seed},
                             {"--force", options.force},
                             {"--precedence", !options.precedence.empty()},
                             {"--block", options.block},
                             {"--unblock", options.unblock},
                             {"--retire", options.retire},
                             {"--unretire", options.unretire},
                             {"--delay", !options.delay.empty()},
                             {"--budget", !options.budget.empty()}};
  const auto allowed = split(may, ' ');
  for (const Given& modifier : modifiers)
    if (modifier.is_given && std::ranges::find(allowed, modifier.name) == allowed.end())
      return fail(ErrorCode::config,
                  fmt::format("{} goes with {}{}", modifier.name, home_of(modifier.name),
                              wanted == actions.end() ? "" : fmt::format(", not with {}", wanted->name)));
  return check_values(options);
}

void add_frontier_options(CLI::App& command, FrontierOptions& options) {
  // A script whose variable is empty would mean another thing without it.
  const CLI::Validator not_empty([](std::string& text) { return text.empty() ? "is empty" : std::string(); }, "", "");
  const auto text = [&](const char* name, std::string& into, const char* doc) {
    return command.add_option(name, into, doc)->check(not_empty);
  };
  command.add_option("collection,--collection", options.collection, "The folder of the collection");
  text("--host", options.host, "Explain this host; with the options below: only its URLs");
  text("--url", options.url, "Explain this URL");
  command.add_flag("--urls", options.urls, "List URLs that wait");
  text("--regex", options.regex, "With --urls or --delete: only URLs in which this RE2 expression is found");
  command
      .add_option("--limit", options.limit,
                  fmt::format("With --urls: at most so many (20 if it is not given). Without other options: so many "
                              "queues in each list (5 if it is not given, {} at most)",
                              kMostQueues))
      ->check(CLI::Validator(
          [](std::string& given) {
            return parse_int(given).value_or(0) > 0 ? std::string() : fmt::format("'{}' is no number above 0", given);
          },
          "", ""));
  command.add_option("--add", options.add, "Add a URL, whatever the scope; may be repeated")
      ->allow_extra_args(false)
      ->option_text("URL")
      ->check(not_empty);
  command.add_flag("--seed", options.seed, "With --add: they are seeds, and widen the scope");
  command.add_flag("--force", options.force,
                   "With --add: also if they are known already, or over the budget of their host");
  command
      .add_option("--precedence", options.precedence,
                  "With --add: the line in which they wait: 'first' comes before all others of their host, then "
                  "'embed', then 'normal'. Without it, their path from the seed decides")
      ->check(CLI::IsMember({"first", "embed", "normal"}));
  command.add_flag("--delete", options.erase, "Delete URLs that wait, of --host, with --regex or both");
  command.add_flag("--dry-run", options.dry, "With --delete: only count them");
  command.add_flag("--block", options.block, "Give up all URLs of --host");
  command.add_flag("--unblock", options.unblock, "Visit --host again");
  command.add_flag("--retire", options.retire, "Let the URLs of --host or --queue wait");
  command.add_flag("--unretire", options.unretire, "Take --host or --queue up again");
  text("--delay", options.delay, "A delay of its own for --host, such as 30s; 'default' for that of the settings");
  text("--budget", options.budget, "Take so many URLs of --host, 0 for any number; 'default' for that of the settings");
  text("--queue", options.queue, "With --retire or --unretire: this origin (http://a.example:8080) alone");
  command.add_flag("--wake", options.wake, "Try again at once what waits after failures, of --host or all");
  text("--end-visit", options.end, "End the visit of this URL, which is stuck");
  command.add_flag("--all", options.all,
                   "Without other options: tell of the queues of all hosts, not only of resident ones");
  command.add_flag("--json", options.json,
                   "The answer of the crawl itself (api/openapi.yaml); with --urls a JSON object a line");
}

}  // namespace caddis::cli
