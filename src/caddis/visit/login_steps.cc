// The visit of a login: the page with the form is fetched, the form is filled in and sent, and the answer says whether
// the login is in force. Each of them is archived; redirects between them are followed. Cookies go into the jar by
// themselves. A login that fails is on record, and the pages of its site are fetched without.

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "caddis/base/counted.h"
#include "caddis/base/fetch_status.h"
#include "caddis/base/log.h"
#include "caddis/cdx/request_key.h"
#include "caddis/fetch/decoded_body.h"
#include "caddis/logins/login_form.h"
#include "caddis/logins/session_check.h"
#include "caddis/url/public_form.h"
#include "caddis/visit/fetch_counts.h"
#include "caddis/visit/fetched_line.h"
#include "caddis/visit/hop_fetch.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

constexpr int kMostRequests = 12;  // of one login, redirects included

// How far a login has come.
struct LoginChain {
  int requests = 0;
  bool knew_us = false;                     // the first request had a Cookie
  bool is_sent = false;                     // the form
  size_t passwords = 1;                     // fields for one that the form has
  uint64_t large_cookies = 0;               // that were refused for their size
  std::optional<logins::Submission> sends;  // with the request at hand
  FetchCounts* counts = nullptr;            // of the lane
};

LoginChain& chain_of(Visit& visit) {
  LoginChain* chain = visit.slots.find<LoginChain>();
  return chain != nullptr ? *chain : visit.slots.put(LoginChain());
}

const config::HostLogin& login_of(Visit& visit) { return visit.host().login; }

bool is_same_page(const url::Url& one, const url::Url& other) {
  return one.protocol() == other.protocol() && one.host() == other.host() && one.pathname() == other.pathname();
}

bool is_form_page(Visit& visit) {
  const auto page = url::Url::parse(login_of(visit).settings.form);
  return page && is_same_page(*page, *visit.url());
}

// A cookie that is refused may have been the session.
std::string words_on_cookies(Visit& visit) {
  const uint64_t refused = chain_of(visit).large_cookies;
  if (refused == 0) return {};
  return fmt::format("{} longer than cookies.max-size ({} bytes) {} refused", counted(refused, "cookie"),
                     visit.host().cookies.max_size, refused == 1 ? "was" : "were");
}

// Ends the login. The line at hand says how.
void end_login(Visit& visit, frontier::LoginOutcome outcome, std::string problem) {
  visit.result.disposition.login = outcome;
  const bool is_in = outcome == frontier::LoginOutcome::logged_in;
  chain_of(visit).counts->add_form(!is_in);
  if (const std::string words = words_on_cookies(visit); !words.empty()) {
    if (is_in) log_warn("logins", "the login at {}: {}", url::public_form(login_of(visit).settings.form), words);
    problem += (problem.empty() ? "" : "; ") + words;
  }
  const bool is_again = visit.lease().session > 0;
  if (visit.line)
    visit.line->entry.facts.peer.login = {is_in ? is_again ? "form-again" : "form-in" : "form-failed", problem};
  if (is_in) return;
  visit.result.reason = "the login has failed: " + problem;
  log_warn("logins", "the login at {} has failed: {}", url::public_form(login_of(visit).settings.form), problem);
}

std::optional<fetch::FetchBody> body_of(const LoginChain& chain) {
  if (!chain.sends) return std::nullopt;
  const logins::Submission& form = *chain.sends;
  fetch::FetchBody body;
  body.masked = form.masked.empty() ? "" : "form field " + form.masked;
  if (!form.is_post) {
    body.method = "GET";
    body.target = form.target;
    return body;
  }
  body.content_type = form.body.content_type;
  body.body = form.body.body;
  body.shown = form.body.shown;
  return body;
}

void note_sent(Visit& visit, const logins::FormBody& form) {
  visit.document.sent = {"POST", cdx::key_body(form.content_type, form.shown)};
}

class LoginFetchStep final : public Step {
 public:
  explicit LoginFetchStep(LaneTools& tools) : tools_(tools) {}
  std::string_view name() const override { return "fetch"; }
  bool waits() const override { return true; }
  void end() override { tools_.fetchers.close_idle(); }
  void report_parts(std::vector<StepPart>& parts) const override { counts_.report(parts); }

  aio::Task<Result<Next>> run_waiting(Visit& visit) override {
    using Outcome = frontier::LoginOutcome;
    LoginChain& chain = chain_of(visit);
    chain.counts = &counts_;
    if (visit.url() == nullptr || !can_be_fetched(*visit.url())) {
      end_login(visit, Outcome::refused, "a redirect leads to no URL that can be fetched");
      co_return Next::finish();
    }
    ++chain.requests;
    std::optional<fetch::FetchBody> body = body_of(chain);
    auto fetched = co_await fetch_hop(tools_, visit, visit.host().fetch, std::move(body));
    // Another host is not to blame, nor is this one: it is tried again.
    if (!fetched && fetched.error().why == HopFailure::Why::busy) {
      visit.result.disposition.touched_host = chain.requests > 1;
      visit.result.disposition.login = Outcome::none;
      visit.result.reason = "the login waits: " + fetched.error().error.message;
      co_return Next::finish();
    }
    if (!fetched && fetched.error().why != HopFailure::Why::stopped) {
      visit.result.disposition.touched_host = chain.requests > 1;
      end_login(visit, Outcome::unreachable, fetched.error().error.message);
      co_return Next::finish();
    }
    if (!fetched || tools_.has_cut_short(*fetched)) {
      visit.give_back();
      co_return Next::finish();
    }
    if (chain.sends && chain.sends->is_post) note_sent(visit, chain.sends->body);
    record_fetch(visit, *std::move(fetched));
    if (chain.requests == 1) chain.knew_us = visit.document.outcome->cookie != 0;
    const cookies::CookieCounts cookies = tools_.take_cookies(visit);
    chain.large_cookies += cookies.too_large;
    counts_.add(visit);
    counts_.add(cookies);
    if (visit.document.exchange() != nullptr) co_return Next::on();
    end_login(visit, Outcome::unreachable, visit.document.outcome->error);
    co_return Next::finish();
  }

