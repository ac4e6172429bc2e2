#include "caddis/cdx/query_run.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "caddis/cdx/capture_scan.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/url_captures.h"
#include "caddis/url/url.h"

namespace caddis::cdx {

using Found = QueryRun::Found;

// A capture of the result, and what is counted beside it (LeftOut::Counters).
struct Counted {
  Capture capture;
  uint64_t skipped = 0;     // captures that filters and collapse= left out behind it
  std::string end{};        // the time of the last of them
  uint64_t duplicates = 0;  // shown before it with the same digest
  // Hashes of its digest and of theirs, if they are counted.
  std::unordered_set<size_t> digests{};
};

// The captures of a query in their order, before `skip` and `limit`.
class QueryRun::Order {
 public:
  virtual ~Order() = default;
  virtual Result<Found> next(Counted& item, uint64_t& budget) = 0;
};

namespace {

// Lines of one URL that are passed over one by one before a halving search passes over the rest.
constexpr int kPassedOneByOne = 16;
// The most that showDupeCount= remembers, some 10 MB.
constexpr size_t kCountedDigests = 100'000;

// Gives revisits the place of the first capture with their digest among those that have passed.
class Resolver {
 public:
  explicit Resolver(uint64_t held) : held_(held) {}

  void resolve(Capture& capture) {
    if (capture.digest.empty() || capture.filename.empty()) return;
    if (!capture.is_revisit()) return remember(capture);
    const auto found = originals_.find(capture.digest);
    if (found == originals_.end()) return;
    const Original& original = found->second;
    capture.mime = original.mime;
    capture.status = original.status;
    capture.original_length = original.length;
    capture.original_offset = original.offset;
    capture.original_filename = original.filename;
  }

 private:
  struct Original {
    std::string mime, status, length, offset, filename;
  };

  void remember(const Capture& capture) {
    const auto [place, is_new] = originals_.try_emplace(capture.digest, capture.mime, capture.status, capture.length,
                                                        capture.offset, capture.filename);
    if (!is_new) return;
    order_.push_back(place->first);
    if (order_.size() <= held_) return;
    originals_.erase(order_.front());
    order_.pop_front();
  }

  uint64_t held_;
  std::unordered_map<std::string, Original> originals_;
  std::deque<std::string> order_;  // oldest first
};

// What of a capture decides whether it repeats its neighbour.
class Collapser {
 public:
  explicit Collapser(const std::vector<Collapse>& by) : by_(by), last_(by.size()) {}
  bool empty() const { return by_.empty(); }
  // True where the capture repeats the last one that did not.
  bool repeats(const Capture& capture) {
    bool same = any_ && !by_.empty();
    for (size_t i = 0; same && i < by_.size(); ++i) same = value(capture, i) == last_[i];
    if (same) return true;
    for (size_t i = 0; i < by_.size(); ++i) last_[i] = value(capture, i);
    any_ = true;
    return false;
  }

