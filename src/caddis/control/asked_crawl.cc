#include "caddis/control/asked_crawl.h"

#include <fmt/format.h>

#include "caddis/base/percent.h"
#include "caddis/collection/launch.h"
#include "caddis/control/routes.h"
#include "caddis/crawl/stopped_crawl.h"
#include "caddis/io/files.h"

namespace caddis::control {
namespace {

std::string target_of(const std::string& path, const std::string& query) {
  return query.empty() ? path : path + "?" + query;
}

}  // namespace

std::string no_crawl_in(io::Files& files, const std::string& collection) {
  const std::string latest = io::join_path(collection, "latest");
  const auto launch = files.is_directory(latest) ? collection::latest_launch(files, latest)
                                                 : Result<std::optional<collection::Launch>>(std::nullopt);
  if (launch && *launch)
    return fmt::format("{} is the folder of a job: the collection of its latest launch is {}", collection, latest);
  if (files.is_directory(collection)) return fmt::format("there is no crawl in {}", collection);
  return fmt::format(
      "there is no crawl in {}: {}", collection,
      files.exists(collection) ? "it is a file, and a collection is a folder" : "there is no such folder");
}

Result<collection::Launch> latest_crawl_in(io::Files& files, const std::string& collection) {
  auto launch = collection::latest_launch(files, collection);
  if (!launch || !*launch) return fail(ErrorCode::not_found, no_crawl_in(files, collection));
  return **std::move(launch);
}

std::string query_of(std::initializer_list<std::pair<std::string_view, std::string_view>> parameters) {
  std::string query;
  for (const auto& [name, value] : parameters)
    if (!value.empty()) query += fmt::format("{}{}={}", query.empty() ? "" : "&", name, percent_encoded(value));
  return query;
}

AskedCrawl::AskedCrawl(const AskingWorld& world, collection::Launch launch)
    : world_(&world), launch_(std::move(launch)) {}
AskedCrawl::AskedCrawl(AskedCrawl&&) noexcept = default;
AskedCrawl::~AskedCrawl() = default;

Result<AskedCrawl> AskedCrawl::open(const AskingWorld& world, const std::string& collection) {
  TRY(auto launch, latest_crawl_in(world.files, collection));
  return AskedCrawl(world, std::move(launch));
}

Result<std::string> AskedCrawl::ask(const std::string& method, const std::string& target, const std::string& body) {
  if (!world_->ask) return fail(ErrorCode::not_found, "nobody is asked");
  return world_->ask(launch_.control_socket(),
                     {.method = method, .target = target, .body = body, .actor = world_->actor}, world_->patience);
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
    if (!world_->open_kv)
      return fail(ErrorCode::unsupported, "the crawl does not run, and its state is not looked into from here");
    TRY(stopped_, crawl::StoppedCrawl::open(world_->files, world_->clock, world_->open_kv, launch_));
  }
  const auto ask_about = [this](std::string_view url) -> Result<AskedUrl> {
    TRY(auto scheduled, stopped_->scheduled_url_of(url));
    TRY(auto sheets, stopped_->sheets_of(url));
    return AskedUrl{std::move(scheduled), std::move(sheets)};
  };
  return look({stopped_->frontier(), ask_about, true}, path, query);
}

Result<std::string> AskedCrawl::post(const std::string& path, const std::string& query, const std::string& body) {
  return ask("POST", target_of(path, query), body);
}

}  // namespace caddis::control
