#include "caddis/replay/list_bodies.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <optional>
#include <utility>

#include "caddis/http/begun_body.h"
#include "caddis/url/url.h"
#include "caddis/why/fate_words.h"
#include "caddis/why/inquiry.h"

namespace caddis::replay {
namespace {

using cdx::QueryRun;
using Found = QueryRun::Found;

// Of captures that wait to be written into a page: many clients may be slow at the same time.
constexpr size_t kPageBytes = 1 << 20;
constexpr size_t kNear = 10;
// For all that a crawl is asked for a page: the thread of the server waits so long at most.
constexpr auto kPatience = std::chrono::seconds(1);

class CaptureLines final : public http::BodySource {
 public:
  explicit CaptureLines(QueryRun run) : run_(std::move(run)) {}
  Result<bool> next(std::string& piece) override {
    cdx::Capture capture;
    for (uint64_t budget = cdx::kServedSlice; piece.size() < piece_size;) {
      TRY(const Found found, run_.next(capture, budget));
      if (found != Found::capture) return found == Found::nothing_yet;
      piece += cdx::format_capture(capture, run_.query());
      piece += '\n';
    }
    return true;
  }

 private:
  QueryRun run_;
};

class LinkLines final : public http::BodySource {
 public:
  LinkLines(cdx::CaptureIndex& index, QueryRun run, MementoBase memento)
      : index_(index), run_(std::move(run)), memento_(std::move(memento)) {}

  Result<bool> next(std::string& piece) override {
    uint64_t budget = cdx::kServedSlice;
    if (!counted_) {
      TRY(counted_, count(budget));
      if (!counted_) return true;
      piece = timemap_head(memento_, run_.query().url, first_, last_);
      TRY(run_, QueryRun::start(index_, run_.query(), cdx::kServedHeld));
    }
    cdx::Capture capture;
    while (piece.size() < piece_size && written_ < count_) {
      TRY(const Found found, run_.next(capture, budget));
      if (found == Found::nothing_yet) return true;
      if (found == Found::end) break;  // the index has changed meanwhile
      ++written_;
      piece += timemap_entry(memento_, capture, written_ == 1, written_ == count_);
    }
    if (piece.size() >= piece_size && written_ < count_) return true;
    piece += '\n';
    return false;
  }

 private:
  Result<bool> count(uint64_t& budget) {
    for (cdx::Capture capture;;) {
      TRY(const Found found, run_.next(capture, budget));
      if (found != Found::capture) return found == Found::end;
      if (count_++ == 0) first_ = capture.timestamp;
      last_ = capture.timestamp;
    }
  }

  cdx::CaptureIndex& index_;
  QueryRun run_;
  const MementoBase memento_;
  bool counted_ = false;
  std::string first_, last_;
  uint64_t count_ = 0, written_ = 0;
};

// "http://example.com/a/b" -> "http://example.com/a/": where near captures are looked for, at the host in the end.
std::vector<std::string> places_around(std::string_view text) {
  std::vector<std::string> places;
  const auto url = url::Url::parse(text);
  if (!url || !url->is_http()) return places;
  const std::string_view path = url->pathname();
  const size_t slash = path.rfind('/', path.size() > 1 ? path.size() - 2 : 0);
  const std::string site = std::string(url->protocol()) + "//" + std::string(url->host());
  places.push_back(site + std::string(path.substr(0, slash + 1)));
  if (places.back() != site + "/") places.push_back(site + "/");
  return places;
}

class MissingBody final : public PageBody {
 public:
  MissingBody(const RequestContext& context, MissingView view)
      : collection_(context.collection),
        writer_(context.writer),
        crawls_{.files = context.files,
                .clock = context.collection.clock(),
                .ask = context.ask_crawl,
                .open_kv = {},
                .patience = kPatience},
        view_(std::move(view)),
        others_(context.see_others()) {
    for (const auto& member : collection_.members()) ask_logs_of(*member);
    if (collection_.members().empty()) ask_logs_of(collection_);
    searches_.push_back({view_.url, false});
    for (std::string& place : places_around(view_.url)) searches_.push_back({std::move(place), true});
  }

 private:
  struct Search {
    std::string url;
    bool around;
  };
  struct Asked {
    const Collection& collection;
    std::unique_ptr<why::Inquiry> inquiry;
  };

  Result<bool> collect() override {
    if (asked_.empty()) return search_index();
    if (asked_.front().inquiry->step()) {
      keep_reasons(asked_.front());
      asked_.pop_front();
    }
    return false;
  }
  std::string write() override {
    look_elsewhere();
    return missing_page(writer_, view_);
  }

