#include "live_pages.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/replay/address.h"
#include "caddis/replay/base_path.h"
#include "caddis/replay/headers.h"

namespace caddis::cli {
namespace {

constexpr std::string_view kRecord = "record/";
// An index looks for what is new once a second.
constexpr Duration kPause = std::chrono::milliseconds(200);
constexpr int kTries = 20;
// As many as a browser has open to one site, and some more.
constexpr size_t kAtOnce = 8;

// "/<collection>/<rest>"
struct Asked {
  std::string collection, rest;
};
std::optional<Asked> asked_of(std::string_view target) {
  const size_t slash = target.find('/', 1);
  if (slash == std::string_view::npos || target.size() < 2 || target[1] == '-' || target[1] == '~') return std::nullopt;
  return Asked{std::string(target.substr(1, slash - 1)), std::string(target.substr(slash + 1))};
}

// The page that a field names is none of this host.
bool is_elsewhere(std::string_view page, const http::ServerRequest& request) {
  if (page.empty()) return false;
  const auto url = url::Url::parse(page);
  return !url || !equals_ignore_case(url->host(), request.header("host"));
}

// Browsers say so to this machine and over https; older ones name the page that asks. Programs say nothing.
bool is_of_a_stranger(const http::ServerRequest& request) {
  const std::string_view site = request.header("sec-fetch-site");
  if (!site.empty()) return site != "none" && site != "same-origin";
  return is_elsewhere(request.header("origin"), request) || is_elsewhere(request.header("referer"), request);
}

// Below a base path, a host has other things too, whose pages browsers take for ours.
bool is_outside(const http::ServerRequest& request, std::string_view base) {
  const auto referer = url::Url::parse(request.header("referer"));
  return referer && !replay::below_base(base, referer->pathname());
}

// A capture that can be fetched: a name without a date and a scheme ("favicon.ico") is one of the server's own.
std::optional<url::Url> missing_url(std::string_view rest) {
  const auto address = replay::capture_address(rest);
  if (!address || (address->timestamp.empty() && !address->has_scheme)) return std::nullopt;
  auto url = url::Url::parse(address->url);
  if (!url || !url->is_http() || url->effective_port() == 0) return std::nullopt;
  return *std::move(url);
}

// The captured page that asks, by its address here.
std::string page_of(const http::ServerRequest& request, std::string_view base) {
  const auto referer = url::Url::parse(request.header("referer"));
  if (!referer) return {};
  const auto below = replay::below_base(base, std::string(referer->pathname()) + std::string(referer->search()));
  const auto asked = below ? asked_of(*below) : std::nullopt;
  const auto address = asked ? replay::parse_address(asked->rest) : std::nullopt;
  return address ? address->url : std::string();
}

}  // namespace

aio::Task<http::ServerResponse> LivePages::answer(const http::ServerRequest& request, const ArchiveDoor& archive) {
  auto asked = asked_of(request.target);
  const bool may_be_live = request.method == "GET" && asked && archive.serves(asked->collection);
  if (may_be_live && asked->rest.starts_with(kRecord)) {
    std::string text = asked->rest.substr(kRecord.size());
    co_return co_await record(request, archive, std::move(asked->collection), std::move(text));
  }
  http::ServerResponse response = co_await archive.replay(request);
  const bool is_missing = response.status == 404 && replay::find_header(response.headers, "memento-datetime").empty();
  if (!may_be_live || !is_missing || is_of_a_stranger(request) || is_outside(request, archive.base)) co_return response;
  auto url = missing_url(asked->rest);
  if (!url) co_return response;
  const auto refused = co_await archive.refuse_change(request);
  if (refused) co_return response;
  std::string via = page_of(request, archive.base);
  const auto fetched = co_await fetch(request, *std::move(url), std::move(via));
  if (!fetched) co_return response;
  co_return co_await ask_until_there(request, archive.replay);
}

aio::Task<Result<void>> LivePages::fetch(const http::ServerRequest& request, url::Url url, std::string via) {
  while (running_ >= kAtOnce) co_await freed_.wait();
  ++running_;
  Result<void> fetched = co_await fetch_(request, std::move(url), std::move(via));
  --running_;
  freed_.notify();
  co_return fetched;
}

aio::Task<http::ServerResponse> LivePages::record(const http::ServerRequest& request, const ArchiveDoor& archive,
                                                  std::string collection, std::string text) {
  if (is_of_a_stranger(request) || is_outside(request, archive.base))
    co_return replay::confined_text(403, "another site may not have pages recorded: open the address yourself");
  auto refused = co_await archive.refuse_change(request);
  if (refused) co_return *std::move(refused);
  auto url = url::Url::parse(replay::repair_url(text));
  if (!url || !url->is_http() || url->effective_port() == 0)
    co_return replay::confined_text(400, fmt::format("'{}' is no URL of http or https", replay::header_url(text)));
  const std::string to = fmt::format("/{}/{}", collection, replay::header_url(url->href()));
  const auto fetched = co_await fetch(request, *std::move(url), std::string());
  if (!fetched) co_return replay::confined_text(502, fmt::format("nothing was recorded: {}", fetched.error().message));
  http::ServerRequest shown = request;
  shown.target = shown.path = to;
  shown.query.clear();
  const auto there = co_await ask_until_there(shown, archive.replay);
  if (there.status >= 400) co_return replay::confined_text(503, "it is recorded, and not shown yet: try again");
  http::ServerResponse response(302);
  response.headers.emplace_back("Location", archive.base + to);
  response.headers.emplace_back("Cache-Control", "no-store");
  co_return response;
}

aio::Task<http::ServerResponse> LivePages::ask_until_there(const http::ServerRequest& request,
                                                           const http::Handler& replay) {
  http::ServerResponse response = co_await replay(request);
  for (int tries = 0; tries < kTries; ++tries) {
    if (response.status != 404 || !replay::find_header(response.headers, "memento-datetime").empty()) break;
    co_await aio::sleep_for(loop_, kPause);
    response = co_await replay(request);
  }
  co_return response;
}

}  // namespace caddis::cli
