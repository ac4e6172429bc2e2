// Which sheets hold for a URL or a host: their sites as one table of SURT prefixes, and the expressions that the URL
// must match besides. What the sheets set is not understood here; whoever composes settings asks for each set of sheets
// once.
//
// A site is a host with its sub-domains ("example.org"; with a port that host alone), a URL prefix
// ("https://example.net/big/"; without a path as the host), or a SURT prefix ("(org,example,)/path"). As in Heritrix
// https counts as http, and upper case as lower case.
//
// Immutable, any thread. A look-up costs a SURT and a binary search, whatever the number of sheets; an expression is
// tried only for the URLs of its sites.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/scope/pattern_list.h"
#include "caddis/settings/sheet.h"
#include "caddis/url/url.h"

namespace caddis::scope {

// A set of sheets, to be compared: what is equal is the same set.
struct SheetSet {
  uint32_t group = 0;    // the sheets whose sites the URL is among
  uint32_t matched = 0;  // of those with expressions, a bit for each that holds
  bool operator==(const SheetSet&) const = default;
  bool empty() const { return group == 0 && matched == 0; }
};

class Sheets {
 public:
  // More sheets with `urls` cannot be for the same site: the sets of sheets there may be are finite in memory, too.
  static constexpr size_t kMostWithUrls = 16;

  // ErrorCode::config for a site or an expression that is none, and for what can never hold; names sheet and site.
  static Result<std::unique_ptr<const Sheets>> create(const settings::Sheets& sheets);

  SheetSet of(const url::Url& url) const;
  // A sheet holds for a host where it does for "http://host/": one for a part of its URLs says nothing of it.
  SheetSet of_host(std::string_view host) const;
  // The sheets of a set, as indexes in the order in which they count.
  std::vector<size_t> members(const SheetSet& set) const;

 private:
  struct Prefix {
    std::string surt;
    size_t parent = 0;   // the longest other prefix with which it begins; the first is empty, and of all
    uint32_t group = 0;  // index in `groups_`
  };
  // Sheets that hold for the same URLs, as far as sites go. The first: those for all sites.
  struct Group {
    std::vector<size_t> sheets, with_urls;  // the latter are among the former
  };

  Sheets() = default;
  Result<void> build(std::map<std::string, std::vector<size_t>> sites, const settings::Sheets& sheets);
  SheetSet find(std::string_view surt, std::string_view url) const;

  std::vector<PatternList> urls_;  // of each sheet
  std::vector<Prefix> prefixes_;   // sorted
  std::vector<Group> groups_;
};

}  // namespace caddis::scope
