#include "caddis/dedup/index_key.h"

#include <fmt/format.h>

#include "caddis/cdx/line.h"

namespace caddis::dedup {

namespace {

constexpr std::string_view kHashMark = " (sha256 ";

// "…: step step (sha256 HASH)" in its two parts; a text without a hash is its own.
struct Rules {
  std::string_view text, hash;
  explicit Rules(std::string_view rules) : text(rules.substr(0, rules.rfind(kHashMark))), hash(rules) {
    if (text.size() == rules.size()) return;
    hash.remove_prefix(text.size() + kHashMark.size());
    if (hash.ends_with(')')) hash.remove_suffix(1);
  }
};

}  // namespace

bool IndexKey::makes_keys_of(std::string_view rules_of_index) const {
  return Rules(rules).hash == Rules(rules_of_index).hash;
}

IndexKey index_key_by(const url::KeyPolicy& policy) {
  return {policy.record(), [policy](std::string_view url) { return cdx::index_key(url, policy); },
          policy.periods().size() > 1, policy.notation()};
}

IndexKey standard_index_key() { return index_key_by(url::KeyPolicy::ia_surt()); }

// The steps stand behind a ": ", but a regular expression in front of it may have one, too: the hash tells.
Result<IndexKey> index_key_of(std::string_view rules) {
  const Rules parts(rules);
  for (size_t at = parts.text.find(": "); at != std::string_view::npos; at = parts.text.find(": ", at + 1)) {
    for (const std::string& notation :
         {std::string(parts.text.substr(0, at)), "stored/1" + std::string(parts.text.substr(at))}) {
      const auto policy = url::KeyPolicy::parse(notation);
      if (policy && policy->hash() == parts.hash) return index_key_by(*policy);
    }
  }
  return fail(ErrorCode::unsupported,
              fmt::format("its URLs are known by the rules '{}', which this version does not know", rules));
}

}  // namespace caddis::dedup
