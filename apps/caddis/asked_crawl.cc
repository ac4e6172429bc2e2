#include "asked_crawl.h"

#include <fmt/format.h>

#include "caddis/base/percent.h"
#include "caddis/control/control_client.h"
#include "caddis/control/routes.h"
#include "caddis/crawl/stopped_crawl.h"
#include "caddis/io/files.h"
#include "caddis/store/rocks_kv.h"

namespace caddis::cli {
namespace {

// A checkpoint writes what the store has in memory, and links its files.
constexpr Duration kPatience = std::chrono::minutes(10);

std::string target_of(const std::string& path, const std::string& query) {
  return query.empty() ? path : path + "?" + query;
}

}  // namespace

std::string query_of(std::initializer_list<std::pair<std::string_view, std::string_view>> parameters) {
  std::string query;
  for (const auto& [name, value] : parameters)
    if (!value.empty()) query += fmt::format("{}{}={}", query.empty() ? "" : "&", name, percent_encoded(value));
  return query;
}

AskedCrawl::AskedCrawl(collection::Launch launch) : launch_(std::move(launch)) {}
AskedCrawl::AskedCrawl(AskedCrawl&&) noexcept = default;
AskedCrawl::~AskedCrawl() = default;

Result<AskedCrawl> AskedCrawl::open(const std::string& collection) {
  auto launch = collection::latest_launch(io::real_files(), collection);
  if (!launch || !*launch) return fail(ErrorCode::not_found, fmt::format("there is no crawl in {}", collection));
  return AskedCrawl(**std::move(launch));
}

Result<std::string> AskedCrawl::ask(const std::string& method, const std::string& target, const std::string& body) {
  return control::ask(launch_.control_socket(), {.method = method, .target = target, .body = body}, kPatience);
}

Result<std::string> AskedCrawl::status() { return ask("GET", "/status"); }
Result<std::string> AskedCrawl::visits() { return ask("GET", "/visits"); }

Result<std::string> AskedCrawl::ask_settings(const std::string& query) {
  return ask("GET", target_of("/settings", query));
}

Result<std::string> AskedCrawl::ask_sheets(const std::string& query) { return ask("GET", target_of("/sheets", query)); }

Result<std::string> AskedCrawl::ask_scope(const std::string& query) { return ask("GET", target_of("/scope", query)); }

Result<std::string> AskedCrawl::get(const std::string& path, const std::string& query) {
  if (!stopped_) {
    auto answer = ask("GET", target_of(path, query));
    if (answer || answer.error().code != ErrorCode::not_found) return answer;
    TRY(stopped_, crawl::StoppedCrawl::open(io::real_files(), system_clock(), store::rocks_opener(), launch_));
  }
  const auto ask_about = [this](std::string_view url) -> Result<control::AskedUrl> {
    TRY(auto scheduled, stopped_->scheduled_url_of(url));
    TRY(auto sheets, stopped_->sheets_of(url));
    return control::AskedUrl{std::move(scheduled), std::move(sheets)};
  };
  return control::look({stopped_->frontier(), ask_about, true}, path, query);
}

Result<std::string> AskedCrawl::post(const std::string& path, const std::string& query, const std::string& body) {
  return ask("POST", target_of(path, query), body);
}

}  // namespace caddis::cli
