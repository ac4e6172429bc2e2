// Says whether a page is shown in place of one for people who are logged in: the session has ended. Then the URL is
// tried again, behind another login.

#include "caddis/logins/session_check.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

constexpr std::string_view kAttribute = "login";  // of a candidate that has been tried again for it

bool is_page(const url::Url& one, const url::Url& other) {
  return one.protocol() == other.protocol() && one.host() == other.host() && one.pathname() == other.pathname();
}

class SessionStep final : public Step {
 public:
  std::string_view name() const override { return "session"; }

  Result<Next> run(Visit& visit) override {
    frontier::Disposition& disposition = visit.result.disposition;
    const bool is_settled = disposition.verdict == frontier::Verdict::settled && !disposition.local_failure;
    if (visit.lease().session == 0 || !is_settled || visit.document.exchange() == nullptr) return Next::on();
    TRY(const bool has_ended, says_ended(visit));
    if (!has_ended) return Next::on();
    if (visit.lease().candidate.attributes.find(kAttribute)) {
      visit.line->entry.facts.peer.login = {"form-ended",
                                            "the page says that nobody is logged in, after another login"};
      return Next::on();
    }
    disposition.verdict = frontier::Verdict::retry_url;
    disposition.session_ended = true;
    disposition.lease.candidate.attributes.set(kAttribute, "1");
    visit.result.reason = "the session has ended: it is fetched again behind another login";
    return Next::finish();
  }

 private:
  // The page with the form itself is for people who are not logged in.
  static Result<bool> says_ended(Visit& visit) {
    const config::HostLogin& login = visit.host().login;
    const auto form = url::Url::parse(login.settings.form);
    if (!form || is_page(*form, *visit.url())) return false;
    // Another login than that of the form may be asked for.
    if (visit.document.outcome->status == 401) return visit.document.login.way.empty();
    const std::string& redirect = visit.line->redirect;
    if (!redirect.empty()) {
      const auto target = url::Url::parse(redirect);
      return target && is_page(*form, *target);
    }
    if (login.check == nullptr || !visit.document.body) return false;
    TRY(const std::string_view page, visit.document.body_bytes());
    return login.check->fits(page);
  }
};

}  // namespace

std::unique_ptr<Step> make_session_step(LaneTools&) { return std::make_unique<SessionStep>(); }

}  // namespace caddis::visit
