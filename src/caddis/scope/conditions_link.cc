// Conditions about how a URL was found: from which seed, over which hops, on which page.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "caddis/base/strings.h"
#include "caddis/scope/condition_forms.h"
#include "caddis/scope/hops.h"
#include "caddis/url/domain.h"
#include "caddis/url/surt.h"

namespace caddis::scope {
namespace {

class InSeeds final : public Condition {
 public:
  explicit InSeeds(ScopeKind kind) : kind_(kind) {}
  std::optional<std::string_view> match(const Candidate& candidate, const SeedBook& seeds) const override {
    const std::string_view found = seeds.find(kind_, candidate.url);
    if (found.empty()) return {};
    return found;
  }
  std::string explain(const Candidate& /*candidate*/, std::optional<std::string_view> found) const override {
    if (kind_ == ScopeKind::any) return "everything is in scope";
    return found ? fmt::format("'{}' is a seed's", *found) : "it is no seed's";
  }
  std::optional<ScopeKind> seed_kind() const override { return kind_; }

 private:
  ScopeKind kind_;
};

class MinusLines final : public Condition {
 public:
  std::optional<std::string_view> match(const Candidate& candidate, const SeedBook& seeds) const override {
    if (!seeds.leaves_out(candidate.url)) return {};
    return candidate.url.host();
  }
  std::string explain(const Candidate& /*candidate*/, std::optional<std::string_view> found) const override {
    return found ? "it begins with the prefix of a line with - in a list of seeds" : "no line with - leaves it out";
  }
};

class SourceSeed final : public Condition {
 public:
  explicit SourceSeed(std::unordered_set<std::string> seeds) : seeds_(std::move(seeds)) {}
  std::optional<std::string_view> match(const Candidate& candidate, const SeedBook& /*seeds*/) const override {
    const auto found = seeds_.find(std::string(candidate.source_seed));
    if (found == seeds_.end()) return {};
    return *found;
  }
  std::string explain(const Candidate& candidate, std::optional<std::string_view> found) const override {
    return fmt::format("links from the seed '{}' led to it{}", candidate.source_seed,
                       found ? "" : ", which is not named");
  }

 private:
  std::unordered_set<std::string> seeds_;
};

// The resources that a page needs: Heritrix's transclusion.
class Embed final : public Condition {
 public:
  Embed(int64_t most_transitive, int64_t most_speculative)
      : most_transitive_(most_transitive), most_speculative_(most_speculative) {}
  std::optional<std::string_view> match(const Candidate& candidate, const SeedBook& /*seeds*/) const override {
    const Transclusion run = count_transclusion(candidate.hop_path);
    if (run.hops == 0 || run.transitive > most_transitive_ || run.speculative > most_speculative_) return {};
    return std::string_view();
  }
  std::string explain(const Candidate& candidate, std::optional<std::string_view> found) const override {
    if (!found) return "no page in scope needs it";
    const int64_t hops = count_transclusion(candidate.hop_path).hops;
    return fmt::format("a page in scope needs it, {} hop{} away", hops, hops == 1 ? "" : "s");
  }

 private:
  int64_t most_transitive_, most_speculative_;
};

// A condition about the page on which the link was found.
class OfVia final : public Condition {
 public:
  using Holds = bool (*)(const url::Url& url, const url::Url& via);
  OfVia(Holds holds, std::string_view sentence, std::string_view unlike)
      : holds_(holds), sentence_(sentence), unlike_(unlike) {}
  std::optional<std::string_view> match(const Candidate& candidate, const SeedBook& /*seeds*/) const override {
    if (candidate.via.empty()) return {};
    const auto via = url::Url::parse(candidate.via);
    if (!via || !holds_(candidate.url, *via)) return {};
    return std::string_view();
  }
  std::string explain(const Candidate& candidate, std::optional<std::string_view> found) const override {
    return fmt::format("{} {}", found ? sentence_ : unlike_, candidate.via.empty() ? "no page" : candidate.via);
  }

