// The rules of one group, compiled for fast matching. Internal to robots.
//
// Plain prefixes lie sorted with a link to the longest other prefix that begins them: one binary search and a short
// climb find the longest match. Rules with `*`, `$`, or escapes that the two forms (encoding.h) read differently are
// tried one by one, longest first, behind a filter of the bytes they need.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace caddis::robots {

struct Rule {
  std::string normal, literal;  // see encoding.h; where both are the same only `normal` is filled
  std::string_view text;        // the line as it stands in the file
  int line = 0;
  bool allow = false;

  // What "longest" compares: the length of the pattern, operators included.
  size_t length() const { return literal.empty() ? normal.size() : literal.size(); }
};

// A request's path in both forms; they are the same view for nearly all.
struct RequestPath {
  std::string_view normal, literal;
};

// Whether `a` is to be preferred to `b` (which may be null): longer, or as long and an allow.
bool outranks(const Rule& a, const Rule* b);

class RuleSet {
 public:
  void add(Rule rule) { rules_.push_back(std::move(rule)); }
  // To be called once, after the last add.
  void compile();
  // The rule that decides, or null.
  const Rule* find(const RequestPath& path) const;

 private:
  struct Wild {
    uint32_t rule;
    uint64_t needs;  // bytes_of() the literal parts of its normal form
  };
  const Rule* find_prefix(const RequestPath& path) const;

  std::vector<Rule> rules_;
  std::vector<uint32_t> prefixes_;  // sorted by normal form; of equal ones the allow comes last
  std::vector<int32_t> parents_;    // of prefixes_, an index into it or -1
  std::vector<Wild> wilds_;         // in order of rank
};

}  // namespace caddis::robots
