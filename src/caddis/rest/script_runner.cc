// Each call is one question, or some questions one after the other, to the control API of the crawl. What is printed is
// what Heritrix's own functions print, as far as clients read it.
#include "caddis/rest/script_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "caddis/base/percent.h"
#include "caddis/base/strings.h"

namespace caddis::rest {
namespace {

using Json = nlohmann::json;
using Verb = ScriptVerb;

constexpr int kMostParts = 10'000;  // of a list that the crawl gives part by part

// Java matches all of a text, the control API finds an expression anywhere in it.
std::string whole_match(std::string_view expression) { return fmt::format("^(?:{})$", expression); }

bool matches_anything(std::string_view expression) {
  return expression.empty() || expression == ".*" || expression == "^.*" || expression == "^.*$" || expression == ".*$";
}

// The host of a queue's key: "example.org", "example.org#2", or as SURT "org,example,www,".
std::string host_of(std::string_view queue) {
  std::string_view key = queue.substr(0, queue.find('#'));
  if (!key.contains(',')) return std::string(key);
  std::string host;
  std::vector<std::string_view> labels = split(key, ',');
  std::ranges::reverse(labels);
  for (const std::string_view label : labels) {
    if (label.empty() || label.starts_with('+')) continue;
    if (!host.empty()) host += '.';
    host += label;
  }
  return host;
}

Result<std::string> field_of(std::string_view document, std::string_view name) {
  const Json json = Json::parse(document, nullptr, false);
  if (!json.is_object() || !json.contains(name))
    return fail(ErrorCode::parse, fmt::format("the crawl's answer has no {}", name));
  const Json& field = json[std::string(name)];
  return field.is_string() ? field.get<std::string>() : field.dump();
}

// The first twelve words of each line: Heritrix's columns without Caddis's own.
std::string twelve_columns(std::string_view report) {
  std::string out;
  for (const std::string_view line : split(report, '\n')) {
    size_t columns = 0;
    for (const std::string_view word : split(line, ' ')) {
      if (word.empty()) continue;
      if (columns == 12) break;
      if (columns++ != 0) out += ' ';
      out += word;
    }
    if (columns != 0) out += '\n';
  }
  return out;
}

int64_t number_or(const std::vector<std::string>& arguments, size_t at, int64_t otherwise) {
  if (at >= arguments.size()) return otherwise;
  return std::max<int64_t>(0, parse_int(arguments[at]).value_or(otherwise));
}

}  // namespace

bool pauses_at_start(std::string_view cxml) {
  constexpr std::string_view kName = "pauseAtStart";
  for (size_t at = cxml.find(kName); at != std::string_view::npos; at = cxml.find(kName, at + 1)) {
    const std::string_view value = cxml.substr(at + kName.size(), 40);
    const size_t no = value.find("false"), yes = value.find("true");
    if (no < yes) return false;
    if (yes != std::string_view::npos) return true;
  }
  return true;
}

aio::Task<ScriptOutcome> ScriptRunner::run(std::string engine, std::string script) {
  ScriptOutcome outcome;
  outcome.engine = engine;
  outcome.script = script;
  if (engine == "lua") {
    auto printed = co_await run_lua(std::move(script));
    if (printed)
      outcome.raw_output = *std::move(printed);
    else
      outcome.exception = printed.error().message;
    co_return outcome;
  }
  const auto calls = recognise_script(script);
  if (!calls) {
    outcome.exception = fmt::format(
        "javax.script.ScriptException: Caddis does not run {}, and does not know this script: {}. "
        "docs/heritrix-rest.md lists those that it knows; write it in Lua (engine=lua)",
        engine.empty() ? "such scripts" : engine, calls.error().message);
    co_return outcome;
  }
  for (const ScriptCall& call : *calls) {
    auto printed = co_await run_call(call);
    if (!printed) {
      outcome.exception = "javax.script.ScriptException: " + printed.error().message;
      break;
    }
    outcome.raw_output += *printed;
  }
  co_return outcome;
}

aio::Task<ScriptRunner::Answer> ScriptRunner::control(std::string method, std::string target, std::string body) {
  std::string whole = job_target(job_.name, "/control" + target);
  if (method == "GET") return door_.get(std::move(whole));
  return door_.post(std::move(whole), std::move(body));
}

aio::Task<ScriptRunner::Answer> ScriptRunner::act(std::string action, std::string body) {
  const auto done = co_await door_.post(job_target(job_.name, "/" + action), std::move(body));
  if (!done) co_return std::unexpected(done.error());
  co_return std::string();
}

aio::Task<ScriptRunner::Answer> ScriptRunner::run_lua(std::string script) {
  CO_TRY(const std::string answer, co_await control("POST", "/console?session=rest", std::move(script)));
  const Json run = Json::parse(answer, nullptr, false);
  if (!run.is_object()) co_return fail(ErrorCode::parse, "the console gave no document");
  if (run.contains("error") && run["error"].is_string()) co_return fail(ErrorCode::config, run["error"]);
  co_return run.value("output", "");
}

aio::Task<ScriptRunner::Answer> ScriptRunner::run_call(ScriptCall call) {
  std::vector<std::string>& given = call.arguments;
  switch (call.verb) {
    case Verb::pause_at_start: {
      const auto cxml = files_.read(job_.name + "/crawler-beans.cxml");
      co_return std::string(!cxml || pauses_at_start(*cxml) ? "true\n" : "false\n");
    }
    case Verb::all_queues: {
      CO_TRY(const std::string report,
             co_await control("GET", "/reports/frontier-nonempty-report?format=text&limit=100000"));
      co_return twelve_columns(report);
    }
    case Verb::launch_id:
      co_return job_.is_running() || job_.state == "FINISHED" ? job_.last_launch + "\n" : std::string("null\n");
    case Verb::list_folder:
      co_return co_await list(given.front(), false, "both");
    case Verb::list_recursively:
      co_return co_await list(std::string(), true, given.front());
    case Verb::delete_job:
      co_return co_await act("delete", R"({"launches": true})");
    case Verb::delete_urls: {
      const bool has_both = given.size() == 2;
      co_return co_await delete_urls(has_both ? given[0] : std::string(), given.back(), false);
    }
    case Verb::pause_crawl:
      co_return co_await act("pause");
    case Verb::resume_crawl:
      co_return co_await act("unpause");
    case Verb::stop_crawl:
      co_return co_await act("terminate");
    case Verb::take_checkpoint:
      co_return co_await act("checkpoint");
    case Verb::state_of_crawl:
      co_return controller_state(job_) + "\n";
    case Verb::url_count:
      co_return fmt::format("{}\n", job_.crawl ? job_.crawl->queued : 0);
    case Verb::add_url:
      co_return co_await control("POST", "/urls?force=1", given.back());
    case Verb::add_seed:
      co_return co_await control("POST", "/urls?force=1&seed=1", given.back());
    case Verb::print_text:
      co_return given.back() + "\n";
    default:
      co_return co_await run_nas(std::move(call));
  }
}

aio::Task<ScriptRunner::Answer> ScriptRunner::run_nas(ScriptCall call) {
  std::vector<std::string>& given = call.arguments;
  switch (call.verb) {
    case Verb::nas_urls_in_frontier:
      co_return fmt::format("{}\n", job_.crawl ? job_.crawl->queued : 0);
    case Verb::nas_matched_urls:
      co_return co_await delete_urls(std::string(), given[0], true);
    case Verb::nas_list_frontier:
      co_return co_await list_urls(std::move(given));
    case Verb::nas_delete:
      co_return co_await delete_urls(std::string(), given[0], false);
    case Verb::nas_crawl_log:
      co_return co_await crawl_log(std::move(given));
    case Verb::nas_change_budget: {
      const auto changed = co_await control(
          "POST", fmt::format("/hosts/{}?budget={}", percent_encoded(host_of(given[0])), percent_encoded(given[1])));
      if (!changed) co_return std::unexpected(changed.error());
      co_return fmt::format("{} {}\n", given[0], given[1]);
    }
    case Verb::nas_queue_total_budget: {
      CO_TRY(const std::string budget, co_await setting("politeness.host-budget"));
      co_return budget == "0" ? std::string("-1\n") : budget + "\n";
    }
    case Verb::nas_group_max_kb: {
      CO_TRY(const std::string bytes, co_await setting("quota.group-bytes"));
      const auto number = parse_int(bytes);
      co_return number && *number > 0 ? fmt::format("{}\n", *number / 1024)
      : bytes == "0"                  ? std::string("-1\n")
                                      : bytes + "\n";
    }
    case Verb::nas_show_filters:
    case Verb::nas_add_filter:
    case Verb::nas_remove_filters:
      co_return co_await change_filters(std::move(call));
    case Verb::nas_kill_thread:
      co_return co_await kill_thread(given[0]);
    case Verb::nas_mod_budgets:
      co_return fail(
          ErrorCode::unsupported,
          "showModBudgets: budgets of single hosts are not listed; GET hosts/{host} of the control API tells one");
    default:
      co_return fail(ErrorCode::unsupported, "the script is known, but nothing does it");
  }
}

aio::Task<ScriptRunner::Answer> ScriptRunner::list(std::string folder, bool recursively, std::string kinds) {
  const std::string path = folder.empty() || folder == "." ? job_.name : fmt::format("{}/{}", job_.name, folder);
  Result<std::vector<JobFiles::Entry>> found;
  const auto look = [&] { found = recursively ? files_.list_all(path) : files_.list(path); };
  const std::function<void()> work = look;
  co_await workshop_.workers.run(workshop_.loop, work);
  if (!found && found.error().code == ErrorCode::not_found)
    co_return fail(ErrorCode::not_found, fmt::format("java.io.FileNotFoundException: {}/{}", files_.root(), path));
  if (!found) co_return std::unexpected(found.error());
  std::string out;
  for (const JobFiles::Entry& entry : *found)
    if (kinds == "both" || (kinds == "folders") == entry.is_directory)
      out += fmt::format("{}/{}\n", files_.root(), entry.path);
  co_return out;
}

aio::Task<ScriptRunner::Answer> ScriptRunner::delete_urls(std::string queues, std::string urls, bool is_dry) {
  if (!matches_anything(queues))
    co_return fail(ErrorCode::unsupported,
                   fmt::format("deleteURIs of the queues '{}': give \".*\" and an expression for URLs", queues));
  const std::string field = is_dry ? "would_delete" : "deleted";
  std::string marker;
  uint64_t sum = 0;
  for (int part = 0; part < kMostParts; ++part) {
    std::string target = "/urls/delete?regex=" + percent_encoded(whole_match(urls)) + (is_dry ? "&dry=1" : "");
    if (!marker.empty()) target += "&marker=" + percent_encoded(marker);
    CO_TRY(const std::string answer, co_await control("POST", std::move(target)));
    CO_TRY(const std::string count, field_of(answer, field));
    sum += static_cast<uint64_t>(parse_int(count).value_or(0));
    CO_TRY(marker, field_of(answer, "marker"));
    if (marker.empty()) break;
  }
  co_return fmt::format("{}\n", sum);
}

aio::Task<ScriptRunner::Answer> ScriptRunner::list_urls(std::vector<std::string> arguments) {
  const auto limit = static_cast<size_t>(std::clamp<int64_t>(number_or(arguments, 1, 100), 1, 10'000));
  const auto first = static_cast<size_t>(number_or(arguments, 2, 0)) * limit;
  std::string marker, out;
  size_t at = 0;
  for (int part = 0; part < kMostParts && at < first + limit; ++part) {
    std::string target =
        fmt::format("/urls?limit={}&nearest=1&regex={}", limit, percent_encoded(whole_match(arguments[0])));
    if (!marker.empty()) target += "&marker=" + percent_encoded(marker);
    CO_TRY(const std::string answer, co_await control("GET", std::move(target)));
    const Json page = Json::parse(answer, nullptr, false);
    if (!page.is_object() || !page.contains("urls")) co_return fail(ErrorCode::parse, "the crawl gave no list of URLs");
    for (const Json& url : page["urls"]) {
      if (at >= first && at < first + limit) out += url.value("url", "") + "\n";
      ++at;
    }
    marker = page.value("marker", "");
    if (marker.empty()) break;
  }
  co_return out;
}

aio::Task<ScriptRunner::Answer> ScriptRunner::crawl_log(std::vector<std::string> arguments) {
  const int64_t limit = std::clamp<int64_t>(number_or(arguments, 1, 100), 1, 10'000);
  const int64_t wanted = std::min<int64_t>(10'000, (number_or(arguments, 2, 0) + 1) * limit);
  CO_TRY(const std::string page,
         co_await door_.get(
             job_target(job_.name, fmt::format("/launches/latest/logs/crawl.log?reverse=1&limit={}&regex={}", wanted,
                                               percent_encoded(arguments[0])))));
  CO_TRY(const std::vector<std::string> lines, read_lines(page));
  std::string out;
  for (auto at = static_cast<size_t>(wanted - limit); at < lines.size(); ++at) out += lines[at] + "\n";
  co_return out;
}

aio::Task<ScriptRunner::Answer> ScriptRunner::setting(std::string name) {
  CO_TRY(const std::string answer, co_await control("GET", "/settings?name=" + percent_encoded(name)));
  const Json settings = Json::parse(answer, nullptr, false);
  if (!settings.is_object() || !settings.contains("settings") || settings["settings"].empty())
    co_return fail(ErrorCode::not_found, fmt::format("the crawl has no setting {}", name));
  co_return settings["settings"][0].value("value", "");
}

// Filters are the expressions of `scope.exclude`, by their number from 0.
aio::Task<ScriptRunner::Answer> ScriptRunner::change_filters(ScriptCall call) {
  CO_TRY(const std::string now, co_await setting("scope.exclude"));
  std::vector<std::string> filters;
  for (const std::string_view line : split(now, '\n'))
    if (!line.empty()) filters.emplace_back(line);
  if (call.verb == Verb::nas_add_filter) filters.push_back(call.arguments[0]);
  if (call.verb == Verb::nas_remove_filters) {
    std::vector<int64_t> numbers;
    for (const std::string_view number : split(call.arguments[0], ','))
      numbers.push_back(parse_int(trim(number)).value_or(-1));
    std::vector<std::string> left;
    for (size_t i = 0; i < filters.size(); ++i)
      if (std::ranges::find(numbers, static_cast<int64_t>(i)) == numbers.end()) left.push_back(filters[i]);
    filters = std::move(left);
  }
  if (call.verb != Verb::nas_show_filters) {
    std::string body;
    for (const std::string& filter : filters) body += fmt::format("scope.exclude={}\n", filter);
    if (filters.empty()) body = "scope.exclude=\n";
    const auto changed = co_await control("POST", "/settings", std::move(body));
    if (!changed) co_return std::unexpected(changed.error());
  }
  std::string out;
  for (size_t i = 0; i < filters.size(); ++i) out += fmt::format("{} {}\n", i, filters[i]);
  co_return out;
}

// A thread of Heritrix is a visit of Caddis: the one that has run longest in that lane.
aio::Task<ScriptRunner::Answer> ScriptRunner::kill_thread(std::string number) {
  CO_TRY(const std::string answer, co_await control("GET", "/visits?limit=10000"));
  const Json list = Json::parse(answer, nullptr, false);
  if (!list.is_object() || !list.contains("visits"))
    co_return fail(ErrorCode::parse, "the crawl gave no list of visits");
  for (const Json& visit : list["visits"]) {
    if (std::to_string(visit.value("lane", uint64_t())) != number) continue;
    const std::string url = visit.value("url", "");
    const auto ended = co_await control("POST", "/visits/end?url=" + percent_encoded(url));
    if (!ended) co_return std::unexpected(ended.error());
    co_return fmt::format("the visit of {} ends\n", url);
  }
  co_return fail(ErrorCode::not_found, fmt::format("no visit runs in thread {}", number));
}

}  // namespace caddis::rest