 private:
  Holds holds_;
  std::string_view sentence_, unlike_;
};

std::string_view domain_or_host(std::string_view host) {
  const std::string_view domain = url::registrable_domain(host);
  return domain.empty() ? host : domain;
}

std::string_view without_www(std::string_view host) { return host.starts_with("www.") ? host.substr(4) : host; }

// By the names of the setting scope.kind, without their aliases.
Result<ScopeKind> kind_of(std::string_view name) {
  const settings::Field& kinds = *settings::schema_of<ScopeSettings>().find("kind");
  std::vector<std::string_view> names;
  for (const settings::Choice& choice : kinds.row.choices) {
    if (kinds.write(choice.value) != choice.name) continue;
    if (choice.name == name) return static_cast<ScopeKind>(choice.value);
    names.push_back(choice.name);
  }
  return fail(ErrorCode::config, fmt::format("'{}' is none of {}", name, fmt::join(names, ", ")));
}

}  // namespace

MadeCondition make_all(const Arguments& arguments) {
  return test(arguments, [](const Candidate&) { return true; }, "the rule is for all URLs", "");
}

MadeCondition make_seed(const Arguments& arguments) {
  return test(arguments, [](const Candidate& candidate) { return candidate.is_seed; }, "it is a seed", "it is no seed");
}

MadeCondition make_minus_lines(const Arguments& arguments) {
  if (!arguments.text.empty()) return fail(ErrorCode::config, "nothing may follow it");
  return std::make_unique<MinusLines>();
}

MadeCondition make_seeds(const Arguments& arguments) {
  TRY(const ScopeKind kind, kind_of(arguments.text.empty() ? "host" : arguments.text));
  return std::make_unique<InSeeds>(kind);
}

MadeCondition make_source_seed(const Arguments& arguments) {
  TRY(const auto items, arguments.items());
  std::unordered_set<std::string> seeds;
  for (const std::string& item : items) {
    auto seed = url::Url::parse(item.find("://") == item.npos ? "http://" + item : item);
    if (!seed) return pass(std::move(seed).error(), fmt::format("'{}'", item));
    seeds.emplace(seed->without_fragment());
  }
  return std::make_unique<SourceSeed>(std::move(seeds));
}

MadeCondition make_hops(const Arguments& arguments) {
  return compare(
      arguments, [](const Candidate& candidate) { return std::optional(count_hops(candidate.hop_path)); },
      "hops from the seed");
}

MadeCondition make_hop_path(const Arguments& arguments) {
  return search(
      arguments, [](const Candidate& candidate) { return std::optional(hop_letters(candidate.hop_path)); },
      "its hop path");
}

MadeCondition make_redirects(const Arguments& arguments) {
  return compare(
      arguments, [](const Candidate& candidate) { return std::optional(count_redirects(candidate.hop_path)); },
      "redirects in a row");
}

MadeCondition make_transitive_hops(const Arguments& arguments) {
  return compare(
      arguments,
      [](const Candidate& candidate) -> std::optional<int64_t> {
        return count_transclusion(candidate.hop_path).transitive;
      },
      "embeds away from a page that is in scope");
}

MadeCondition make_speculative_hops(const Arguments& arguments) {
  return compare(
      arguments,
      [](const Candidate& candidate) -> std::optional<int64_t> {
        return count_transclusion(candidate.hop_path).speculative;
      },
      "of the hops to it are guesses");
}

MadeCondition make_embed(const Arguments& arguments) {
  int64_t most[] = {2, 1};
  size_t given = 0;
  for (const std::string_view word : split(arguments.text, ' ')) {
    if (word.empty()) continue;
    const auto number = parse_int(word);
    if (given == 2 || !number || *number < 0)
      return fail(ErrorCode::config, "write 'embed HOPS GUESSES', as in 'embed 2 1'");
    most[given++] = *number;
  }
  return std::make_unique<Embed>(most[0], most[1]);
}

MadeCondition make_prerequisite(const Arguments& arguments) {
  return test(
      arguments, [](const Candidate& candidate) { return candidate.hop_path.ends_with('P'); },
      "another URL that is in scope asks for it", "no other URL asks for it");
}

MadeCondition make_has_via(const Arguments& arguments) {
  return test(
      arguments, [](const Candidate& candidate) { return !candidate.via.empty(); }, "a page led to it",
      "no page led to it");
}

MadeCondition make_via(const Arguments& arguments) {
  return search(
      arguments,
      [](const Candidate& candidate) { return candidate.via.empty() ? std::nullopt : std::optional(candidate.via); },
      "the URL of its page");
}

MadeCondition make_via_surt(const Arguments& arguments) {
  TRY(const auto items, arguments.items());
  return begin_with(
      items,
      [](const Candidate& candidate) -> std::optional<std::string> {
        const auto via = url::Url::parse(candidate.via);
        if (!via) return {};
        return url::heritrix_surt(*via);
      },
      "the SURT of its page");
}

MadeCondition make_crosses_domain(const Arguments& arguments) {
  if (!arguments.text.empty()) return fail(ErrorCode::config, "nothing may follow it");
  return std::make_unique<OfVia>(
      [](const url::Url& url, const url::Url& via) {
        return domain_or_host(url.hostname()) != domain_or_host(via.hostname());
      },
      "its domain is another than that of", "its domain is that of");
}

MadeCondition make_redirect_from_root(const Arguments& arguments) {
  if (!arguments.text.empty()) return fail(ErrorCode::config, "nothing may follow it");
  class FromRoot final : public Condition {
   public:
    std::optional<std::string_view> match(const Candidate& candidate, const SeedBook& seeds) const override {
      return candidate.hop_path.ends_with('R') ? root_.match(candidate, seeds) : std::nullopt;
    }
    std::string explain(const Candidate& candidate, std::optional<std::string_view> found) const override {
      return root_.explain(candidate, found);
    }

   private:
    OfVia root_{[](const url::Url& url, const url::Url& via) {
                  return via.pathname() == "/" && without_www(url.hostname()) == without_www(via.hostname());
                },
                "its host redirects to it from", "its host does not redirect to it from"};
  };
  return std::make_unique<FromRoot>();
}

}  // namespace caddis::scope