 private:
  std::string_view value(const Capture& capture, size_t i) const {
    return field(capture, by_[i].field).substr(0, by_[i].length);
  }
  const std::vector<Collapse>& by_;
  std::vector<std::string> last_;
  bool any_ = false;
};

// "2014" as a lower bound is below all its captures, as an upper bound above them.
bool is_before_period(const Query& query, std::string_view timestamp) {
  return timestamp.substr(0, query.from.size()) < query.from;
}
bool is_behind_period(const Query& query, std::string_view timestamp) {
  return !query.to.empty() && timestamp.substr(0, query.to.size()) > query.to;
}

// A redirect to what has the same key.
bool is_self_redirect(const Capture& capture) {
  if (!capture.status.starts_with('3') || capture.redirect.empty()) return false;
  const auto base = url::Url::parse(capture.url);
  const auto target = base ? url::Url::parse(capture.redirect, &*base) : url::Url::parse(capture.redirect);
  return target && index_key(target->href()) == index_key(capture.url);
}

// Among the captures that are asked for, and may be seen; what is not is never counted either.
bool is_asked_for(const Query& query, const Capture& capture) {
  if (query.left_out.allowed && !query.left_out.allowed(capture)) return false;
  if (is_before_period(query, capture.timestamp) || is_behind_period(query, capture.timestamp)) return false;
  return query.exact_url.empty() || normal_url(capture.url) == query.exact_url;
}
bool passes_filters(const Query& query, CaptureScan& scan) {
  if (query.left_out.self_redirects && is_self_redirect(scan.capture())) return false;
  return std::ranges::all_of(query.filters,
                             [&](const Filter& filter) { return filter.accepts(scan.line(), scan.capture()); });
}
bool is_wanted(const Query& query, CaptureScan& scan) {
  return is_asked_for(query, scan.capture()) && passes_filters(query, scan);
}

size_t hash_of_digest(const Capture& capture) { return std::hash<std::string>()(capture.digest); }

// Refuses to count more digests than are remembered.
std::unexpected<Error> too_many_digests(std::string_view counter) {
  return fail(ErrorCode::limit, std::string(counter) + " counts up to " + std::to_string(kCountedDigests) +
                                    " different digests: ask for less, by from=, to= or a longer prefix");
}

// All captures that are held at once count together.
Result<void> check_digests(size_t digests) {
  if (digests > kCountedDigests) return too_many_digests("showUniqCount=");
  return {};
}

// Counts a capture that is left out behind another.
Result<void> count_skipped(Counted& item, const Capture& capture, bool with_digests) {
  ++item.skipped;
  item.end = std::max(item.end, capture.timestamp);
  if (with_digests) item.digests.insert(hash_of_digest(capture));
  return check_digests(item.digests.size());
}

// One capture stands for another, and for those that were left out behind that.
Result<void> add_skipped(Counted& item, const Counted& other) {
  item.skipped += other.skipped + 1;
  item.end = std::max(item.end, other.end);
  item.digests.insert(other.digests.begin(), other.digests.end());
  return check_digests(item.digests.size());
}

// A capture behind which others may be left out.
Counted begin_counting(Capture capture, bool with_digests) {
  Counted item{std::move(capture)};
  item.end = item.capture.timestamp;
  if (with_digests) item.digests.insert(hash_of_digest(item.capture));
  return item;
}

// In the order of the index.
class Forward final : public QueryRun::Order {
 public:
  Forward(const Query& query, CaptureScan scan, uint64_t held)
      : query_(query), scan_(std::move(scan)), resolver_(held), collapser_(query.collapse) {
    one_a_url_ = query.collapse.size() == 1 && query.collapse[0].field == "urlkey" &&
                 query.collapse[0].length == SIZE_MAX && !query.left_out.counters.counts_skipped();
  }

  Result<Found> next(Counted& item, uint64_t& budget) override {
    for (;;) {
      TRY(const auto found, scan_.next(budget));
      if (found == CaptureScan::Found::nothing_yet) return Found::nothing_yet;
      if (found == CaptureScan::Found::end) return give_kept(item);
      if (query_.resolve_revisits) resolver_.resolve(scan_.capture());
      const bool asked_for = is_asked_for(query_, scan_.capture());
      const bool wanted = asked_for && passes_filters(query_, scan_);
      if (wanted && !collapser_.repeats(scan_.capture())) {
        if (one_a_url_) given_key_ = scan_.capture().urlkey;
        if (give(item)) return Found::capture;
        continue;
      }
      // A URL of which all is left out by filters counts for no other one.
      const bool is_of_kept = kept_ && (wanted || kept_->capture.urlkey == scan_.capture().urlkey);
      if (asked_for && is_of_kept) TRY_VOID(count_skipped(*kept_, scan_.capture(), query_.left_out.counters.unique));
      TRY_VOID(pass_over());
    }
  }

