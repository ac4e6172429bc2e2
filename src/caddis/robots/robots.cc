#include "caddis/robots/robots.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "caddis/base/strings.h"
#include "caddis/robots/agent.h"
#include "caddis/robots/encoding.h"
#include "caddis/robots/line_reader.h"
#include "caddis/robots/rule_set.h"

namespace caddis::robots {
namespace {

// A token's groups stay apart, and rule sets are shared by all tokens of a group: a file cannot cost more than its
// size.
struct Agent {
  std::vector<uint32_t> groups;
  std::optional<Duration> crawl_delay;
};
using Agents = std::map<std::string, Agent, std::less<>>;

constexpr double kMaxCrawlDelay = 86'400;
constexpr int kMaxDelaysPerGroup = 8;  // each costs a walk over the group's agents

std::optional<Duration> parse_crawl_delay(std::string_view value) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  // More than a number holds, or less than it can tell from 0: "1e999", "1e-999".
  if (error == std::errc::result_out_of_range && is_digit(value.front()))
    seconds = std::string_view(value.data(), end).find('-') == std::string_view::npos ? kMaxCrawlDelay : 0;
  else if (error != std::errc())
    return std::nullopt;
  if (end == value.data() || !(seconds >= 0)) return std::nullopt;
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(std::min(seconds, kMaxCrawlDelay)));
}

std::string_view within_limit(std::string_view text) {
  if (text.size() <= Robots::kMaxText) return text;
  const size_t last_line_end = text.substr(0, Robots::kMaxText).find_last_of("\r\n");
  return text.substr(0, last_line_end == text.npos ? 0 : last_line_end);
}

}  // namespace

struct Robots::Compiled {
  std::string text;  // what the rules' lines are views of
  std::vector<RuleSet> groups;
  Agents agents;
  std::vector<std::string> sitemaps;
  ParseCounts counts;

  // The agent's own entry, or that of everyone; null where there is neither.
  const Agent* find(std::string_view agent) const {
    if (auto own = agents.find(to_lower(product_token(agent))); own != agents.end()) return &own->second;
    const auto everyone = agents.find("*");
    return everyone == agents.end() ? nullptr : &everyone->second;
  }
};

namespace {

// Builds groups from lines: user-agent lines collect, the first rule closes the collection.
class Builder {
 public:
  Builder(std::vector<RuleSet>& groups, Agents& agents) : groups_(groups), agents_(agents) {}

  void user_agent(std::string_view value) {
    if (in_rules_) named_.clear();
    if (in_rules_ || delays_ > 0) delay_from_ = named_.size();
    in_rules_ = false;
    delays_ = 0;
    const std::string token = to_lower(named_token(value));
    if (!token.empty()) named_.push_back(&agents_[token]);
  }

  void rule(const Line& line) {
    if (named_.empty() && !in_rules_) return;  // before any user-agent line: belongs to nobody
    if (!in_rules_) open_group();
    if (line.value.empty()) return;
    Rule rule;
    rule.allow = line.directive == Directive::allow;
    rule.line = line.number;
    rule.text = line.text;
    rule.normal = normal_form_of_rule(line.value);
    rule.literal = literal_form(line.value);
    if (rule.literal == rule.normal) rule.literal.clear();
    groups_.back().add(std::move(rule));
  }

  // Not a rule of the RFC, so it does not close the collection; it holds for the agents named since the last one.
  void crawl_delay(std::string_view value) {
    const auto delay = parse_crawl_delay(value);
    if (!delay || ++delays_ > kMaxDelaysPerGroup) return;
    for (size_t i = delay_from_; i < named_.size(); ++i) {
      named_[i]->crawl_delay = std::max(named_[i]->crawl_delay.value_or(*delay), *delay);
    }
  }

 private:
  void open_group() {
    in_rules_ = true;
    const auto group = static_cast<uint32_t>(groups_.size());
    groups_.emplace_back();
    for (Agent* agent : named_) {
      if (agent->groups.empty() || agent->groups.back() != group) agent->groups.push_back(group);
    }
  }

  std::vector<RuleSet>& groups_;
  Agents& agents_;
  std::vector<Agent*> named_;
  bool in_rules_ = false;
  int delays_ = 0;         // crawl-delay lines since the last user-agent line
  size_t delay_from_ = 0;  // the agents in named_ that they are for
};

}  // namespace

Robots Robots::parse(std::string_view text) {
  auto compiled = std::make_shared<Compiled>();
  compiled->text = within_limit(text);
  Builder builder(compiled->groups, compiled->agents);
  LineReader reader(compiled->text);
  for (Line line; reader.next(line);) {
    switch (line.directive) {
      case Directive::none:
        break;
      case Directive::user_agent:
        builder.user_agent(line.value);
        break;
      case Directive::allow:
      case Directive::disallow:
        builder.rule(line);
        break;
      case Directive::sitemap:
        if (!line.value.empty()) compiled->sitemaps.emplace_back(line.value);
        break;
      case Directive::crawl_delay:
        builder.crawl_delay(line.value);
        break;
      case Directive::unknown:
        ++compiled->counts.unknown;
        break;
    }
    if (line.directive != Directive::none && line.directive != Directive::unknown) ++compiled->counts.directives;
  }
  compiled->counts.lines = reader.lines();
  for (RuleSet& group : compiled->groups) group.compile();
  Robots robots;
  robots.compiled_ = std::move(compiled);
  return robots;
}

Robots::Robots() : compiled_(std::make_shared<const Compiled>()) {}
Robots::~Robots() = default;
Robots::Robots(Robots&&) noexcept = default;
Robots& Robots::operator=(Robots&&) noexcept = default;

Verdict Robots::verdict(std::string_view agent, std::string_view path_and_query) const {
  const Agent* groups_of = compiled_->find(agent);
  if (groups_of == nullptr) return {};
  if (path_and_query == "/robots.txt") return {};
  if (path_and_query.empty()) path_and_query = "/";
  std::string normal;
  RequestPath path{path_and_query, path_and_query};
  if (!is_normal_request(path_and_query)) path.normal = normal = normal_form_of_request(path_and_query);

  const Rule* best = nullptr;
  for (uint32_t group : groups_of->groups) {
    const Rule* found = compiled_->groups[group].find(path);
    if (found != nullptr && outranks(*found, best)) best = found;
  }
  if (best == nullptr) return {};
  return {best->allow, best->text, best->line};
}

std::optional<Duration> Robots::crawl_delay(std::string_view agent) const {
  const Agent* found = compiled_->find(agent);
  return found == nullptr ? std::nullopt : found->crawl_delay;
}

bool Robots::names(std::string_view agent) const { return compiled_->agents.contains(to_lower(product_token(agent))); }

const std::vector<std::string>& Robots::sitemaps() const { return compiled_->sitemaps; }
const ParseCounts& Robots::counts() const { return compiled_->counts; }

}  // namespace caddis::robots
