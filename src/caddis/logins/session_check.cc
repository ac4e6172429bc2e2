#include "caddis/logins/session_check.h"

#include <re2/re2.h>

#include "caddis/base/check.h"

namespace caddis::logins {
namespace {

re2::RE2::Options options() {
  re2::RE2::Options made(re2::RE2::Quiet);
  made.set_dot_nl(true);
  return made;
}

}  // namespace

struct SessionCheck::Pattern {
  explicit Pattern(const std::string& text) : regex(text, options()) {}
  re2::RE2 regex;
};

SessionCheck::SessionCheck() = default;
SessionCheck::~SessionCheck() = default;

std::shared_ptr<const SessionCheck> SessionCheck::create(const std::string& pattern) {
  if (pattern.empty()) return nullptr;
  std::shared_ptr<SessionCheck> made(new SessionCheck());
  made->pattern_ = std::make_unique<const Pattern>(pattern);
  CADDIS_CHECK(made->pattern_->regex.ok());
  return made;
}

bool SessionCheck::fits(std::string_view body) const {
  const std::string_view front = body.substr(0, kMostRead);
  return re2::RE2::PartialMatch(re2::StringPiece(front.data(), front.size()), pattern_->regex);
}

}  // namespace caddis::logins