 private:
  // The capture just found; if what follows it is counted, the one before it.
  bool give(Counted& item) {
    Capture& capture = scan_.capture();
    if (!query_.left_out.counters.counts_skipped()) {
      item.capture = std::move(capture);
      return true;
    }
    std::optional<Counted> before =
        std::exchange(kept_, begin_counting(std::move(capture), query_.left_out.counters.unique));
    if (before) item = *std::move(before);
    return before.has_value();
  }
  Found give_kept(Counted& item) {
    if (!kept_) return Found::end;
    item = *std::exchange(kept_, std::nullopt);
    return Found::capture;
  }

  // A capture that is left out, and with it those of its URL that are sure to be.
  Result<void> pass_over() {
    if (query_.resolve_revisits) return {};  // revisits may stand for any
    const Capture& capture = scan_.capture();
    const bool is_behind = is_behind_period(query_, capture.timestamp) || (one_a_url_ && capture.urlkey == given_key_);
    if (!is_behind && !is_before_period(query_, capture.timestamp)) return {};
    if (++passed_ < kPassedOneByOne) return {};
    passed_ = 0;
    return scan_.jump(is_behind ? capture.urlkey + '!' : capture.urlkey + ' ' + query_.from);
  }

  const Query& query_;
  CaptureScan scan_;
  Resolver resolver_;
  Collapser collapser_;
  bool one_a_url_ = false;
  std::string given_key_;
  int passed_ = 0;
  std::optional<Counted> kept_;  // while what follows it is counted
};

// Latest first. Of captures that repeat one another the earliest is kept, as in the other direction.
class Backward final : public QueryRun::Order {
 public:
  Backward(const Query& query, CaptureScan scan) : query_(query), scan_(std::move(scan)), collapser_(query.collapse) {}

  Result<Found> next(Counted& item, uint64_t& budget) override {
    for (;;) {
      TRY(const auto found, scan_.next(budget));
      if (found == CaptureScan::Found::nothing_yet) return Found::nothing_yet;
      if (found == CaptureScan::Found::end) {
        if (!kept_) return Found::end;
        item = *std::exchange(kept_, std::nullopt);
        return Found::capture;
      }
      if (!is_asked_for(query_, scan_.capture())) continue;
      if (!passes_filters(query_, scan_)) {
        if (skipped_.capture.urlkey != scan_.capture().urlkey) skipped_ = Counted();
        skipped_.capture.urlkey = scan_.capture().urlkey;
        TRY_VOID(count_skipped(skipped_, scan_.capture(), query_.left_out.counters.unique));
        continue;
      }
      const bool repeats = collapser_.repeats(scan_.capture());
      Counted one = take();
      if (collapser_.empty()) {
        item = std::move(one);
        return Found::capture;
      }
      std::optional<Counted> before = std::exchange(kept_, std::move(one));
      if (repeats && before) TRY_VOID(add_skipped(*kept_, *before));
      if (repeats || !before) continue;
      item = *std::move(before);
      return Found::capture;
    }
  }

 private:
  Counted take() {
    Counted one = begin_counting(std::move(scan_.capture()), query_.left_out.counters.unique);
    Counted skipped = std::exchange(skipped_, Counted());
    if (skipped.capture.urlkey != one.capture.urlkey) return one;
    one.skipped = skipped.skipped;
    one.end = std::max(one.end, skipped.end);
    one.digests.merge(skipped.digests);
    return one;
  }

  const Query& query_;
  CaptureScan scan_;
  Collapser collapser_;
  std::optional<Counted> kept_;
  // In this direction captures that are left out come before the one that they are counted for.
  Counted skipped_;
};

// Nearest first, of one URL: from the place outwards. Of two equally near the earlier first.
class Outwards final : public QueryRun::Order {
 public:
  Outwards(const Query& query, CaptureScan behind, CaptureScan ahead)
      : query_(query), behind_(std::move(behind)), ahead_(std::move(ahead)) {}

  Result<Found> next(Counted& item, uint64_t& budget) override {
    for (;;) {
      if (behind_.found && (ahead_.ended || ahead_.reached >= behind_.reached)) return give(behind_, item);
      if (ahead_.found && (behind_.ended || behind_.reached > ahead_.reached)) return give(ahead_, item);
      if (behind_.ended && ahead_.ended) return Found::end;
      const bool is_behind =
          !behind_.ended && !behind_.found && (ahead_.ended || ahead_.found || behind_.reached <= ahead_.reached);
      TRY(const bool went_on, go_on(is_behind ? behind_ : ahead_, budget));
      if (!went_on) return Found::nothing_yet;
    }
  }

