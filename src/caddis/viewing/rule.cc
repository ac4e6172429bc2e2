#include "caddis/viewing/rule.h"

namespace caddis::viewing {

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::allow:
      return "allow";
    case Verdict::block:
      return "block";
    case Verdict::exclude:
      break;
  }
  return "exclude";
}

std::optional<Verdict> verdict_of(std::string_view name) {
  for (const Verdict verdict : {Verdict::allow, Verdict::block, Verdict::exclude})
    if (name == to_string(verdict)) return verdict;
  return std::nullopt;
}

std::string_view to_string(Subject::Kind kind) {
  switch (kind) {
    case Subject::Kind::all:
      return "all";
    case Subject::Kind::prefix:
      return "surt";
    case Subject::Kind::host:
      return "host";
    case Subject::Kind::domain:
      return "domain";
    case Subject::Kind::regex:
      return "regex";
    case Subject::Kind::url:
      break;
  }
  return "url";
}

}  // namespace caddis::viewing
