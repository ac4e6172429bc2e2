// Tells a page that is shown to people who are not logged in: by the pattern of `logins.check`.
//
// Immutable; any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace caddis::logins {

class SessionCheck {
 public:
  static constexpr size_t kMostRead = 512u << 10;  // of a body, from its beginning

  // Null if the pattern is empty. It has been checked (LoginSettings::check).
  static std::shared_ptr<const SessionCheck> create(const std::string& pattern);
  ~SessionCheck();

  bool fits(std::string_view body) const;

 private:
  SessionCheck();
  struct Pattern;
  std::unique_ptr<const Pattern> pattern_;
};

}  // namespace caddis::logins