 private:
  struct Side {
    explicit Side(CaptureScan the_scan) : scan(std::move(the_scan)) {}
    CaptureScan scan;
    long long reached = 0;  // distance of the last one looked at
    std::optional<Capture> found;
    bool ended = false;  // and nothing found that was not given
  };

  static Found give(Side& side, Counted& item) {
    item.capture = *std::exchange(side.found, std::nullopt);
    return Found::capture;
  }

  Result<bool> go_on(Side& side, uint64_t& budget) {
    TRY(const auto found, side.scan.next(budget));
    if (found == CaptureScan::Found::nothing_yet) return false;
    side.ended = found == CaptureScan::Found::end;
    if (side.ended) return true;
    Capture& capture = side.scan.capture();
    side.reached = std::max(side.reached, timestamp_distance(capture.timestamp, query_.closest));
    if (is_wanted(query_, side.scan)) side.found = std::move(capture);
    return true;
  }

  const Query& query_;
  Side behind_, ahead_;
};

// Looks at all, holds the best, and then gives them: nearest or latest first.
class Held final : public QueryRun::Order {
 public:
  Held(const Query& query, std::unique_ptr<QueryRun::Order> all, uint64_t held)
      : query_(query), all_(std::move(all)), held_(held) {}

  Result<Found> next(Counted& item, uint64_t& budget) override {
    while (all_) {
      Counted one;
      TRY(const Found found, all_->next(one, budget));
      if (found == Found::nothing_yet) return Found::nothing_yet;
      if (found == Found::end)
        end();
      else
        TRY_VOID(hold(std::move(one)));
    }
    if (best_.empty()) return Found::end;
    item = std::move(best_.back().item);
    best_.pop_back();
    return Found::capture;
  }

 private:
  struct Ranked {
    long long distance;
    uint64_t place;
    Counted item;
    bool operator<(const Ranked& other) const {
      return std::pair(distance, place) < std::pair(other.distance, other.place);
    }
  };

  // best_ is a heap with the worst on top. The latest are the nearest to the end.
  Result<void> hold(Counted item) {
    const bool nearest = !query_.closest.empty();
    const uint64_t place = ++seen_;
    Ranked ranked{nearest ? timestamp_distance(item.capture.timestamp, query_.closest) : 0, nearest ? place : ~place,
                  std::move(item)};
    if (best_.size() >= held_) {
      if (best_.empty() || !(ranked < best_.front())) return {};
      std::ranges::pop_heap(best_, std::less());
      digests_ -= best_.back().item.digests.size();
      best_.pop_back();
    }
    digests_ += ranked.item.digests.size();
    best_.push_back(std::move(ranked));
    std::ranges::push_heap(best_, std::less());
    return check_digests(digests_);
  }

  void end() {
    all_.reset();
    std::ranges::sort(best_, [](const Ranked& a, const Ranked& b) { return b < a; });  // given from the back
  }

  const Query& query_;
  std::unique_ptr<QueryRun::Order> all_;
  const uint64_t held_;
  uint64_t seen_ = 0;
  size_t digests_ = 0;  // of all in best_
  std::vector<Ranked> best_;
};

// The order of another the other way round: of the first `count` of it.
class Reversed final : public QueryRun::Order {
 public:
  Reversed(std::unique_ptr<QueryRun::Order> all, uint64_t count) : all_(std::move(all)), count_(count) {}

  Result<Found> next(Counted& item, uint64_t& budget) override {
    while (all_) {
      Counted one;
      const bool is_full = held_.size() >= count_;
      TRY(const Found found, is_full ? Result<Found>(Found::end) : all_->next(one, budget));
      if (found == Found::nothing_yet) return Found::nothing_yet;
      if (found == Found::end) {
        all_.reset();
      } else {
        digests_ += one.digests.size();
        held_.push_back(std::move(one));
        TRY_VOID(check_digests(digests_));
      }
    }
    if (held_.empty()) return Found::end;
    item = std::move(held_.back());
    held_.pop_back();
    return Found::capture;
  }

