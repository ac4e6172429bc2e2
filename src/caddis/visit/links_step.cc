// Judges what was extracted: each link against the scope, under its crawl key, with its fingerprint. What the lane has
// handed over lately is left out.

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "caddis/base/fetch_status.h"
#include "caddis/feeds/hop_path.h"
#include "caddis/scope/hops.h"
#include "caddis/url/crawl_schemes.h"
#include "caddis/url/public_form.h"
#include "caddis/visit/consent_walls.h"
#include "caddis/visit/feed_origin.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/new_marks.h"
#include "caddis/visit/redirect_chain.h"
#include "caddis/visit/same_as_via.h"
#include "caddis/visit/scope_line.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

// The links of one page.
class LinkJudge {
 public:
  LinkJudge(LaneTools& tools, Visit& visit)
      : tools_(tools),
        logged_(visit.result.link_logs),
        visit_(visit),
        url_(*visit.url()),
        via_(url::public_form(url_)),
        hops_(visit.line->entry.hops + ' '),
        marks_(visit.memory()),
        new_marks_(NewMarks::of(visit)),
        feed_(FeedOrigin::of(visit.lease().candidate)),
        suppresses_traps_(visit.site().extract.suppress_traps && visit.document.readable() != nullptr),
        now_(tools.loop.clock().wall()) {}

  void judge(const std::vector<extract::Link>& links) {
    marks_.reserve(links.size());
    for (const extract::Link& link : links)
      tools_.recent.prefetch(marks_.emplace_back(tools_.context.identity.url_hash(link.url())));
    auto mark = marks_.begin();
    for (const extract::Link& link : links) judge(link, *mark++);
    std::ranges::move(again_, std::back_inserter(visit_.result.links));
    if (visit_.lease().wants_links) sort_targets();
  }

 private:
  void judge(const extract::Link& link, uint64_t mark) {
    const bool is_redirect = link.hop == extract::Hop::redirect;
    // The items of a feed come with the result, and its other links count for nothing.
    if (feed_ && feed_->kind == FeedUrlKind::feed && !is_redirect) return;
    if (!is_redirect && tools_.recent.has(mark)) return note_target(mark);
    hops_.back() = static_cast<char>(link.hop);
    const config::EffectiveSettings& site = visit_.settings().of(link.target);
    scope::Candidate candidate{.url = link.target,
                               .hop_path = hops_,
                               .via = via_,
                               .is_seed = false,
                               .rules = site.scope.get(),
                               .source_seed = visit_.lease().candidate.seed,
                               .at = now_};
    if (is_redirect && !feed_) widen_scope(candidate);
    const scope::Decision decision = feed_ ? decide_of_feed(candidate, site) : tools_.context.scope.decide(candidate);
    if (logged_.answers)
      append_line(visit_.result.scope_lines, *logged_.answers, link, decision.accepted ? kAcceptedLink : kRejectedLink,
                  decision.rule);
    if (!decision.accepted) return reject(link, mark, decision.rule);
    const auto key = url::crawl_key(tools_.context.key_policy, link.target);
    if (!key) return;
    frontier::ScheduledUrl& made = accept(link, site, *key, candidate.is_seed);
    if (is_redirect) {
      made.candidate.force = leads_to_its_own_key(link.target, *key);
      if (site.cookies.enabled && site.cookies.walls > 0) follow_chain(link.target, site, made);
    }
    if (feed_) pass_feed_on(is_redirect, made);
    if (!made.candidate.force) new_marks_.marks.push_back(mark);
    note_target(mark);
  }

  // The path from the feed in place of what the scope would say of a URL that nobody has named.
  scope::Decision decide_of_feed(scope::Candidate candidate, const config::EffectiveSettings& site) const {
    if (feed_->kind != FeedUrlKind::feed && !site.feed_hops->allows(scope::hop_letters(hops_)))
      return {.accepted = false, .rule = "feed-hop-path", .detail = {}};
    candidate.is_seed = true;
    return tools_.context.scope.decide(candidate);
  }

  void pass_feed_on(bool is_redirect, frontier::ScheduledUrl& made) const {
    feed_->next(is_redirect).put_into(made.candidate);
    // A redirect from an item that is captured again leads to it.
    if (is_redirect && feed_->is_given() && visit_.lease().candidate.force) made.candidate.force = true;
  }

