// Asks a collection all that it knows of one URL, a piece at a time (url_evidence.h). Sources are asked one by one; one
// that cannot be asked is named, and ends nothing.
//
//   TRY(const auto inquiry, Inquiry::begin(world, options));
//   while (!inquiry->step()) {}
//   fate_sentences(inquiry->evidence());
//
// One thread; a step blocks it: while it reads a few megabytes, or a running crawl answers. `patience` of the world is
// for all questions to the crawl together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/collection/launch.h"
#include "caddis/config/canonicalization_settings.h"
#include "caddis/control/asked_crawl.h"
#include "caddis/url/url.h"
#include "caddis/why/log_search.h"
#include "caddis/why/scope_explainer.h"
#include "caddis/why/url_evidence.h"

namespace caddis::cdx {
class CaptureIndex;
}  // namespace caddis::cdx

namespace caddis::why {

// How much it may take.
struct Limits {
  Duration logs = Duration::max();                       // for reading them
  size_t visits = std::numeric_limits<size_t>::max();    // the latest of each log
  size_t captures = std::numeric_limits<size_t>::max();  // the latest
  // The crawl.yaml of the latest launch, which may name files and modules. Without it URLs have the usual keys, and
  // only a crawl that runs is asked about its scope.
  bool reads_settings = true;
};

// For a page that somebody waits for, and that may be about the collection of a stranger.
Limits limits_of_a_page();

struct InquiryOptions {
  std::string collection, url;
  bool search_links = false;  // reads all WARC files
  std::string launch = {};    // only its logs, and its state if it is the latest; empty: those of all
  Limits limits = {};
  // Launches whose logs lie elsewhere, before all others: no crawl and no state of theirs is asked.
  std::vector<collection::Launch> others = {};
};

// URLs of log lines that are wanted.
struct UrlTest {
  std::string text;       // a line that does not hold it is not looked at
  bool is_whole = false;  // it is the whole URL
  std::function<bool(std::string_view url)> is_it;
};
// Lines in the form of crawl.log, oldest first.
using UseLines = std::function<void(const std::vector<std::string>& lines)>;

class Inquiry {
 public:
  // `world` outlives it. ErrorCode::config if it is no URL that can be crawled, ErrorCode::not_found if the folder is no
  // collection, or has no such launch.
  static Result<std::unique_ptr<Inquiry>> begin(const control::AskingWorld& world, InquiryOptions options);
  ~Inquiry();

  // Goes on. Returns true if all was asked.
  bool step();
  const UrlEvidence& evidence() const { return evidence_; }

 private:
  enum class Stage : uint8_t { begun, logs, spellings, judged, prerequisite, details, links, done };
  struct Search {
    std::string source;  // whose, in words
    std::string log;
    LogSearch::Wanted wanted;
    UseLines use;
  };

  Inquiry(const control::AskingWorld& world, InquiryOptions options, url::Url url);
  void note(const Result<void>& done, std::string_view source);
  void advance();
  Result<void> keep_launch();
  bool search_on();  // a piece; true: nothing is left to be searched
  void read_settings();
  Result<void> read_captures();
  Result<void> read_answers_to_posts(cdx::CaptureIndex& index);
  void look_for_file();
  void search_log(const collection::Launch& launch, const UrlTest& test, size_t enough, const UseLines& use);
  UseLines visits_into(const collection::Launch& launch);
  void plan_logs();
  void plan_spellings();
  void plan_judged();
  void plan_prerequisite();
  void plan_details(LoggedVisit& visit);
  void plan_tries_of_prerequisite();
  void plan_way();
  std::string prerequisite_url() const;
  bool has_same_key(std::string_view text) const;
  Result<void> search_links();
  Result<void> ask_crawl();
  Result<void> ask_scope(control::AskedCrawl& crawl);

  const control::AskingWorld& world_;
  const InquiryOptions options_;
  const url::Url url_;
  std::vector<collection::Launch> launches_;  // oldest first; those that are asked about
  bool asks_latest_ = true;                   // the latest launch is among them
  struct OfLatest;
  std::unique_ptr<OfLatest> latest_;  // its settings
  UrlEvidence evidence_;
  Stage stage_ = Stage::begun;
  std::vector<Search> searches_;  // the next one last
  std::optional<LogSearch> search_;
  Duration searched_{};
  bool has_json_logs_ = false;  // a launch has no crawl.log
  ScopeExplainer::Question question_;
};

// All at once.
Result<UrlEvidence> gather_evidence(const control::AskingWorld& world, InquiryOptions options);

}  // namespace caddis::why