 private:
  std::unique_ptr<QueryRun::Order> all_;
  const uint64_t count_;
  size_t digests_ = 0;  // of all in held_
  std::vector<Counted> held_;
};

// The last one of captures of `all` that repeat one another.
class LastOfEach final : public QueryRun::Order {
 public:
  LastOfEach(std::unique_ptr<QueryRun::Order> all, const std::vector<Collapse>& by)
      : all_(std::move(all)), collapser_(by) {}

  Result<Found> next(Counted& item, uint64_t& budget) override {
    for (;;) {
      Counted one;
      TRY(const Found found, all_->next(one, budget));
      if (found == Found::nothing_yet) return Found::nothing_yet;
      if (found == Found::end) {
        if (!kept_) return Found::end;
        item = *std::exchange(kept_, std::nullopt);
        return Found::capture;
      }
      const bool repeats = collapser_.repeats(one.capture);
      std::optional<Counted> before = std::exchange(kept_, std::move(one));
      if (repeats && before) TRY_VOID(add_skipped(*kept_, *before));
      if (repeats || !before) continue;
      item = *std::move(before);
      return Found::capture;
    }
  }

 private:
  std::unique_ptr<QueryRun::Order> all_;
  Collapser collapser_;
  std::optional<Counted> kept_;
};

// Tells of each capture how many of its digest came before it. A revisit among them gets the type of what it repeats.
class Duplicates final : public QueryRun::Order {
 public:
  explicit Duplicates(std::unique_ptr<QueryRun::Order> all) : all_(std::move(all)) {}

  Result<Found> next(Counted& item, uint64_t& budget) override {
    TRY(const Found found, all_->next(item, budget));
    Capture& capture = item.capture;
    if (found != Found::capture || capture.digest.empty()) return found;
    const auto place = of_digest_.try_emplace(capture.digest).first;
    if (of_digest_.size() > kCountedDigests) return too_many_digests("showDupeCount=");
    OfDigest& known = place->second;
    item.duplicates = known.count++;
    if (!capture.is_revisit())
      known.mime = capture.mime;
    else if (!known.mime.empty())
      capture.mime = known.mime;
    return found;
  }

