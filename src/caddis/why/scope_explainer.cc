#include "caddis/why/scope_explainer.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "caddis/base/clock.h"
#include "caddis/base/strings.h"
#include "caddis/config/scope_line.h"
#include "caddis/config/scope_of_crawl.h"
#include "caddis/config/seeds.h"
#include "caddis/crawl/seed_list.h"
#include "caddis/io/stream.h"
#include "caddis/scope/verdict_word.h"
#include "caddis/url/url.h"

namespace caddis::why {
namespace {

template <class Take>
void take_line(std::string_view line, scope::Scope& scope, const Take& take) {
  if (const auto scope_line = config::parse_scope_line(line)) {
    if (scope_line->narrows)
      scope.narrow(scope_line->prefix);
    else
      scope.widen(scope_line->prefix);
  } else if (const auto seed = config::parse_seed(line)) {
    take(*seed);
  }
}

// Calls `take` with each seed of a list, however long it is. Lines that change the scope do so.
template <class Take>
Result<void> each_of_list(const std::string& path, scope::Scope& scope, const Take& take) {
  TRY(const auto stream, io::InputStream::open(path));
  std::string text;
  for (bool at_end = false; !at_end;) {
    TRY(const std::string bytes, stream->read());
    if (text.empty() && bytes.starts_with("\x1f\x8b"))
      return fail(ErrorCode::unsupported, path + " is gzip: unpack it first, and name what comes out in seed-files");
    at_end = bytes.empty();
    text += bytes;
    const size_t whole = at_end ? text.size() : text.rfind('\n') + 1;
    for (const std::string_view line : split(std::string_view(text).substr(0, whole), '\n'))
      take_line(config::seed_on_line(line), scope, take);
    text.erase(0, whole);
  }
  return {};
}

std::string table_line(size_t number, const scope::Scope::Answered& one) {
  const std::vector<std::string>& written = one.rule->lines();
  const std::string rule =
      written.size() > 1 ? fmt::format("{} and {} more", written.front(), written.size() - 1) : written.front();
  return fmt::format("{:>4}  {:<6}  {}{}{}", number, scope::word_of(one.ruling.verdict), rule,
                     one.reason.empty() ? "" : "   ", one.reason.empty() ? "" : "(" + one.reason + ")");
}

}  // namespace

Result<void> name_copies_of_lists(io::Files& files, const collection::Launch& launch, config::Settings& settings) {
  TRY(const auto copies, crawl::seed_lists(files, launch));
  if (copies.empty()) return {};
  settings.crawl.seed_files.clear();
  for (const crawl::SeedList& copy : copies) settings.crawl.seed_files.push_back(copy.path);
  return {};
}

Result<ScopeExplainer> ScopeExplainer::create(const config::Settings& settings, const std::vector<std::string>& more) {
  std::vector<url::Url> seeds;
  for (const std::string& text : settings.crawl.seeds)
    if (auto seed = url::Url::parse(text)) seeds.push_back(std::move(*seed));
  for (const std::string& text : more) {
    auto seed = url::Url::parse(text);
    if (!seed) return pass(std::move(seed.error()), "--seed " + text);
    seeds.push_back(std::move(*seed));
  }
  TRY(auto scope, config::make_scope(settings, seeds));
  TRY(auto book, config::SettingsResolver::create(settings, scope->rules(), system_clock().wall()));
  auto known = std::make_unique<FingerprintSet>();
  for (const url::Url& seed : seeds) known->insert(seed.without_fragment());
  for (const std::string& path : settings.crawl.seed_files)
    TRY_VOID(each_of_list(path, *scope, [&](const url::Url& seed) {
      scope->add_seed(seed);
      known->insert(seed.without_fragment());
    }));
  return ScopeExplainer(std::move(scope), std::move(book), std::move(known));
}

Result<ScopeExplainer::Answer> ScopeExplainer::explain(Question question) {
  TRY(const url::Url url, url::Url::parse(question.url));
  const bool is_seed = question.is_seed.value_or(question.hops.empty() && seeds_->contains(url.without_fragment()));
  if (question.hops.empty() && !is_seed) question.hops = "L";
  const config::EffectiveSettings& site = sites_.of(url);
  const scope::Candidate candidate{.url = url,
                                   .hop_path = question.hops,
                                   .via = question.via,
                                   .is_seed = is_seed,
                                   .rules = site.scope.get(),
                                   .source_seed = question.source_seed,
                                   .at = system_clock().wall()};
  const scope::Decision decision = scope_->decide(candidate);
  Answer answer;
  answer.report = {.url = std::string(url.href()),
                   .accepted = decision.accepted,
                   .rule = std::string(decision.rule),
                   .detail = std::string(decision.detail),
                   .explanation = scope_->explain(candidate),
                   .sheets = site.sheets,
                   .rules = {}};
  for (const scope::Scope::Answered& one : scope_->explain_rules(candidate)) {
    answer.report.rules.push_back({fmt::format("{}", fmt::join(one.rule->lines(), "; ")), std::string(one.rule->name()),
                                   std::string(scope::word_of(one.ruling.verdict)), one.reason});
    answer.table.push_back(table_line(answer.table.size() + 1, one));
  }
  return answer;
}

}  // namespace caddis::why
