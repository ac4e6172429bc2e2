#include "caddis/url/key_guard.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/url/key_tokens.h"

namespace caddis::url {
namespace {

constexpr size_t kTimestamp = 14;

Result<std::string> read_date(std::string_view name, std::string_view text) {
  if (text.size() >= 4 && text.size() <= kTimestamp && std::ranges::all_of(text, is_digit)) return std::string(text);
  return fail(ErrorCode::config, "@" + std::string(name) + "(" + std::string(text) +
                                     "): 4 to 14 digits of a date are wanted, as in 2010 or 20100630");
}

}  // namespace

GuardFacts GuardFacts::of(const Url* url, std::string_view text, std::string_view timestamp) {
  GuardFacts facts;
  facts.timestamp = timestamp.substr(0, kTimestamp);
  facts.timestamp.resize(kTimestamp, timestamp.empty() ? '9' : '0');
  if (url != nullptr) {
    facts.surt = heritrix_surt(*url);
    return facts;
  }
  auto parsed = Url::parse(text);
  if (!parsed || !parsed->has_host()) parsed = Url::parse("http://" + std::string(trim(text)));
  if (parsed) facts.surt = heritrix_surt(*parsed);
  return facts;
}

Result<void> KeyGuard::add(std::string_view name, std::string_view arguments) {
  if (name == "from") {
    TRY(from_, read_date(name, arguments));
  } else if (name == "to") {
    TRY(to_, read_date(name, arguments));
  } else if (name == "site") {
    for (const std::string& site : list_items(arguments)) {
      if (auto added = sites_.add_line(site); !added) return pass(std::move(added).error(), "@site(" + site + ")");
      site_names_.push_back(site);
    }
    if (sites_.empty()) return fail(ErrorCode::config, "@site() names no site");
  } else {
    return fail(ErrorCode::config,
                "there is no guard '@" + std::string(name) +
                    "'; there are @site(HOST…), @from(DATE) and @to(DATE), with '!' for the contrary");
  }
  return {};
}

Result<KeyGuard> KeyGuard::parse(std::string_view text) {
  KeyGuard guard;
  guard.is_negated_ = text.starts_with('!');
  if (guard.is_negated_) text.remove_prefix(1);
  for (;;) {
    const size_t open = text.find_first_of("(,");
    if (open == std::string_view::npos || text[open] != '(')
      return fail(ErrorCode::config, "the guard '@" + std::string(text) + "' lacks its (…)");
    TRY(const size_t close, closing_parenthesis(text, open));
    TRY_VOID(guard.add(text.substr(0, open), text.substr(open + 1, close - open - 1)));
    text.remove_prefix(close + 1);
    if (text.empty()) break;
    if (text.front() != ',')
      return fail(ErrorCode::config, "'" + std::string(text) + "' behind a guard: ',' or '@' is wanted between two");
    text.remove_prefix(1);
  }
  if (!guard.from_.empty() && !guard.to_.empty() && guard.from_.substr(0, guard.to_.size()) > guard.to_)
    return fail(ErrorCode::config, "@from(" + guard.from_ + "),to(" + guard.to_ + ") holds at no time");
  return guard;
}

bool KeyGuard::holds(const GuardFacts& facts) const {
  const std::string_view at = facts.timestamp;
  const bool is_in_time = at.substr(0, from_.size()) >= from_ && (to_.empty() || at.substr(0, to_.size()) <= to_);
  const bool holds = is_in_time && (!has_sites() || sites_.matches(facts.surt));
  return holds != is_negated_;
}

KeyGuard KeyGuard::negated() const {
  KeyGuard guard = *this;
  guard.is_negated_ = !is_negated_;
  return guard;
}

std::string KeyGuard::write() const {
  std::string out = is_negated_ ? "@!" : "@";
  const auto add = [&](std::string_view name, const std::string& arguments) {
    if (arguments.empty()) return;
    if (out.ends_with(')')) out += ',';
    out.append(name).append("(").append(arguments).append(")");
  };
  std::string sites;
  for (const std::string& site : site_names_) sites.append(sites.empty() ? "" : " ").append(escape_item(site));
  add("site", sites);
  add("from", from_);
  add("to", to_);
  return out;
}

}  // namespace caddis::url
