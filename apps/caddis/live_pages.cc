#include "live_pages.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "caddis/replay/address.h"
#include "caddis/replay/headers.h"
#include "live_requests.h"

namespace caddis::cli {
namespace {

constexpr std::string_view kRecord = "record/";
// An index looks for what is new once a second.
constexpr Duration kPause = std::chrono::milliseconds(200);
constexpr int kTries = 20;

// A capture that can be fetched: a name without a date and a scheme ("favicon.ico") is one of the server's own.
std::optional<url::Url> missing_url(std::string_view rest) {
  const auto address = replay::capture_address(rest);
  if (!address || (address->timestamp.empty() && !address->has_scheme)) return std::nullopt;
  auto url = url::Url::parse(address->url);
  if (!url || !url->is_http() || url->effective_port() == 0) return std::nullopt;
  return *std::move(url);
}

}  // namespace

aio::Task<http::ServerResponse> LivePages::answer(const http::ServerRequest& request, const ArchiveDoor& archive) {
  auto asked = asked_place(request.target);
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
  co_await turns_.take();
  Result<void> fetched = co_await fetch_(request, std::move(url), std::move(via));
  turns_.give_back();
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
