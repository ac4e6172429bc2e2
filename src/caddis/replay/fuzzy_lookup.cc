#include "caddis/replay/fuzzy_lookup.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/cdx/query.h"
#include "caddis/cdx/query_run.h"
#include "caddis/cdx/request_key.h"
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

// The fields that were sent, by the key of the answer, "__wb_method=post" among them. Empty for a GET.
std::set<std::string_view> sent_fields(std::string_view key) {
  if (!cdx::is_key_of_request(key)) return {};
  const auto parts = split(key.substr(std::min(key.find('?'), key.size() - 1) + 1), '&');
  return {parts.begin(), parts.end()};
}

size_t count_common(const std::set<std::string_view>& a, const std::set<std::string_view>& b) {
  return static_cast<size_t>(std::ranges::count_if(a, [&](std::string_view one) { return b.contains(one); }));
}

class Alike {
 public:
  // `key`: under which what is asked for is indexed.
  Alike(const FuzzyRules& rules, const url::Url& wanted, std::string key, std::string_view timestamp, bool is_page)
      : rules_(rules),
        wanted_(wanted),
        key_(std::move(key)),
        sent_(sent_fields(key_)),
        timestamp_(timestamp),
        remainder_(rules.remainder(wanted)),
        is_query_free_(!is_page && rules.is_query_free(wanted)) {}

  void offer(cdx::Capture capture) {
    const auto url = url::Url::parse(capture.url);
    if (!url || !is_same_place(*url, wanted_)) return;
    const auto sent = sent_fields(capture.urlkey);
    if (sent.empty() != sent_.empty()) return;
    const bool is_equal = rules_.remainder(*url) == remainder_;
    if (!is_equal && !is_query_free_) return;
    const long long distance = cdx::timestamp_distance(capture.timestamp, timestamp_);
    const size_t missing = sent_.size() - count_common(sent_, sent);
    keys_.insert(capture.urlkey);
    found_.push_back({is_equal ? 0 : 1, missing, distance, std::move(capture)});
    std::ranges::sort(found_, {}, [](const Found& one) {
      return std::tuple(one.rank, one.missing, one.distance, one.capture.member);
    });
    if (found_.size() > kMostFound) found_.pop_back();
  }
  std::vector<cdx::Capture> take() {
    std::vector<cdx::Capture> captures;
    // The method alone says nothing.
    const auto is_of_another = [&](const Found& one) { return !sent_.empty() && one.missing + 1 >= sent_.size(); };
    const bool is_only_one = keys_.size() == 1;
    for (Found& one : found_)
      if (is_only_one || !is_of_another(one)) captures.push_back(std::move(one.capture));
    return captures;
  }

 private:
  struct Found {
    int rank;        // 0: of a URL that makes no difference
    size_t missing;  // fields that are sent now, and were not then
    long long distance;
    cdx::Capture capture;
  };
  const FuzzyRules& rules_;
  const url::Url& wanted_;
  const std::string key_;
  const std::set<std::string_view> sent_;
  const std::string timestamp_;
  const std::string remainder_;
  const bool is_query_free_;
  std::vector<Found> found_;
  std::set<std::string> keys_;
};

}  // namespace

Result<std::vector<cdx::Capture>> find_alike(cdx::CaptureIndex& index, const FuzzyRules& rules, std::string_view url,
                                             std::string_view posted_url, std::string_view timestamp, bool is_page) {
  const auto wanted = url::Url::parse(url);
  if (!wanted || !wanted->is_http()) return std::vector<cdx::Capture>();
  const std::string place =
      std::string(wanted->protocol()) + "//" + std::string(wanted->host()) + std::string(wanted->pathname());
  TRY(const cdx::UrlCaptures asked, index.captures_of(posted_url.empty() ? url : posted_url));
  Alike alike(rules, *wanted, asked.key(), timestamp, is_page);
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
