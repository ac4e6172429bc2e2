// Conditions about the URL itself.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>

#include "caddis/base/strings.h"
#include "caddis/scope/condition_forms.h"
#include "caddis/scope/traps.h"
#include "caddis/url/crawl_schemes.h"
#include "caddis/url/surt.h"

namespace caddis::scope {
namespace {

// Several expressions as one set.
class UrlPatterns final : public Condition {
 public:
  explicit UrlPatterns(std::shared_ptr<const PatternList> patterns) : patterns_(std::move(patterns)) {}
  std::optional<std::string_view> match(const Candidate& candidate, const SeedBook& /*seeds*/) const override {
    const std::string_view found = patterns_->find(candidate.url.without_fragment());
    if (found.empty()) return {};
    return found;
  }
  std::string explain(const Candidate& /*candidate*/, std::optional<std::string_view> found) const override {
    return found ? fmt::format("'{}' is found in it", *found) : "nothing is found in it";
  }

 private:
  std::shared_ptr<const PatternList> patterns_;
};

struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
using Names = std::unordered_set<std::string, TextHash, std::equal_to<>>;

class Scheme final : public Condition {
 public:
  explicit Scheme(std::vector<std::string> names) : names_(std::move(names)) {}
  std::optional<std::string_view> match(const Candidate& candidate, const SeedBook& /*seeds*/) const override {
    const std::string_view scheme = candidate.url.scheme();
    if (std::ranges::find(names_, scheme) == names_.end()) return {};
    return scheme;
  }
  std::string explain(const Candidate& candidate, std::optional<std::string_view> found) const override {
    return fmt::format("'{}' is {} of {}", candidate.url.scheme(), found ? "one" : "none", fmt::join(names_, ", "));
  }

 private:
  std::vector<std::string> names_;
};

// Names of hosts, with a port that host and port alone; or domains, which have their sub-domains with them.
class OnHosts final : public Condition {
 public:
  OnHosts(Names names, bool with_subdomains) : names_(std::move(names)), with_subdomains_(with_subdomains) {}
  std::optional<std::string_view> match(const Candidate& candidate, const SeedBook& /*seeds*/) const override {
    if (const auto found = names_.find(candidate.url.host()); found != names_.end()) return *found;
    for (std::string_view name = url::crawl_host(candidate.url); !name.empty();) {
      if (const auto found = names_.find(name); found != names_.end()) return *found;
      const size_t dot = with_subdomains_ ? name.find('.') : name.npos;
      name = dot == name.npos ? std::string_view() : name.substr(dot + 1);
    }
    return {};
  }
  std::string explain(const Candidate& candidate, std::optional<std::string_view> found) const override {
    return found ? fmt::format("'{}' is named", *found) : fmt::format("'{}' is none of them", candidate.url.host());
  }

 private:
  Names names_;
  bool with_subdomains_;
};

MadeCondition on_hosts(const Arguments& arguments, bool with_subdomains) {
  TRY(const auto items, arguments.items());
  Names names;
  for (const std::string& item : items) {
    if (item == url::kFilesHost) {
      names.emplace(item);
      continue;
    }
    if (item == "and" || item == "or" || item == "not" || item.starts_with('.') ||
        item.find_first_of(",*\"'") != item.npos)
      return fail(ErrorCode::config, fmt::format("'{}' is no name of a host: write names with blanks between them, "
                                                 "without '*' (domain has the hosts below it)",
                                                 item));
    if (item.ends_with(":80") || item.ends_with(":443"))
      return fail(ErrorCode::config, fmt::format("'{}': name a port only if it is not that of http or https", item));
    const auto url = url::Url::parse("http://" + item);
    if (!url || url->hostname().empty() || url->pathname() != "/" || item.find('/') != item.npos)
      return fail(ErrorCode::config, fmt::format("'{}' is no name of a host: write for example example.org", item));
    names.emplace(url->host());
  }
  return std::make_unique<OnHosts>(std::move(names), with_subdomains);
}

class PathRepetitions final : public Condition {
 public:
  explicit PathRepetitions(int64_t most) : most_(most) {}
  std::optional<std::string_view> match(const Candidate& candidate, const SeedBook& /*seeds*/) const override {
    const std::string_view path = candidate.url.pathname();
    // The last name does not count, and a run of one segment is the shortest.
    if (path_depth(path) - 1 <= most_) return {};
    const std::string_view run = repeated_segments(path, most_);
    if (run.empty()) return {};
    return run;
  }
  std::string explain(const Candidate& /*candidate*/, std::optional<std::string_view> found) const override {
    if (!found) return fmt::format("nothing stands more than {} times in a row", most_);
    return fmt::format("'{}' stands more than {} times in a row", *found, most_);
  }