  void append_line(std::string& lines, const logs::JsonFields& fields, const extract::Link& link, std::string_view word,
                   std::string_view rule) {
    append_link_line(lines, fields,
                     {.at = now_,
                      .url = url::public_form(link.target),
                      .word = word,
                      .hops = hops_,
                      .via = via_,
                      .seed = visit_.lease().candidate.seed,
                      .rule = rule});
  }

  // Tells it to the committer, which knows whether it is on record.
  void log_rejection(const extract::Link& link, uint64_t mark, std::string_view rule) {
    if (tools_.recent_rejected->has(mark)) return;
    const frontier::Identity& identity = tools_.context.identity;
    RejectedLink& made = visit_.result.rejected_links.emplace_back();
    made.mark = identity.url_mark(link.url(), identity.partition(url::crawl_host(link.target)));
    append_line(made.line, *logged_.rejections, link, kRejectedLink, rule);
    new_marks_.rejected.push_back(mark);
  }

  // Before the link is judged: its own links are judged by the wider scope, too.
  void widen_scope(scope::Candidate& target) {
    if (!tools_.context.scope.becomes_seed(target)) return;
    tools_.context.scope.add_seed(target.url);
    target.is_seed = true;
    visit_.result.new_seeds.emplace_back(target.url.href());
  }

  // A redirect to a URL with the key of the one that redirects would pass for seen.
  bool leads_to_its_own_key(const url::Url& target, const std::string& key) const {
    if (visit_.lease().candidate.again || target.href() == url_.without_fragment()) return false;
    const auto own = url::crawl_key(tools_.context.key_policy, url_);
    return own && *own == key;
  }

  // Hands the chain of redirects on. A target that is in it, and would be sent another Cookie now than the one it
  // answered with a redirect, is fetched again: it may be behind a consent wall. So are other pages that the wall has
  // kept out.
  void follow_chain(const url::Url& target, const config::EffectiveSettings& site, frontier::ScheduledUrl& made) {
    RedirectChain chain = RedirectChain::of(visit_.lease().candidate);
    const auto own = url::crawl_key(tools_.context.key_policy, url_);
    if (!own || !visit_.document.outcome) return;
    const frontier::Identity& identity = tools_.context.identity;
    chain.add({identity.fingerprint(*own, identity.partition(url::crawl_host(url_))), visit_.document.outcome->cookie});
    const RedirectChain::Hop* const before = chain.find(made.fingerprint);
    const bool is_allowed = !visit_.lease().candidate.again && chain.walls < static_cast<uint64_t>(site.cookies.walls);
    if (before == nullptr && is_allowed) wait_for_wall(chain, made.fingerprint);
    if (before != nullptr && is_allowed && cookie_now(target, site) != before->cookie) {
      open_walls(chain, *before);
      ++chain.walls;
      made.candidate.force = true;
      visit_.line->entry.facts.opens_wall = true;
    }
    chain.put_into(made.candidate);
  }

  // The URL at hand redirects to the one of that fingerprint, which may be a wall that others have led to before: then
  // it leads back to them alone.
  void wait_for_wall(RedirectChain chain, uint64_t target) {
    if (tools_.context.walls == nullptr || feed_) return;
    WaitingPage page{.again = {}, .cookie = chain.hops.back().cookie};
    page.again.candidate = visit_.lease().candidate;
    page.again.candidate.force = true;
    ++chain.walls;
    chain.put_into(page.again.candidate);
    page.again.order = visit_.site().order;
    page.again.origin = frontier::origin_of(url_);
    page.again.host = url::crawl_host(url_);
    page.again.fingerprint = chain.hops.back().fingerprint;
    // It was on its way when the wall opened.
    if (!tools_.context.walls->add(target, page)) visit_.line->entry.facts.opens_wall = ask_again(std::move(page));
  }

  // The chain has come back to the URL of `before`: those behind it are walls.
  void open_walls(const RedirectChain& chain, const RedirectChain::Hop& before) {
    if (tools_.context.walls == nullptr) return;
    for (const RedirectChain::Hop* wall = &before + 1; wall != chain.hops.data() + chain.hops.size(); ++wall)
      for (WaitingPage& page : tools_.context.walls->open(wall->fingerprint))
        if (chain.find(page.again.fingerprint) == nullptr) ask_again(std::move(page));
  }

  // Returns whether another Cookie would be sent now.
  bool ask_again(WaitingPage page) {
    const auto url = url::Url::parse(page.again.candidate.url);
    if (!url || cookie_now(*url, visit_.settings().of(*url)) == page.cookie) return false;
    again_.push_back(std::move(page.again));
    return true;
  }

