// Which URLs stand for the same though they differ: parameters that only keep caches from answering, names of callbacks,
// sessions. Rules are data: those of web/replay/fuzzy.json hold everywhere, and an operator gives further ones.
//
//   {"rules": [
//     {"ignore": ["_", "cb", "utm_*"]},                        parameters that make no difference
//     {"ignore-values": {"callback": "jQuery\\d+_\\d+"}},      … while their values look so (RE2, whole)
//     {"host": "video.example", "path": "/play", "keep": ["id", "itag"]},   only these make one
//     {"extensions": ["js", "css"], "ignore-query": true}      nothing in the query does
//   ]}
//
// `host` is a host with those below it, `path` the beginning of a path; without them a rule holds everywhere. Rules are
// used where the archive has nothing at the exact URL. Immutable, any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/url/url.h"

namespace caddis::replay {

class FuzzyRules {
 public:
  // ErrorCode::config or parse with the rule that is wrong. The rules stand behind those that are built in.
  static Result<FuzzyRules> parse(std::string_view json);
  // The built-in ones.
  static const FuzzyRules& standard();

  // The parameters of a URL that make a difference, sorted. Two URLs of one path with equal remainders stand for the
  // same.
  std::string remainder(const url::Url& url) const;
  // Whether a URL with any other query may stand for it, if none with the same remainder is there.
  bool is_query_free(const url::Url& url) const;

  class Rule;

 private:
  Result<void> add(std::string_view json);
  std::vector<std::shared_ptr<const Rule>> rules_;
};

}  // namespace caddis::replay