  // Logs know also what access rules hide.
  void ask_logs_of(const Collection& collection) {
    if (!collection.may_speak_of(view_.url)) return;
    auto inquiry = why::Inquiry::begin(
        crawls_, {.collection = collection.path(), .url = view_.url, .limits = why::limits_of_a_page()});
    if (inquiry) asked_.push_back({collection, *std::move(inquiry)});
  }
  // In an aggregate, the word of a member that knows the URL counts more than that of one which does not.
  void keep_reasons(const Asked& asked) {
    const auto fate = why::fate_of(asked.inquiry->evidence());
    if (!view_.fate.empty() && fate == why::Fate::unknown) return;
    auto reasons = why::fate_sentences(asked.inquiry->evidence(), why::Audience::readers);
    std::erase_if(reasons, [&](const std::string& reason) { return !asked.collection.may_speak_of(reason); });
    const std::string_view known = why::name_of(fate);
    if (view_.fate.empty() || view_.fate == why::name_of(why::Fate::unknown)) {
      view_.fate = known;
      view_.reasons.clear();
    }
    for (std::string& reason : reasons)
      view_.reasons.push_back(collection_.members().empty() ? std::move(reason)
                                                            : asked.collection.name() + ": " + reason);
  }

  // The latest capture in each of the other collections.
  void look_elsewhere() {
    for (const auto& other : others_) {
      const auto captures = other->index().captures_of(view_.url);
      const auto latest = captures ? captures->closest("99991231235959", 1) : Result<std::vector<cdx::Capture>>();
      if (!latest || latest->empty() || view_.elsewhere.size() == kNear) continue;
      view_.elsewhere.push_back({other->name(), other->heading(), latest->front().timestamp, latest->front().url});
    }
  }

  // One slice. True: there is nothing more to look for. What cannot be read is left out of this page.
  bool search_index() {
    if (search_ == searches_.size()) return true;
    const Search& search = searches_[search_];
    std::vector<cdx::Capture>& into = search.around ? view_.near : view_.same_url;
    if (!collector_) {
      cdx::Query query;
      query.url = search.url;
      query.limit = kNear;
      if (search.around) {
        query.match = cdx::MatchType::prefix;
        query.collapse.push_back({"urlkey", SIZE_MAX});
      }
      auto run = QueryRun::start(collection_.index(), query, cdx::kServedHeld);
      if (run) collector_.emplace(*std::move(run), CollectLimits{kNear, kNear});
    }
    const auto done = collector_ ? collector_->collect(into) : Result<bool>(true);
    if (done && !*done) return false;
    collector_.reset();
    ++search_;
    if (!into.empty()) search_ = searches_.size();
    return search_ == searches_.size();
  }

  Collection& collection_;
  const pages::Writer writer_;
  const control::AskingWorld crawls_;
  MissingView view_;
  const std::vector<std::shared_ptr<Collection>> others_;  // as the viewer sees them
  std::deque<Asked> asked_;
  std::vector<Search> searches_;
  size_t search_ = 0;
  std::optional<CaptureCollector> collector_;
};

size_t bytes_of(const cdx::Capture& capture) {
  return capture.url.size() + capture.filename.size() + capture.mime.size() + capture.status.size() +
         capture.length.size();
}

}  // namespace

Result<void> begin_body(http::ServerResponse& response, std::unique_ptr<http::BodySource> source,
                        const BodyBounds& bounds) {
  source = cdxserver::limited_body(std::move(source), bounds.clock, bounds.limits);
  std::string first;
  TRY(const bool more, source->next(first));
  if (!more)
    response.body = std::move(first);
  else
    response.source = http::begun_body(std::move(first), std::move(source));
  return {};
}

std::unique_ptr<http::BodySource> capture_lines(QueryRun run) { return std::make_unique<CaptureLines>(std::move(run)); }

std::unique_ptr<http::BodySource> link_lines(cdx::CaptureIndex& index, QueryRun run, const MementoBase& memento) {
  return std::make_unique<LinkLines>(index, std::move(run), memento);
}

Result<bool> PageBody::next(std::string& piece) {
  if (!written_) {
    TRY(const bool collected, collect());
    if (!collected) return true;
    html_ = write();
    written_ = true;
  }
  piece.append(html_, sent_, piece_size);
  sent_ += piece.size();
  return sent_ < html_.size();
}

Result<bool> CaptureCollector::collect(std::vector<cdx::Capture>& captures) {
  cdx::Capture capture;
  for (uint64_t budget = cdx::kServedSlice;;) {
    TRY(const Found found, run_.next(capture, budget));
    if (found != Found::capture) return found == Found::end;
    cut_ = captures.size() >= limits_.captures || bytes_ > kPageBytes;
    if (cut_) return true;
    add(std::move(capture), captures);
  }
}

void CaptureCollector::add(cdx::Capture capture, std::vector<cdx::Capture>& captures) {
  if (captures.size() >= limits_.whole) {
    const bool same_day = captures.back().timestamp.substr(0, 8) == capture.timestamp.substr(0, 8);
    cdx::Capture kept;
    kept.timestamp = std::move(capture.timestamp);
    if (!same_day) kept.url = std::move(capture.url);
    capture = std::move(kept);
  } else {
    capture.extra = {};
  }
  bytes_ += bytes_of(capture);
  captures.push_back(std::move(capture));
}

std::unique_ptr<http::BodySource> missing_body(const RequestContext& context, MissingView view) {
  return std::make_unique<MissingBody>(context, std::move(view));
}

}  // namespace caddis::replay