 private:
  struct OfDigest {
    uint64_t count = 0;
    std::string mime;
  };
  std::unique_ptr<QueryRun::Order> all_;
  std::unordered_map<std::string, OfDigest> of_digest_;
};

// Where a query of one URL need not look outside its period.
KeyRange narrowed(const Query& query, std::string_view key) {
  const std::string prefix = std::string(key) + ' ';
  KeyRange range{prefix, std::string(key) + '!'};
  if (query.resolve_revisits) return range;
  if (!query.from.empty()) range.from = prefix + query.from;
  if (!query.to.empty()) range.to = prefix + query.to + ':';  // behind all digits
  return range;
}

std::vector<ScanPart> parts_of(const CaptureIndex::Sources& sources, const std::string& from, const std::string& to) {
  std::vector<ScanPart> parts;
  for (const auto& source : sources) parts.push_back({source, from, to});
  return parts;
}

// The ranges of keys in each source; those of the periods of its policy together where they overlap.
Result<std::vector<ScanPart>> parts_of_range(const CaptureIndex::Sources& sources, const Query& query) {
  std::vector<ScanPart> parts;
  for (const auto& source : asked(sources, {query.url, query.key, query.match})) {
    std::vector<KeyRange> ranges;
    if (!query.key.empty()) {
      TRY(KeyRange range, key_range_of(query.key, query.match, source->policy()));
      parts.push_back({source, range.from, range.to});
      continue;
    }
    for (const url::KeyPeriod& period : source->policy().periods()) {
      TRY(KeyRange range, key_range(query.url, query.match, source->policy(),
                                    period.from.empty() ? "00000000000000" : std::string_view(period.from)));
      if (!query.behind_key.empty()) range.from = std::max(range.from, query.behind_key + '!');
      if (range.from < range.to) ranges.push_back(std::move(range));
    }
    std::ranges::sort(ranges, {}, &KeyRange::from);
    for (size_t i = 0; i < ranges.size(); ++i) {
      if (i > 0 && ranges[i].from <= parts.back().to)
        parts.back().to = std::max(parts.back().to, ranges[i].to);
      else
        parts.push_back({source, ranges[i].from, ranges[i].to});
    }
  }
  return parts;
}

// The lines that a query looks at.
struct Extent {
  std::string key;              // of a query of one URL
  KeyRange range;               // of a query of one URL
  std::vector<ScanPart> parts;  // all of it
};

Result<Extent> extent_of(CaptureIndex& index, const Query& query) {
  Extent extent;
  if (query.match == MatchType::exact) {
    TRY(const auto sources, index.sources());
    const UrlCaptures captures =
        query.key.empty() ? UrlCaptures::find(asked_url(query.url), sources) : UrlCaptures::of_key(query.key, sources);
    extent.key = captures.key();
    extent.range = narrowed(query, extent.key);
    extent.parts = parts_of(captures.sources(), extent.range.from, extent.range.to);
  } else {
    TRY(const auto sources, index.sources());
    TRY(extent.parts, parts_of_range(sources, query));
  }
  for (ScanPart& part : extent.parts) part.from = std::max(part.from, query.parts.resume.place);
  return extent;
}

// The same up to `place`, or from there on.
std::vector<ScanPart> parts_before(std::vector<ScanPart> parts, const std::string& place) {
  for (ScanPart& part : parts) part.to = place;
  return parts;
}
std::vector<ScanPart> parts_from(std::vector<ScanPart> parts, const std::string& place) {
  for (ScanPart& part : parts) part.from = place;
  return parts;
}

}  // namespace

struct QueryRun::State {
  Query query;  // orders refer to it
  std::unique_ptr<Order> order;
  uint64_t to_skip = 0, left = 0;
  std::vector<Collapse> collapse_to_last{};  // in place of those of the query
  std::shared_ptr<uint64_t> broken = std::make_shared<uint64_t>();
};

QueryRun::QueryRun(std::unique_ptr<State> state) : state_(std::move(state)) {}
QueryRun::QueryRun(QueryRun&&) noexcept = default;
QueryRun& QueryRun::operator=(QueryRun&&) noexcept = default;
QueryRun::~QueryRun() = default;
const Query& QueryRun::query() const { return state_->query; }
std::shared_ptr<const uint64_t> QueryRun::broken_lines() const { return state_->broken; }

namespace {

std::unexpected<Error> too_many_to_hold(uint64_t held) {
  return fail(ErrorCode::limit,
              "captures of several URLs in the order of closest=, closest= or latest first with collapse=, "
              "resolveRevisits= or a counter, and limit=-N are given up to " +
                  std::to_string(held) + ": ask with limit=" + std::to_string(held));
}

using enum CaptureScan::Direction;

// The captures of one URL, nearest first.
Result<std::unique_ptr<QueryRun::Order>> nearest_first(const Query& query, const Extent& extent,
                                                       const std::shared_ptr<uint64_t>& broken) {
  const KeyRange& range = extent.range;
  const std::string place = std::clamp(extent.key + ' ' + query.closest, range.from, std::max(range.from, range.to));
  TRY(auto behind, CaptureScan::start(parts_before(extent.parts, place), backward, broken));
  TRY(auto ahead, CaptureScan::start(parts_from(extent.parts, place), forward, broken));
  return std::make_unique<Outwards>(query, std::move(behind), std::move(ahead));
}

// `query` and `to_last` stay where they are as long as the order.
Result<std::unique_ptr<QueryRun::Order>> order_of(const Query& query, const std::vector<Collapse>& to_last,
                                                  const Extent& extent, uint64_t held,
                                                  const std::shared_ptr<uint64_t>& broken) {
  const bool nearest = !query.closest.empty();
  const bool latest_first = query.reverse || query.parts.last;
  const LeftOut::Counters& counters = query.left_out.counters;
  const bool looks_back = query.resolve_revisits || counters.duplicates;  // at captures that came before
  const uint64_t wanted = query.limit + query.skip;
  std::unique_ptr<QueryRun::Order> order;
  if (query.parts.last && wanted > held) return too_many_to_hold(held);
  if (nearest && query.match == MatchType::exact && query.collapse.empty() && !looks_back && !counters.counts_skipped())
    return nearest_first(query, extent, broken);
  if (latest_first && !nearest && !looks_back) {
    TRY(auto scan, CaptureScan::start(extent.parts, backward, broken));
    order = std::make_unique<Backward>(query, std::move(scan));
  } else {
    TRY(auto scan, CaptureScan::start(extent.parts, forward, broken));
    order = std::make_unique<Forward>(query, std::move(scan), held);
    if (counters.duplicates && !to_last.empty()) order = std::make_unique<LastOfEach>(std::move(order), to_last);
    if (counters.duplicates) order = std::make_unique<Duplicates>(std::move(order));
    if (nearest || latest_first) {
      if (wanted > held && (query.has_limit || query.skip > 0)) return too_many_to_hold(held);
      order = std::make_unique<Held>(query, std::move(order), std::min(wanted, held));
    }
  }
  if (query.parts.last) order = std::make_unique<Reversed>(std::move(order), wanted);
  return order;
}

}  // namespace

Result<QueryRun> QueryRun::start(CaptureIndex& index, const Query& asked, uint64_t held) {
  auto state =
      std::make_unique<State>(asked, nullptr, asked.parts.last ? 0 : asked.skip + asked.parts.resume.skip, asked.limit);
  Query& query = state->query;
  if (query.left_out.all_but_last) query.collapse.swap(state->collapse_to_last);
  TRY(const Extent extent, extent_of(index, query));
  TRY(state->order, order_of(query, state->collapse_to_last, extent, held, state->broken));
  if (!state->collapse_to_last.empty() && !query.left_out.counters.duplicates)
    state->order = std::make_unique<LastOfEach>(std::move(state->order), state->collapse_to_last);
  return QueryRun(std::move(state));
}

namespace {

// The counters that are asked for, as fields of the capture.
void add_counters(const LeftOut::Counters& counters, const Counted& item, Capture& capture) {
  const auto add = [&](bool is_asked_for, std::string_view name, const std::string& value) {
    if (is_asked_for) capture.extra.emplace_back(name, '"' + value + '"');
  };
  add(counters.duplicates, kDupeCount, std::to_string(item.duplicates));
  add(counters.groups, kGroupCount, std::to_string(item.skipped + 1));
  add(counters.skipped, kSkipCount, std::to_string(item.skipped));
  add(counters.end, kEndTimestamp, item.end);
  add(counters.unique, kUniqCount, std::to_string(item.digests.size()));
}

}  // namespace

Result<Found> QueryRun::next(Capture& capture, uint64_t& budget) {
  State& state = *state_;
  Counted item;
  while (state.left > 0) {
    TRY(const Found found, state.order->next(item, budget));
    if (found != Found::capture) return found;
    if (state.to_skip > 0) {
      --state.to_skip;
      continue;
    }
    --state.left;
    capture = std::move(item.capture);
    add_counters(state.query.left_out.counters, item, capture);
    return Found::capture;
  }
  return Found::end;
}

Result<std::vector<Capture>> run_query(CaptureIndex& index, const Query& query) {
  TRY(auto run, QueryRun::start(index, query, UINT64_MAX));
  std::vector<Capture> captures;
  for (Capture capture;;) {
    uint64_t budget = UINT64_MAX;
    TRY(const auto found, run.next(capture, budget));
    if (found == Found::end) return captures;
    if (found == Found::capture) captures.push_back(std::move(capture));
  }
}

}  // namespace caddis::cdx
