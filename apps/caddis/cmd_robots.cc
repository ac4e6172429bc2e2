// caddis robots check: what a robots.txt says about URLs (RFC 9309).
// With --robots FILE, URLs as operands or a line each; otherwise JSON lines {"robots" or
// "robots_file","user_agent","url"}.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "batch.h"
#include "caddis/base/json_text.h"
#include "caddis/io/files.h"
#include "caddis/robots/encoding.h"
#include "caddis/robots/robots.h"
#include "commands.h"

namespace caddis::cli {
namespace {

struct RobotsArguments {
  std::string robots_file, user_agent = "caddis";
  std::vector<std::string> urls;
  bool json = false;
};

constexpr uint64_t kMaxFile = 64 << 20;  // read no more of a file, of which 500 KiB count

class Checker {
 public:
  explicit Checker(const RobotsArguments& arguments) : arguments_(arguments) {}

  Result<void> load(const std::string& path) {
    if (path == loaded_path_) return {};
    TRY(const std::string text, io::real_files().read_all(path, kMaxFile));
    robots_ = robots::Robots::parse(text);
    loaded_path_ = path;
    return {};
  }

  // An item of the batch: a URL, or a JSON object that may bring its own file and agent.
  Result<std::string> check_line(std::string_view line) {
    if (!line.starts_with('{')) {
      if (loaded_path_.empty())
        return fail(ErrorCode::parse, "the line is no JSON object; for plain URLs say which file with --robots");
      return check(line, arguments_.user_agent);
    }
    const auto item = nlohmann::json::parse(line, nullptr, false);
    if (!item.is_object()) return fail(ErrorCode::parse, "the line is no JSON object");
    const auto text = [&](const char* name) -> std::optional<std::string> {
      const auto found = item.find(name);
      return found != item.end() && found->is_string() ? std::optional(found->get<std::string>()) : std::nullopt;
    };
    const auto url = text("url");
    if (!url) return fail(ErrorCode::parse, "the object has no \"url\"");
    if (const auto own = text("robots")) {
      robots_ = robots::Robots::parse(*own);
      loaded_path_.clear();
    } else if (const auto path = text("robots_file")) {
      TRY_VOID(load(*path));
    } else if (!arguments_.robots_file.empty()) {
      TRY_VOID(load(arguments_.robots_file));
    } else {
      return fail(ErrorCode::parse, "the object has neither \"robots\" nor \"robots_file\"");
    }
    return check(*url, text("user_agent").value_or(arguments_.user_agent));
  }

  // The URL is taken as it stands, as a request line would be: what it leaves unescaped is not escaped here.
  std::string check(std::string_view url, std::string_view user_agent) const {
    const std::string path = robots::path_and_query(url);
    const robots::Verdict verdict = robots_.verdict(user_agent, path);
    const auto delay = robots_.crawl_delay(user_agent);
    if (!arguments_.json) {
      const std::string rule =
          verdict.rule.empty() ? "no rule" : fmt::format("line {}: {}", verdict.line, verdict.rule);
      return fmt::format("{}\t{}\t{}", verdict.allowed ? "allowed" : "disallowed", url, rule);
    }
    JsonObject answer;
    answer.add("allowed", verdict.allowed);
    if (verdict.rule.empty())
      answer.add_null("rule").add_null("line");
    else
      answer.add("rule", verdict.rule).add("line", verdict.line);
    if (delay)
      answer.add("crawl_delay", std::chrono::duration<double>(*delay).count());
    else
      answer.add_null("crawl_delay");
    return answer.finish();
  }

 private:
  const RobotsArguments& arguments_;
  robots::Robots robots_;
  std::string loaded_path_;  // of robots_, where it comes from a file
};

int check_robots(const RobotsArguments& arguments) {
  Checker checker(arguments);
  if (!arguments.robots_file.empty()) {
    if (auto loaded = checker.load(arguments.robots_file); !loaded) {
      fmt::print(stderr, "caddis robots check: {}\n", loaded.error().message);
      return 1;
    }
  } else if (!arguments.urls.empty()) {
    fmt::print(stderr, "caddis robots check: say which robots.txt the URLs are checked against, with --robots FILE\n");
    return 2;
  }
  for (const std::string& url : arguments.urls) fmt::print("{}\n", checker.check(url, arguments.user_agent));
  if (!arguments.urls.empty()) return 0;
  run_batch(arguments.json ? BadItem::json : BadItem::dash,
            [&](std::string_view line) { return checker.check_line(line); });
  return 0;
}

}  // namespace

void add_robots_commands(CLI::App& app, int& exit_code) {
  CLI::App* robots = app.add_subcommand("robots", "The Robots Exclusion Protocol")->require_subcommand(1);
  CLI::App* check =
      robots->add_subcommand("check", "Say for each URL whether a robots.txt allows it, and which line decides");
  auto arguments = std::make_shared<RobotsArguments>();
  check->add_option("--robots", arguments->robots_file, "The robots.txt, a file")->type_name("FILE");
  check->add_option("--user-agent", arguments->user_agent, "Product token or User-Agent header")->capture_default_str();
  check->add_flag("--json", arguments->json, "A JSON object a line");
  check->add_option("url", arguments->urls, "URLs; without any, lines of standard input");
  check->callback([arguments, &exit_code] { exit_code = check_robots(*arguments); });
}

}  // namespace caddis::cli