 private:
  int64_t most_;
};

// Endings of names by kind, for those who know no type before a fetch.
const std::map<std::string_view, std::string_view> kEndings = {
    {"images", "avif|bmp|gif|ico|jpe?g|png|svg|tiff?|webp"},
    {"audio", "aac|aiff?|flac|m3u|m4a|midi?|mp[23a]|ogg|opus|ram?|wav|wma"},
    {"video", "asf|asx|avi|flv|m4v|mkv|mov|mp4|mpe?g|qt|rm|smil|webm|wmv"},
    {"misc", "docx?|epub|pdf|pptx?|swf|xlsx?"},
};

}  // namespace

std::unique_ptr<const Condition> condition_of(std::shared_ptr<const PatternList> patterns) {
  return std::make_unique<UrlPatterns>(std::move(patterns));
}

MadeCondition make_url(const Arguments& arguments) {
  TRY(const auto patterns, arguments.patterns());
  TRY(PatternList list, PatternList::create("expression", patterns));
  return condition_of(std::make_shared<const PatternList>(std::move(list)));
}

MadeCondition make_url_length(const Arguments& arguments) {
  return compare(
      arguments,
      [](const Candidate& candidate) -> std::optional<int64_t> {
        return static_cast<int64_t>(candidate.url.without_fragment().size());
      },
      "characters");
}

MadeCondition make_scheme(const Arguments& arguments) {
  TRY(auto items, arguments.items());
  for (std::string& item : items) {
    item = to_lower(item);
    if (!is_alpha(item.front()) || item.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789+.-") != item.npos)
      return fail(ErrorCode::config, fmt::format("'{}' is no name of a scheme, such as https", item));
  }
  return std::make_unique<Scheme>(std::move(items));
}

MadeCondition make_host(const Arguments& arguments) { return on_hosts(arguments, false); }
MadeCondition make_domain(const Arguments& arguments) { return on_hosts(arguments, true); }

MadeCondition make_surt(const Arguments& arguments) {
  TRY(auto items, arguments.items());
  // Heritrix's files have lines for both verdicts.
  const char other = arguments.verdict == Verdict::accept ? '-' : '+';
  std::erase_if(items, [other](const std::string& item) { return item.starts_with(other); });
  for (std::string& item : items)
    if (item.starts_with('+') || item.starts_with('-')) item.erase(0, 1);
  return begin_with(
      items, [](const Candidate& candidate) -> std::optional<std::string> { return url::heritrix_surt(candidate.url); },
      "its SURT");
}

MadeCondition make_class_key(const Arguments& arguments) {
  TRY(const auto patterns, arguments.patterns());
  TRY(PatternList made, PatternList::create("expression", patterns));
  // The name of a queue of Heritrix: its SURT's host.
  class ClassKey final : public Condition {
   public:
    explicit ClassKey(PatternList list) : list_(std::move(list)) {}
    std::optional<std::string_view> match(const Candidate& candidate, const SeedBook& /*seeds*/) const override {
      const std::string_view found = list_.find(key(candidate));
      if (found.empty()) return {};
      return found;
    }
    std::string explain(const Candidate& candidate, std::optional<std::string_view> found) const override {
      return found ? fmt::format("'{}' is found in {}", *found, key(candidate))
                   : fmt::format("nothing is found in {}", key(candidate));
    }

   private:
    static std::string key(const Candidate& candidate) { return url::surt_host(candidate.url.hostname()) + ","; }
    PatternList list_;
  };
  return std::make_unique<ClassKey>(std::move(made));
}

MadeCondition make_path_depth(const Arguments& arguments) {
  return compare(
      arguments,
      [](const Candidate& candidate) -> std::optional<int64_t> { return path_depth(candidate.url.pathname()); },
      "slashes in its path");
}

MadeCondition make_path_repetitions(const Arguments& arguments) {
  TRY(const NumberSet numbers, NumberSet::parse(arguments.text));
  if (!numbers.is_greater_than()) return fail(ErrorCode::config, "write '> N', as in '> 2'");
  return std::make_unique<PathRepetitions>(numbers.bound());
}

MadeCondition make_file(const Arguments& arguments) {
  TRY(const auto items, arguments.items());
  std::vector<std::string> patterns;
  for (const std::string& item : items) {
    if (const auto known = kEndings.find(item); known != kEndings.end())
      patterns.push_back(fmt::format("(?i)^[^?#]*\\.(?:{})(?:\\?|$)", known->second));
    else
      return fail(ErrorCode::config, fmt::format("'{}' is none of images, audio, video, misc", item));
  }
  TRY(PatternList list, PatternList::create("file", patterns));
  return condition_of(std::make_shared<const PatternList>(std::move(list)));
}

}  // namespace caddis::scope
