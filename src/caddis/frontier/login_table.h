// The logins that sites ask for before their first page is fetched: which are in force, which are to be made, and which
// have failed. One login serves all hosts of its site; while it is made, their queues wait.
//
// In memory alone: a crawl that is resumed logs in again. Belongs to the frontier's thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "caddis/base/clock.h"

namespace caddis::frontier {

// The login of a host, by its settings.
struct LoginRule {
  std::string key;   // another one is another login; empty: there is none
  std::string site;  // the host or domain that it is for
  std::string page;  // the URL to begin with

  bool is_for(std::string_view host) const {
    if (key.empty() || !host.ends_with(site)) return false;
    return host.size() == site.size() || host[host.size() - site.size() - 1] == '.';
  }
};

// How the visit of a login has ended.
enum class LoginOutcome : uint8_t {
  none,  // it was not tried
  logged_in,
  refused,      // for good
  unreachable,  // it may be tried again
};

class LoginTable {
 public:
  static constexpr uint32_t kTries = 3;      // of a login whose page cannot be reached
  static constexpr uint32_t kFruitless = 3;  // sessions, one after the other, that end before they have shown a page

  enum class Need { none, login, wait };
  Need need(const LoginRule& rule, std::string_view host, SteadyTime now) const;
  // The number of the session that is in force; 0: none.
  uint64_t session(const LoginRule& rule, std::string_view host) const;
  // How often a login of that rule was tried without success, and how often it has succeeded.
  uint32_t failures(const std::string& key) const;
  uint64_t successes(const std::string& key) const;

  // A visit begins to log in.
  void begin(const std::string& key) { logins_[key].state = State::running; }
  // It has ended. Returns whether that is final; otherwise it may begin again at `retry_at`.
  bool end(const std::string& key, LoginOutcome outcome, SteadyTime retry_at);
  // A page of that session was fetched.
  void worked(const std::string& key, uint64_t session);
  // A page says that the session has ended. Returns whether there are no more logins, since they come to nothing.
  bool ended(const std::string& key, uint64_t session);

 private:
  enum class State { needed, running, in_force, failed };
  struct Login {
    State state = State::needed;
    uint32_t failures = 0, fruitless = 0;
    uint64_t session = 0;  // of the latest login
    bool has_worked = false;
    SteadyTime retry_at{};
  };
  const Login* find(const std::string& key) const;

  std::unordered_map<std::string, Login> logins_;
};

}  // namespace caddis::frontier
