#include "caddis/viewing/viewer_rules.h"

#include <algorithm>
#include <utility>

#include "caddis/cdx/line.h"
#include "caddis/cdx/url_captures.h"

namespace caddis::viewing {
namespace {

Decision strictest(const std::vector<UrlDecision>& decisions, std::string_view timestamp) {
  Decision strict;
  for (size_t i = 0; i < decisions.size(); ++i) {
    const Decision decision = decisions[i].at(timestamp);
    if (i == 0 || decision.verdict > strict.verdict) strict = decision;
  }
  return strict;
}

}  // namespace

void DecisionCounts::count(Verdict verdict) {
  (verdict == Verdict::allow   ? allowed
   : verdict == Verdict::block ? blocked
                               : excluded)
      .fetch_add(1, std::memory_order_relaxed);
}

// Captures of one URL stand together in an index: what was found for it is kept.
class ViewerRules::UrlAsker final : public cdx::CaptureFilter::Asker {
 public:
  explicit UrlAsker(const ViewerRules& rules) : rules_(rules) {}

  bool shows_line(std::string_view line, const url::KeyPolicy& policy) override {
    const size_t blank = line.find(' ');
    const size_t end = std::min(line.find(' ', std::min(blank, line.size() - 1) + 1), line.size());
    if (blank == std::string_view::npos || end <= blank) return false;
    const std::string_view timestamp = line.substr(blank + 1, end - blank - 1);
    if (policy == url::KeyPolicy::ia_surt() && !rules_.need_urls_) return answer(line.substr(0, blank), {}, timestamp);
    const auto capture = cdx::parse_line(line);
    return capture && answer(cdx::index_key(capture->url), capture->url, timestamp);
  }
  bool shows(std::string_view url, std::string_view timestamp) override {
    return answer(rule_key(url), cdx::asked_url(url), timestamp);
  }

 private:
  bool answer(std::string_view key, std::string_view url, std::string_view timestamp) {
    if (!known_ || key != key_ || url != url_) {
      key_ = key;
      url_ = url;
      decisions_ = rules_.about(key, url);
      known_ = true;
    }
    const Verdict verdict = strictest(decisions_, timestamp).verdict;
    rules_.counts_->count(verdict);
    return verdict == Verdict::allow;
  }

  const ViewerRules& rules_;
  bool known_ = false;
  std::string key_, url_;
  std::vector<UrlDecision> decisions_;
};

ViewerRules::ViewerRules(Sets sets, Viewer viewer, WallTime now, std::shared_ptr<DecisionCounts> counts)
    : sets_(std::move(sets)),
      viewer_(std::move(viewer)),
      now_(now),
      counts_(std::move(counts)),
      need_urls_(std::ranges::any_of(sets_, [](const auto& set) { return set->has_patterns(); })) {}

std::unique_ptr<cdx::CaptureFilter::Asker> ViewerRules::ask() const { return std::make_unique<UrlAsker>(*this); }

std::vector<UrlDecision> ViewerRules::about(std::string_view key, std::string_view url) const {
  std::vector<UrlDecision> decisions;
  decisions.reserve(sets_.size());
  for (const auto& set : sets_) decisions.push_back(set->about(key, url, viewer_, now_));
  return decisions;
}

Decision ViewerRules::decide(std::string_view url, std::string_view timestamp) const {
  return strictest(about(rule_key(url), cdx::asked_url(url)), timestamp);
}

bool ViewerRules::hides_anything_of(std::string_view url) const {
  return std::ranges::any_of(about(rule_key(url), cdx::asked_url(url)),
                             [](const UrlDecision& decision) { return decision.hides_anything(); });
}

}  // namespace caddis::viewing
