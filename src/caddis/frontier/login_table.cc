#include "caddis/frontier/login_table.h"

namespace caddis::frontier {

const LoginTable::Login* LoginTable::find(const std::string& key) const {
  const auto found = logins_.find(key);
  return found == logins_.end() ? nullptr : &found->second;
}

LoginTable::Need LoginTable::need(const LoginRule& rule, std::string_view host, SteadyTime now) const {
  if (!rule.is_for(host)) return Need::none;
  const Login* const login = find(rule.key);
  if (login == nullptr) return Need::login;
  if (login->state == State::running) return Need::wait;
  if (login->state != State::needed) return Need::none;
  return login->retry_at > now ? Need::wait : Need::login;
}

uint64_t LoginTable::session(const LoginRule& rule, std::string_view host) const {
  if (!rule.is_for(host)) return 0;
  const Login* const login = find(rule.key);
  return login != nullptr && login->state == State::in_force ? login->session : 0;
}

uint32_t LoginTable::failures(const std::string& key) const {
  const Login* const login = find(key);
  return login == nullptr ? 0 : login->failures;
}

uint64_t LoginTable::successes(const std::string& key) const {
  const Login* const login = find(key);
  return login == nullptr ? 0 : login->session;
}

bool LoginTable::end(const std::string& key, LoginOutcome outcome, SteadyTime retry_at) {
  Login& login = logins_[key];
  login.state = State::needed;
  login.retry_at = retry_at;
  if (outcome == LoginOutcome::none) return false;
  if (outcome == LoginOutcome::logged_in) {
    login.state = State::in_force;
    login.failures = 0;
    login.has_worked = false;
    ++login.session;
    return true;
  }
  ++login.failures;
  if (outcome == LoginOutcome::unreachable && login.failures < kTries) return false;
  login.state = State::failed;
  return true;
}

void LoginTable::worked(const std::string& key, uint64_t session) {
  const auto found = logins_.find(key);
  if (found == logins_.end() || found->second.session != session) return;
  found->second.has_worked = true;
  found->second.fruitless = 0;
}

bool LoginTable::ended(const std::string& key, uint64_t session) {
  const auto found = logins_.find(key);
  if (found == logins_.end()) return false;
  Login& login = found->second;
  // Visits that were on their way say the same of a session that has been replaced.
  if (login.session != session || login.state != State::in_force) return false;
  login.retry_at = {};
  login.fruitless = login.has_worked ? 0 : login.fruitless + 1;
  login.state = login.fruitless >= kFruitless ? State::failed : State::needed;
  return login.state == State::failed;
}

}  // namespace caddis::frontier
