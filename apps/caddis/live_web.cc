#include "live_web.h"

#include <CLI/CLI.hpp>

#include <stdlib.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "caddis/aio/own_endpoints.h"
#include "caddis/config/settings.h"
#include "caddis/config/settings_file.h"
#include "caddis/fetch/address_policy.h"
#include "caddis/fetch/dns_over_https.h"
#include "caddis/io/files.h"
#include "caddis/io/spool.h"
#include "caddis/recording/live_fetch.h"
#include "caddis/recording/upstream.h"

namespace caddis::cli {
namespace {

constexpr uint64_t kSpoolMemory = 64 << 20;
// Less than a recorder takes: it is for a look, and nothing is kept.
constexpr recording::LiveLimits kLimits{.within = std::chrono::minutes(2), .bytes = 256 << 20};

Result<config::Settings> settings_of(const LiveWebOptions& options) {
  config::Settings settings;
  settings.fetch.trust = aio::TlsTrust::normal;
  if (!options.config.empty()) TRY_VOID(config::load_settings_file(io::real_files(), options.config, settings));
  TRY_VOID(options.settings.apply(config::sections_of(settings)));
  TRY_VOID(fetch::validate(settings.fetch));
  if (!settings.fetch.proxy.empty())
    return fail(ErrorCode::config,
                "fetch.proxy: --live asks sites itself, without another proxy. Leave the setting out");
  return settings;
}

Result<std::string> make_folder() {
  std::error_code error;
  std::string name = (std::filesystem::temp_directory_path(error) / "caddis-live-XXXXXX").string();
  if (error || ::mkdtemp(name.data()) == nullptr)
    return fail(ErrorCode::io, "no temporary folder can be made; TMPDIR says where it is to be");
  return name;
}

}  // namespace

void add_live_options(CLI::App& command, LiveWebOptions& options) {
  command.add_flag(
      "--live", options.is_on,
      "Show pages of the live web as they will replay: /live/URL fetches and rewrites them, and nothing is "
      "stored (docs/serving.md)");
  command.add_option("--config", options.config, "Settings of what --live fetches, as of a crawl: fetch, dns")
      ->option_text("FILE");
  options.settings.add_set(command);
}

struct LiveWeb::Parts {
  Parts(config::Settings the_settings, std::string the_folder)
      : settings(std::move(the_settings)),
        folder(std::move(the_folder)),
        spools(io::real_files(), folder, kSpoolMemory) {}

  config::Settings settings;
  std::string folder;
  io::SpoolFolder spools;
  fetch::AddressPolicy addresses;
  std::unique_ptr<dns::Resolver> resolver;
  std::unique_ptr<recording::Upstream> upstream;
};

LiveWeb::LiveWeb(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

LiveWeb::~LiveWeb() {
  std::error_code ignored;
  std::filesystem::remove(parts_->folder, ignored);
}

Result<std::unique_ptr<LiveWeb>> LiveWeb::open(aio::Loop& loop, aio::Network& network, const LiveWebOptions& options) {
  TRY(auto settings, settings_of(options));
  TRY(auto resolver, fetch::make_resolver(loop, settings.dns));
  TRY(auto folder, make_folder());
  auto parts = std::make_unique<Parts>(std::move(settings), std::move(folder));
  parts->spools.keep_free(static_cast<uint64_t>(parts->settings.limits.min_free_space));
  parts->resolver = std::move(resolver);
  const recording::Upstream::World world{loop, network, *parts->resolver, parts->spools, parts->addresses};
  parts->upstream = std::make_unique<recording::Upstream>(world, parts->settings.fetch);
  return std::unique_ptr<LiveWeb>(new LiveWeb(std::move(parts)));
}

aio::Task<Result<std::shared_ptr<const http::Exchange>>> LiveWeb::fetch(const http::ServerRequest& asked,
                                                                        const url::Url& url, const std::string& via) {
  const recording::LiveAsk ask{asked, url, via, true};
  auto result = co_await recording::fetch_live(*parts_->upstream, ask, kLimits);
  if (!result.exchange) co_return fail(ErrorCode::io, result.failure.error);
  co_return std::make_shared<const http::Exchange>(*std::move(result.exchange));
}

void LiveWeb::forbid(const std::vector<aio::Endpoint>& listeners) {
  for (const aio::Endpoint& listener : listeners)
    for (const aio::Endpoint& own : aio::own_endpoints(listener)) parts_->addresses.forbid(own);
}

void LiveWeb::abort() { parts_->upstream->abort(); }

aio::Task<void> LiveWeb::end() {
  parts_->upstream->abort();
  co_await parts_->resolver->end();
}

}  // namespace caddis::cli
