// Which sheets hold for a URL or a host: their sites as one table of SURT prefixes, and what is asked of the URL
// besides: expressions, one of which must be found in it, and a condition, as rules have them. What the sheets set is not understood here; whoever composes settings asks for each set of sheets
// once.
//
// A site is a host with its sub-domains ("example.org"; with a port that host alone), a URL prefix
// ("https://example.net/big/"; without a path as the host), or a SURT prefix ("(org,example,)/path"). As in Heritrix
// https counts as http, and upper case as lower case.
//
// Immutable, any thread. A look-up costs a SURT and a binary search, whatever the number of sheets; expressions and
// conditions are tried only for the URLs of their sites.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/scope/pattern_list.h"
#include "caddis/scope/predicate.h"
#include "caddis/scope/rules.h"
#include "caddis/settings/sheet.h"
#include "caddis/url/url.h"

namespace caddis::scope {

// A set of sheets, to be compared: what is equal is the same set.
struct SheetSet {
  uint32_t group = 0;    // the sheets whose sites the URL is among
  uint32_t matched = 0;  // a bit for each sheet that asks something of the URL: it holds
  bool operator==(const SheetSet&) const = default;
  bool empty() const { return group == 0 && matched == 0; }
};

class Sheets {
 public:
  // More sheets with `urls` or `when` cannot be for the same site: the sets of sheets there may be are finite in memory,
  // too.
  static constexpr size_t kMostWithUrls = 16;

  // ErrorCode::config for a site, an expression or a condition that is none, and for what can never hold; names sheet
  // and site.
  static Result<std::unique_ptr<const Sheets>> create(const settings::Sheets& sheets,
                                                      settings::SheetOrder order = settings::SheetOrder::written,
                                                      const ReadFile& read = read_rule_file);

  SheetSet of(const url::Url& url) const;
  // A sheet holds for a host where it does for "http://host/": one for a part of its URLs says nothing of it, nor does
  // one with a condition.
  SheetSet of_host(std::string_view host) const;
  // The sheets of a set, as indexes in the order in which they count.
  std::vector<size_t> members(const SheetSet& set) const;

 private:
  struct Prefix {
    std::string surt;
    size_t parent = 0;   // the longest other prefix with which it begins; the first is empty, and of all
    uint32_t group = 0;  // index in `groups_`
  };
  // Sheets that hold for the same URLs, as far as sites go, in the order in which they count. The first has none.
  struct Group {
    std::vector<size_t> sheets, asking;  // the latter are among the former, and ask something of the URL
  };
  // The questions of one sheet about the URL.
  struct Asked {
    PatternList urls;
    std::optional<Predicate> when;
    bool empty() const { return urls.empty() && !when; }
    bool holds(std::string_view text, const url::Url* url) const;
  };

  Sheets() = default;
  static Result<Asked> asked_by(const settings::Sheet& sheet, const ReadFile& read);
  Result<void> build(std::map<std::string, std::vector<size_t>> sites, const settings::Sheets& sheets,
                     settings::SheetOrder order);
  SheetSet find(std::string_view surt, std::string_view text, const url::Url* url) const;

  std::vector<Asked> asked_;      // by each sheet
  std::vector<Prefix> prefixes_;  // sorted
  std::vector<Group> groups_;
};

}  // namespace caddis::scope
