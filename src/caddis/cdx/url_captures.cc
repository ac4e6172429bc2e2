#include "caddis/cdx/url_captures.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/capture_scan.h"
#include "caddis/cdx/key_slice.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/real_time.h"
#include "caddis/url/url.h"

namespace caddis::cdx {
namespace {

using std::chrono::seconds;

// So many lines of a URL that cannot be read are passed over on the way to one that can.
constexpr size_t kMostPassedOver = 10'000;

Result<void> collect_near(LineSource& source, std::string_view urlkey, std::string_view timestamp, size_t limit,
                          std::vector<Capture>& found) {
  const std::string prefix = std::string(urlkey) + ' ';
  TRY(auto cursor, source.seek(prefix + std::string(timestamp)));
  size_t taken = 0, passed = 0;
  const auto take = [&] {
    auto capture = source.capture_at(*cursor);
    ++(capture ? taken : passed);
    if (capture) found.push_back(*std::move(capture));
  };
  while (taken < limit && passed < kMostPassedOver && !cursor->at_end() && cursor->starts_with(prefix)) {
    take();
    TRY_VOID(cursor->next());
  }
  TRY(cursor, source.seek(prefix + std::string(timestamp)));
  for (taken = passed = 0; taken < limit && passed < kMostPassedOver;) {
    TRY(const bool moved, cursor->previous());
    if (!moved || !cursor->starts_with(prefix)) break;
    take();
  }
  return {};
}

// The last capture of the key before that place, and the first from it on.
Result<std::optional<Capture>> capture_before(LineSource& source, std::string_view key, std::string_view prefix) {
  TRY(const auto cursor, source.seek(key));
  for (size_t passed = 0; passed < kMostPassedOver; ++passed) {
    TRY(const bool moved, cursor->previous());
    if (!moved || !cursor->starts_with(prefix)) break;
    if (auto capture = source.capture_at(*cursor)) return *std::move(capture);
  }
  return std::nullopt;
}

Result<std::optional<Capture>> capture_from(LineSource& source, std::string_view key, std::string_view prefix) {
  TRY(const auto cursor, source.seek(key));
  for (size_t passed = 0; passed < kMostPassedOver && !cursor->at_end() && cursor->starts_with(prefix); ++passed) {
    if (auto capture = source.capture_at(*cursor)) return *std::move(capture);
    TRY_VOID(cursor->next());
  }
  return std::nullopt;
}

void keep_earlier(std::optional<Capture>& kept, std::optional<Capture> other) {
  if (other && (!kept || other->timestamp < kept->timestamp)) kept = std::move(other);
}
void keep_later(std::optional<Capture>& kept, std::optional<Capture> other) {
  if (other && (!kept || other->timestamp > kept->timestamp)) kept = std::move(other);
}

// "example.org:8080/a", as people write it: the host would be read as a scheme.
bool begins_with_port(std::string_view url) {
  const size_t colon = url.find(':');
  if (colon == std::string_view::npos || url.find_first_of("/?#@") < colon) return false;
  for (const std::string_view scheme : {"dns", "tel", "urn", "warcinfo"}) {
    if (equals_ignore_case(url.substr(0, colon), scheme)) return false;
  }
  const std::string_view port = url.substr(colon + 1, url.find_first_of("/?#", colon) - colon - 1);
  return !port.empty() && port.size() <= 5 && std::ranges::all_of(port, is_digit);
}

// The key of a URL in the period that begins at `from`.
std::string key_from(std::string_view url, const url::KeyPolicy& policy, const std::string& from) {
  return index_key(url, policy, from.empty() ? "00000000000000" : from);
}

// The captures of a URL in one source, under the key `shown`: a slice for each key that it has had in the course of time.
void add_slices(std::string_view url, const std::shared_ptr<LineSource>& source, const std::string& shown,
                std::vector<std::shared_ptr<LineSource>>& into) {
  const url::KeyPolicy& policy = source->policy();
  const std::vector<url::KeyPeriod>& periods = policy.periods();
  for (size_t i = 0; i < periods.size();) {
    url::KeyPeriod period = periods[i];
    std::string key = key_from(url, policy, period.from);
    for (++i; i < periods.size() && key_from(url, policy, periods[i].from) == key; ++i) period.to = periods[i].to;
    key = source->resolved(std::move(key));
    const bool is_all = period.from.empty() && period.to.empty();
    if (is_all && key == shown)
      into.push_back(source);
    else
      into.push_back(std::make_shared<KeySlice>(source, std::move(key), period, shown));
  }
}

}  // namespace

long long timestamp_distance(std::string_view a, std::string_view b) {
  const auto moment = [](std::string_view timestamp) {
    auto time = parse_timestamp(timestamp);
    if (!time) time = parse_timestamp(real_timestamp(timestamp));
    return time ? *time : WallTime{};
  };
  return std::llabs(std::chrono::duration_cast<seconds>(moment(a) - moment(b)).count());
}

const url::KeyPolicy& shown_policy(const std::vector<std::shared_ptr<LineSource>>& sources) {
  const url::KeyPolicy& usual = url::KeyPolicy::ia_surt();
  const auto is_usual = [&](const auto& source) { return source->policy() == usual; };
  return sources.empty() || std::ranges::any_of(sources, is_usual) ? usual : sources.front()->policy();
}

std::string asked_url(std::string_view url) {
  const size_t colon = std::min(url.find_first_of(":/?#"), url.size());
  const bool has_scheme = colon < url.size() && url[colon] == ':' && !begins_with_port(url);
  if (has_scheme || url.empty()) return std::string(url);
  return (url.starts_with("//") ? "http:" : "http://") + std::string(url);
}

std::string normal_url(std::string_view url) {
  const auto parsed = url::Url::parse(url);
  return parsed ? std::string(parsed->without_fragment()) : std::string(url);
}

UrlCaptures UrlCaptures::find(std::string_view url, const std::vector<std::shared_ptr<LineSource>>& all) {
  std::string key = index_key(url, shown_policy(all));
  if (all.size() == 1) key = all.front()->resolved(std::move(key));
  std::vector<std::shared_ptr<LineSource>> sources;
  for (const auto& source : asked(all, {std::string(url), key, MatchType::exact}))
    add_slices(url, source, key, sources);
  return {key, std::move(sources)};
}

UrlCaptures UrlCaptures::of_key(std::string key, const std::vector<std::shared_ptr<LineSource>>& all) {
  if (all.size() == 1) key = all.front()->resolved(std::move(key));
  std::vector<std::shared_ptr<LineSource>> sources;
  for (const auto& source : asked(all, {"", key, MatchType::exact})) {
    std::string own = source->resolved(key);
    if (own == key)
      sources.push_back(source);
    else
      sources.push_back(std::make_shared<KeySlice>(source, std::move(own), url::KeyPeriod(), key));
  }
  return {std::move(key), std::move(sources)};
}

Result<std::vector<Capture>> UrlCaptures::closest(std::string_view asked, size_t limit) const {
  const std::string timestamp = real_timestamp(asked);
  std::vector<Capture> found;
  for (const auto& source : sources_) TRY_VOID(collect_near(*source, key_, timestamp, limit, found));
  const auto by_place = [](const Capture& capture) {
    return std::tie(capture.timestamp, capture.member, capture.filename, capture.offset);
  };
  std::ranges::sort(found, {}, by_place);
  OncePerPlace once;
  std::erase_if(found, [&](const Capture& capture) { return !once.is_new(capture); });
  std::ranges::sort(found, {}, [&](const Capture& capture) {
    return std::tuple_cat(std::tuple(timestamp_distance(capture.timestamp, timestamp)), by_place(capture));
  });
  if (found.size() > limit) found.resize(limit);
  return found;
}

Result<UrlCaptures::Neighbours> UrlCaptures::neighbours(std::string_view timestamp) const {
  const std::string prefix = key_ + ' ';
  const std::string here = prefix + std::string(timestamp);
  Neighbours found;
  for (const auto& source : sources_) {
    TRY(auto first, capture_from(*source, prefix, prefix));
    if (!first) continue;
    keep_earlier(found.first, std::move(first));
    TRY(auto previous, capture_before(*source, here, prefix));
    keep_later(found.previous, std::move(previous));
    TRY(auto next, capture_from(*source, here + '!', prefix));
    keep_earlier(found.next, std::move(next));
    TRY(auto last, capture_before(*source, key_ + '!', prefix));
    keep_later(found.last, std::move(last));
  }
  return found;
}

Result<void> UrlCaptures::each(const std::function<bool(Capture& capture)>& sink) const {
  TRY_VOID(each_from("", sink));
  return {};
}

Result<uint64_t> UrlCaptures::each_from(std::string_view timestamp,
                                        const std::function<bool(Capture& capture)>& sink) const {
  std::vector<ScanPart> parts;
  for (const auto& source : sources_) parts.push_back({source, key_ + ' ' + std::string(timestamp), key_ + '!'});
  const auto broken = std::make_shared<uint64_t>();
  TRY(auto scan, CaptureScan::start(parts, CaptureScan::Direction::forward, broken));
  for (;;) {
    uint64_t budget = UINT64_MAX;
    TRY(const auto found, scan.next(budget));
    if (found != CaptureScan::Found::capture || !sink(scan.capture())) return *broken;
  }
}

}  // namespace caddis::cdx
