#include "caddis/replay/fuzzy_lookup.h"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/cdx/query.h"
#include "caddis/cdx/query_run.h"
#include "caddis/url/url.h"

namespace caddis::replay {
namespace {

constexpr size_t kMostFound = 12;
constexpr uint64_t kMostRead = 2 << 20;  // bytes of the index: somebody waits
constexpr uint64_t kMostCaptures = 5'000;

std::string_view without_www(std::string_view host) {
  if (host.starts_with("www.")) host.remove_prefix(4);
  return host;
}

bool is_same_place(const url::Url& a, const url::Url& b) {
  return equals_ignore_case(a.pathname(), b.pathname()) && without_www(a.hostname()) == without_www(b.hostname());
}

class Alike {
 public:
  Alike(const FuzzyRules& rules, const url::Url& wanted, std::string_view timestamp, bool is_page)
      : rules_(rules),
        wanted_(wanted),
        timestamp_(timestamp),
        remainder_(rules.remainder(wanted)),
        is_query_free_(!is_page && rules.is_query_free(wanted)) {}

  void offer(cdx::Capture capture) {
    const auto url = url::Url::parse(capture.url);
    if (!url || !is_same_place(*url, wanted_)) return;
    const bool is_equal = rules_.remainder(*url) == remainder_;
    if (!is_equal && !is_query_free_) return;
    const long long distance = cdx::timestamp_distance(capture.timestamp, timestamp_);
    found_.push_back({is_equal ? 0 : 1, distance, std::move(capture)});
    std::ranges::sort(found_, {},
                      [](const Found& one) { return std::tuple(one.rank, one.distance, one.capture.member); });
    if (found_.size() > kMostFound) found_.pop_back();
  }
  std::vector<cdx::Capture> take() {
    std::vector<cdx::Capture> captures;
    for (Found& one : found_) captures.push_back(std::move(one.capture));
    return captures;
  }

 private:
  struct Found {
    int rank;  // 0: of a URL that makes no difference
    long long distance;
    cdx::Capture capture;
  };
  const FuzzyRules& rules_;
  const url::Url& wanted_;
  const std::string timestamp_;
  const std::string remainder_;
  const bool is_query_free_;
  std::vector<Found> found_;
};

}  // namespace

Result<std::vector<cdx::Capture>> find_alike(cdx::CaptureIndex& index, const FuzzyRules& rules, std::string_view url,
                                             std::string_view timestamp, bool is_page) {
  const auto wanted = url::Url::parse(url);
  if (!wanted || !wanted->is_http()) return std::vector<cdx::Capture>();
  const std::string place =
      std::string(wanted->protocol()) + "//" + std::string(wanted->host()) + std::string(wanted->pathname());
  Alike alike(rules, *wanted, timestamp, is_page);
  // Without a query.
  TRY(const cdx::UrlCaptures bare, index.captures_of(place));
  TRY(auto near, bare.closest(timestamp, kMostFound));
  for (cdx::Capture& capture : near) alike.offer(std::move(capture));
  // With any.
  cdx::Query query;
  query.url = place;
  query.match = cdx::MatchType::prefix;
  query.behind_key = bare.key() + '?';
  query.limit = kMostCaptures;
  auto run = cdx::QueryRun::start(index, query, cdx::kServedHeld);
  if (!run) return alike.take();  // keys in an order that has no such range
  cdx::Capture capture;
  for (uint64_t budget = kMostRead;;) {
    TRY(const auto found, run->next(capture, budget));
    if (found != cdx::QueryRun::Found::capture) break;
    if (!capture.urlkey.starts_with(query.behind_key)) break;
    alike.offer(std::move(capture));
  }
  return alike.take();
}

}  // namespace caddis::replay
