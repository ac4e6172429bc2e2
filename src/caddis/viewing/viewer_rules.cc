#include "caddis/viewing/viewer_rules.h"

#include <algorithm>
#include <iterator>
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

  std::optional<bool> shows_line(std::string_view line, const url::KeyPolicy& policy) override {
    const auto capture = cdx::parse_line(line);
    if (!capture) return std::nullopt;
    // Keys of another policy say nothing to rules.
    const bool is_by_key = policy == url::KeyPolicy::ia_surt();
    return answer(is_by_key ? std::string_view(capture->urlkey) : std::string_view(), capture->url, capture->timestamp);
  }
  bool shows(std::string_view url, std::string_view timestamp) override {
    return answer({}, cdx::asked_url(url), timestamp);
  }

 private:
  bool answer(std::string_view key, std::string_view url, std::string_view timestamp) {
    if (!known_ || key != key_ || url != url_) {
      key_ = key;
      url_ = url;
      decisions_ = rules_.about(captured_url(url));
      // An index may have it under another key: that of a POST, or of who knows what.
      if (!key.empty() && key != cdx::index_key(url))
        std::ranges::move(rules_.about(captured_url(url, key)), std::back_inserter(decisions_));
      known_ = true;
    }
    const Decision decision = strictest(decisions_, timestamp);
    rules_.counts_->count(decision.verdict);
    if (decision.count != nullptr) decision.count->fetch_add(1, std::memory_order_relaxed);
    return decision.verdict == Verdict::allow;
  }

  const ViewerRules& rules_;
  bool known_ = false;
  std::string key_, url_;
  std::vector<UrlDecision> decisions_;
};

ViewerRules::ViewerRules(Sets sets, Viewer viewer, WallTime now, std::shared_ptr<DecisionCounts> counts)
    : sets_(std::move(sets)), viewer_(std::move(viewer)), now_(now), counts_(std::move(counts)) {}

std::unique_ptr<cdx::CaptureFilter::Asker> ViewerRules::ask() const { return std::make_unique<UrlAsker>(*this); }

std::vector<UrlDecision> ViewerRules::about(const CapturedUrl& url) const {
  std::vector<UrlDecision> decisions;
  decisions.reserve(sets_.size());
  for (const auto& set : sets_) decisions.push_back(set->about(url, viewer_, now_));
  return decisions;
}

Decision ViewerRules::decide(std::string_view url, std::string_view timestamp) const {
  return strictest(about(captured_url(cdx::asked_url(url))), timestamp);
}

bool ViewerRules::hides_anything_of(std::string_view url) const {
  return std::ranges::any_of(about(captured_url(cdx::asked_url(url))),
                             [](const UrlDecision& decision) { return decision.hides_anything(); });
}

}  // namespace caddis::viewing