 private:
  LaneTools& tools_;
  FetchCounts counts_;
};

class LoginSubmitStep final : public Step {
 public:
  explicit LoginSubmitStep(LaneTools& tools) : tools_(tools) {}
  std::string_view name() const override { return "submit"; }
  bool waits() const override { return true; }

  aio::Task<Result<Next>> run_waiting(Visit& visit) override {
    using Outcome = frontier::LoginOutcome;
    LoginChain& chain = chain_of(visit);
    const int status = visit.document.outcome->status;
    const std::string redirect = visit.line->redirect;
    std::optional<url::Url> next;
    if (!redirect.empty()) {
      if (auto target = next_of(visit)) next = *std::move(target);
      const bool repeats = chain.sends && chain.sends->is_post && (status == 307 || status == 308);
      if (repeats && next && may_be_told(visit, *next)) {
        chain.sends->target = chain.sends->shown_target = *next;
      } else {
        chain.sends.reset();
      }
      if (!next || chain.requests >= kMostRequests) {
        end_login(visit, Outcome::refused, "its redirects lead nowhere");
        co_return Next::on();
      }
      co_return co_await follow_hop(tools_, visit, std::move(next), 'R');
    }
    if (chain.is_sent) {
      CO_TRY_VOID(judge(visit, status));
      co_return Next::on();
    }
    CO_TRY(next, fill_in(visit, status));
    if (!next) co_return Next::on();
    co_return co_await follow_hop(tools_, visit, std::move(next), 'S');
  }

 private:
  static Result<std::string_view> body_of_page(Visit& visit) {
    return visit.document.body ? visit.document.body_bytes() : std::string_view();
  }

  static std::optional<url::Url> next_of(Visit& visit) {
    const auto location = visit.document.exchange()->head.find("location");
    if (!location) return {};
    auto target = url::Url::parse(*location, visit.url());
    if (!target) return {};
    return *std::move(target);
  }

  static bool may_be_told(Visit& visit, const url::Url& target) {
    const bool keeps_tls = visit.url()->scheme() != "https" || target.scheme() == "https";
    return keeps_tls && logins::covers(login_of(visit).settings.site, target.hostname());
  }

  // Fills in the form of the page at hand. Returns where it is to be sent; nothing if the login has ended.
  Result<std::optional<url::Url>> fill_in(Visit& visit, int status) {
    using Outcome = frontier::LoginOutcome;
    LoginChain& chain = chain_of(visit);
    const std::optional<url::Url> none;
    if (status >= 500 || status == 429) {
      end_login(visit, Outcome::unreachable, fmt::format("the page with the form answers {}", status));
      return none;
    }
    TRY(const std::string_view page, body_of_page(visit));
    // A site that knows us already leads away from the form: its cookies are of an earlier session.
    const bool is_known = status < 300 && !is_form_page(visit) && chain.knew_us;
    if (is_known && !logins::has_login_form(page) && !is_logged_out(visit, page)) {
      end_login(visit, Outcome::logged_in, "");
      return none;
    }
    auto form = logins::fill_login_form(login_of(visit).settings, *visit.url(), page);
    if (!form || status >= 400) {
      end_login(visit, Outcome::refused,
                status >= 400 ? fmt::format("the page with the form answers {}", status) : form.error().message);
      return none;
    }
    chain.is_sent = true;
    chain.passwords = form->passwords;
    chain.sends = *std::move(form);
    return std::optional(chain.sends->shown_target);
  }

  static bool is_logged_out(Visit& visit, std::string_view page) {
    const auto& check = login_of(visit).check;
    return check != nullptr && check->fits(page);
  }

  static Result<void> judge(Visit& visit, int status) {
    using Outcome = frontier::LoginOutcome;
    TRY(const std::string_view page, body_of_page(visit));
    if (status >= 500 || status == 429)
      end_login(visit, Outcome::unreachable, fmt::format("the form was answered with {}", status));
    else if (status >= 400)
      end_login(visit, Outcome::refused, fmt::format("the form was answered with {}", status));
    else if (is_logged_out(visit, page))
      end_login(visit, Outcome::refused, "the answer to the form fits logins.check: nobody is logged in");
    else if (logins::has_login_form(page, chain_of(visit).passwords))
      end_login(visit, Outcome::refused, "the answer to the form is a page that asks for a password again");
    else
      end_login(visit, Outcome::logged_in, "");
    return {};
  }

  LaneTools& tools_;
};

}  // namespace

std::unique_ptr<Step> make_login_fetch_step(LaneTools& tools) { return std::make_unique<LoginFetchStep>(tools); }
std::unique_ptr<Step> make_login_submit_step(LaneTools& tools) { return std::make_unique<LoginSubmitStep>(tools); }

}  // namespace caddis::visit