  uint64_t cookie_now(const url::Url& target, const config::EffectiveSettings& site) {
    const std::string of_jar = tools_.cookie_for(target, site).value;
    return fetch::cookie_hash(fetch::header_as_sent(site.fetch, "Cookie", of_jar));
  }

  frontier::ScheduledUrl& accept(const extract::Link& link, const config::EffectiveSettings& site,
                                 const std::string& key, bool is_seed) {
    frontier::ScheduledUrl& made = visit_.result.links.emplace_back();
    made.candidate.url = link.target.href();
    made.candidate.via = via_;
    made.candidate.hops = hops_;
    made.candidate.context = link.context;
    made.candidate.seed = visit_.lease().candidate.seed;
    made.candidate.is_seed = is_seed;
    if (suppresses_traps_) put_via_digest(visit_.document.readable()->payload_digest, made.candidate);
    made.order = site.order;
    made.origin = frontier::origin_of(link.target);
    made.host = url::crawl_host(link.target);
    const frontier::Identity& identity = tools_.context.identity;
    made.fingerprint = identity.fingerprint(key, identity.partition(made.host));
    return made;
  }

  void reject(const extract::Link& link, uint64_t mark, std::string_view rule) {
    auto& rejected = visit_.result.rejected;
    const auto known = std::ranges::find(rejected, rule, &std::pair<std::string_view, uint64_t>::first);
    if (known != rejected.end())
      ++known->second;
    else
      rejected.emplace_back(rule, 1);
    if (rule == "max-redirects" && !std::exchange(has_left_chain_, true))
      log_chain_end(link.target);
    else if (logged_.rejections)
      log_rejection(link, mark, rule);
  }

  // Where a chain of redirects was left is on record, once a visit.
  void log_chain_end(const url::Url& target) {
    LogEntry entry = visit_.entry_for(url::public_form(target), status::kTooManyRedirects);
    entry.hops += 'R';
    entry.via = via_;
    entry.facts = {};
    visit_.result.visited.push_back({.entry = std::move(entry),
                                     .host = std::string(url::crawl_host(target)),
                                     .is_prerequisite = false,
                                     .is_seed = false,
                                     .redirect = {},
                                     .place = nullptr});
  }

  void note_target(uint64_t mark) {
    if (visit_.lease().wants_links) visit_.result.disposition.links.push_back(mark);
  }

  void sort_targets() {
    std::vector<uint64_t>& targets = visit_.result.disposition.links;
    std::ranges::sort(targets);
    targets.erase(std::ranges::unique(targets).begin(), targets.end());
    std::erase(targets, tools_.context.identity.url_hash(url_.without_fragment()));
  }

  LaneTools& tools_;
  const config::LinkLogs& logged_;
  Visit& visit_;
  const url::Url& url_;
  const std::string via_;
  std::string hops_;                      // of the link at hand
  std::pmr::vector<uint64_t> marks_;      // of all links
  NewMarks& new_marks_;                   // of those in the result
  const std::optional<FeedOrigin> feed_;  // if the page has to do with one
  const bool suppresses_traps_;
  const WallTime now_;
  std::vector<frontier::ScheduledUrl> again_;  // pages that a wall has kept out
  bool has_left_chain_ = false;
};

class LinksStep final : public Step {
 public:
  explicit LinksStep(LaneTools& tools) : tools_(tools) {
    if (tools.context.settings->logs.rejected_links) tools.recent_rejected.emplace();
  }
  std::string_view name() const override { return "links"; }

  Result<Next> run(Visit& visit) override {
    // A link may widen the scope for good: only a visit that counts may come so far.
    auto& extracted = visit.document.extracted;
    if (!extracted || visit.result.disposition.local_failure) return Next::on();
    // A wall that is not kept leads nowhere but where it redirects to.
    if (!visit.line->entry.facts.page.wall.empty() && !visit.site().stores_walls)
      std::erase_if(extracted->links, [](const extract::Link& link) { return link.hop != extract::Hop::redirect; });
    LinkJudge(tools_, visit).judge(extracted->links);
    visit.result.bad_links = std::move(extracted->bad);
    return Next::on();
  }

 private:
  LaneTools& tools_;
};

}  // namespace

std::unique_ptr<Step> make_links_step(LaneTools& tools) { return std::make_unique<LinksStep>(tools); }

}  // namespace caddis::visit
