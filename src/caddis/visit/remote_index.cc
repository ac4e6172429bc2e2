#include "caddis/visit/remote_index.h"

#include <fmt/format.h>

#include "caddis/base/log.h"
#include "caddis/base/percent.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/line.h"
#include "caddis/fetch/decoded_body.h"
#include "caddis/url/public_form.h"
#include "caddis/visit/lane_tools.h"

namespace caddis::visit {
namespace {

constexpr unsigned kMostInFlight = 8;
constexpr unsigned kFailuresUntilAway = 3;
constexpr Duration kAway = std::chrono::seconds(30);
constexpr size_t kMostAnswer = 4 << 20;
constexpr size_t kMostCached = 1'000, kMostLinesCached = 100;

std::string path_of(const url::Url& base, std::string_view url) {
  std::string path(base.pathname());
  path += base.search();
  path += base.search().empty() ? '?' : '&';
  return path + "url=" + percent_encoded(url) + "&limit=1000";
}

}  // namespace

RemoteIndex::RemoteIndex(LaneTools& tools, url::Url base, Duration timeout)
    : tools_(tools), base_(std::move(base)), timeout_(timeout), free_(tools.loop) {}

bool RemoteIndex::is_away() const { return away_until_ && tools_.loop.clock().steady() < *away_until_; }

aio::Task<std::optional<dedup::Match>> RemoteIndex::find(std::string digest, std::string url) {
  auto lines = co_await ask(url);
  if (!lines) co_return std::nullopt;
  const std::string_view wanted = cdx::index_digest(digest);
  std::optional<dedup::Match> best;
  for (Known& known : *lines) {
    if (known.digest != wanted) continue;
    const auto likeness = known.original.url == url ? dedup::Likeness::url : dedup::Likeness::canonical;
    if (!best || likeness < best->likeness) best = dedup::Match{std::move(known.original), likeness};
  }
  co_return best;
}

aio::Task<std::optional<RemoteIndex::Lines>> RemoteIndex::ask(std::string url) {
  if (const auto cached = cache_.find(url); cached != cache_.end()) co_return cached->second;
  while (in_flight_ >= kMostInFlight && !is_away() && !tools_.is_aborted) co_await free_.wait();
  if (is_away() || tools_.is_aborted) co_return std::nullopt;
  ++in_flight_;
  const auto answer = co_await call(url);
  --in_flight_;
  free_.notify();
  note(answer);
  if (!answer) co_return std::nullopt;
  Lines lines = read(*answer);
  if (cache_.size() >= kMostCached) cache_.clear();
  if (lines.size() <= kMostLinesCached) cache_[url] = lines;
  co_return lines;
}

aio::Task<Result<std::string>> RemoteIndex::call(std::string url) {
  CO_TRY(const dns::Answer where, co_await tools_.resolver->resolve(std::string(base_.hostname())));
  http::Origin origin{.tls = base_.scheme() == "https",
                      .host = std::string(base_.hostname()),
                      .port = base_.effective_port(),
                      .address = aio::Endpoint{where.addresses.front().text, base_.effective_port()},
                      .trust = aio::TlsTrust::strict};
  http::Request request;
  request.target = path_of(base_, url);
  request.add("Host", base_.host());
  request.add("User-Agent", tools_.context.user_agent);
  request.add("Accept-Encoding", "gzip");
  http::Limits limits;
  limits.connect = limits.silence = limits.total = timeout_;
  limits.max_body = kMostAnswer;
  const http::FetchResult got = co_await tools_.client.fetch(std::move(origin), std::move(request), limits);
  if (!got) co_return std::unexpected(got.error().error);
  const int status = got->head.status();
  if (status == 404) co_return std::string();  // as some say that there are no captures
  if (status != 200) co_return fail(ErrorCode::io, fmt::format("it answers with status {}", status));
  CO_TRY(const auto body, fetch::decode_body(*got, kMostAnswer));
  if (got->truncated != http::Truncated::none) co_return fail(ErrorCode::io, "its answer is cut short");
  co_return std::string(body.bytes());
}

RemoteIndex::Lines RemoteIndex::read(std::string_view text) {
  Lines lines;
  for (const std::string_view line : split(text, '\n')) {
    auto capture = line.empty() ? fail(ErrorCode::not_found, "") : cdx::parse_line(line);
    if (!capture || capture->is_revisit() || capture->digest.empty()) continue;
    const auto date = parse_timestamp(capture->timestamp);
    if (!date) continue;
    lines.push_back(
        {.digest = std::string(cdx::index_digest(capture->digest)),
         .original = {.url = capture->url, .date = *date, .record_id = {}, .etag = {}, .last_modified = {}}});
  }
  return lines;
}

// Tells once that it is away, and once that it is back.
void RemoteIndex::note(const Result<std::string>& answer) {
  if (answer) {
    if (away_until_) log_info("dedup", "the index {} answers again", url::public_form(base_));
    failures_ = 0;
    away_until_.reset();
    return;
  }
  if (++failures_ < kFailuresUntilAway) return;
  if (!away_until_)
    log_error("dedup", "the index {} is away, and payloads that it knows are stored again: {}", url::public_form(base_),
              answer.error().message);
  away_until_ = tools_.loop.clock().steady() + kAway;
}

}  // namespace caddis::visit
