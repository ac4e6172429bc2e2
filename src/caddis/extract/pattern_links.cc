#include "caddis/extract/pattern_links.h"

#include <re2/re2.h>

#include <algorithm>
#include <string>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/extract/plan.h"
#include "caddis/extract/url_guess.h"
#include "caddis/url/percent.h"

namespace caddis::extract {
namespace {

using Groups = std::vector<std::string_view>;  // the whole first

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

// The groups of the first match from `from` on; false if there is none.
bool find(const re2::RE2& pattern, std::string_view text, size_t from, re2::RE2::Anchor anchor, Groups& groups) {
  std::vector<re2::StringPiece> found(static_cast<size_t>(pattern.NumberOfCapturingGroups()) + 1);
  if (!pattern.Match(piece(text), from, text.size(), anchor, found.data(), static_cast<int>(found.size())))
    return false;
  groups.clear();
  for (const re2::StringPiece& one : found) groups.emplace_back(one.data() == nullptr ? "" : one.data(), one.size());
  return true;
}

// The groups that a name of a format stands for.
struct NamedGroups {
  std::string_view name;
  const Groups* groups;
};

// Appends the group that "name[2]", "name" or "2" stands for; false if there is none.
bool append_group(std::string& out, std::string_view mark, std::span<const NamedGroups> known) {
  std::string_view name = mark;
  size_t index = 0;
  if (const size_t open = mark.find('['); open != std::string_view::npos) {
    name = mark.substr(0, open);
    index = static_cast<size_t>(parse_int(mark.substr(open + 1, mark.find(']') - open - 1)).value_or(0));
  } else if (!mark.empty() && is_digit(mark[0])) {
    name = {};
    index = static_cast<size_t>(parse_int(mark).value_or(0));
  }
  const auto found = std::ranges::find(known, name, &NamedGroups::name);
  if (found == known.end() || index >= found->groups->size()) return false;
  out += (*found->groups)[index];
  return true;
}

// "https://h/$1", "https://h/${name[1]}"; "$$" is a '$'. False if a group is named that there is not.
bool fill_in(std::string_view format, std::span<const NamedGroups> known, std::string& out) {
  out.clear();
  for (size_t at = 0; at < format.size(); ++at) {
    if (format[at] != '$' || at + 1 >= format.size()) {
      out += format[at];
      continue;
    }
    const char next = format[++at];
    if (next == '$') {
      out += '$';
    } else if (next == '{') {
      const size_t close = format.find('}', at);
      if (close == std::string_view::npos || !append_group(out, format.substr(at + 1, close - at - 1), known))
        return false;
      at = close;
    } else if (is_digit(next)) {
      if (!append_group(out, format.substr(at, 1), known)) return false;
    } else {
      out += '$';
      out += next;
    }
  }
  return true;
}

// Goes through all combinations of what the parts have found, up to the sink's limit.
class Combinations {
 public:
  Combinations(std::string_view format, LinkSink& sink) : format_(format), sink_(sink) {}

  void add_part(std::string_view name, std::vector<Groups> finds) {
    names_.push_back(name);
    finds_.push_back(std::move(finds));
  }

  void run() {
    if (std::ranges::any_of(finds_, &std::vector<Groups>::empty)) return;
    std::vector<size_t> at(finds_.size(), 0);
    std::vector<NamedGroups> known(finds_.size());
    std::string filled;
    constexpr size_t kMost = 100'000;
    for (size_t times = 0; times < kMost; ++times) {
      if (sink_.is_full()) return sink_.count_dropped();
      for (size_t i = 0; i < at.size(); ++i) known[i] = {names_[i], &finds_[i][at[i]]};
      if (fill_in(format_, known, filled)) sink_.add(filled, Hop::inferred, kInferredMisc);
      size_t i = 0;
      while (i < at.size() && ++at[i] == finds_[i].size()) at[i++] = 0;
      if (i == at.size()) return;
    }
  }

 private:
  const std::string_view format_;
  LinkSink& sink_;
  std::vector<std::string_view> names_;
  std::vector<std::vector<Groups>> finds_;
};

std::vector<Groups> all_finds(const re2::RE2& pattern, std::string_view body) {
  constexpr size_t kMost = 10'000;
  std::vector<Groups> finds;
  Groups groups;
  for (size_t at = 0; at <= body.size() && finds.size() < kMost;) {
    if (!find(pattern, body, at, re2::RE2::UNANCHORED, groups)) break;
    at = static_cast<size_t>(groups[0].data() - body.data()) + std::max<size_t>(1, groups[0].size());
    finds.push_back(groups);
  }
  return finds;
}

}  // namespace

void extract_uri_in_uri(LinkSink& sink) {
  const size_t known = sink.links().size();
  for (size_t i = 0; i < known; ++i) {
    const std::string query(sink.links()[i].target.search());
    if (query.size() < 8) continue;
    const std::string_view pairs = std::string_view(query).substr(1);
    const auto take = [&sink](std::string_view written) {
      const std::string value = url::percent_decode(written);
      if (is_absolute_url(value)) sink.add(value, Hop::speculative, kSpeculativeMisc);
    };
    take(pairs);
    for (const std::string_view pair : split(pairs, '&'))
      if (const size_t equals = pair.find('='); equals != std::string_view::npos) take(pair.substr(equals + 1));
  }
}

void extract_implied_uris(const Plan& plan, LinkSink& sink) {
  const size_t known = sink.links().size();
  std::vector<bool> triggers(known, false);
  bool has_trigger = false;
  std::string filled;
  Groups groups;
  for (const ImpliedUri& one : plan.implied_uris()) {
    for (size_t i = 0; i < known; ++i) {
      const std::string url(sink.links()[i].url());
      if (!find(*one.pattern, url, 0, re2::RE2::ANCHOR_BOTH, groups)) continue;
      const NamedGroups names[] = {{std::string_view(), &groups}};
      if (!fill_in(one.format, names, filled)) continue;
      sink.add(filled, Hop::inferred, kInferredMisc);
      triggers[i] = has_trigger = true;
    }
  }
  if (plan.options().patterns.remove_triggers && has_trigger) sink.remove(triggers);
}

void extract_multiple_regex(std::string_view body, const Plan& plan, LinkSink& sink) {
  const MultipleRegex& rules = plan.multiple_regex();
  Groups of_url;
  const std::string_view url = sink.document_url().href();
  if (!find(*rules.url, url, 0, re2::RE2::ANCHOR_BOTH, of_url)) return;
  Combinations combinations(plan.options().patterns.multiple_format, sink);
  combinations.add_part("url", {of_url});
  combinations.add_part("uriRegex", {of_url});  // as Heritrix's templates name it
  for (const auto& [name, pattern] : rules.parts) combinations.add_part(name, all_finds(*pattern, body));
  combinations.run();
}

}  // namespace caddis::extract
