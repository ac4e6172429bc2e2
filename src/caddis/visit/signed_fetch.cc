#include "caddis/visit/signed_fetch.h"

#include <fmt/format.h>

#include <utility>

#include "caddis/base/fetch_status.h"
#include "caddis/base/log.h"
#include "caddis/base/visible.h"
#include "caddis/logins/authorizer.h"
#include "caddis/url/public_form.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

using Answer = logins::ProtectionSpace::Answer;
constexpr int kMostTries = 3;  // the last one for a nonce that has just become stale

std::string new_cnonce(Random& random) { return fmt::format("{:016x}{:016x}", random.next(), random.next()); }

std::string_view method_of(const fetch::FetchRequest& request) {
  return request.body ? std::string_view(request.body->method) : "GET";
}

// The crawl stops between two tries: the URL counts as not tried.
fetch::FetchOutcome stopped(fetch::FetchOutcome outcome) {
  outcome.exchange.reset();
  outcome.status = status::kInterrupted;
  return outcome;
}

}  // namespace

aio::Task<fetch::FetchOutcome> fetch_signed(LaneTools& tools, Visit& visit, fetch::FetchRequest request,
                                            const fetch::FetchSettings& settings) {
  const std::string host(request.url.hostname());
  const config::HostLogin& login = visit.settings().of_host(host).login;
  visit.document.login = {};
  const bool has_own = !fetch::header_as_sent(settings, "Authorization", "").empty();
  fetch::Fetcher& fetcher = tools.fetchers.of(request.url);
  if (!login.is_for(host) || has_own || !request.url.is_http())
    co_return co_await fetcher.fetch(std::move(request), settings);
  logins::Authorizer& authorizer = tools.context.authorizer;
  const url::Url url = request.body && request.body->target ? *request.body->target : request.url;
  const std::string method(method_of(request));
  LoginFacts& facts = visit.document.login;
  for (int tried = 1;; ++tried) {
    request.authorization = authorizer.credentials(*login.accounts, url, method, new_cnonce(tools.random));
    const std::string sent = request.authorization;
    const std::string scheme = authorizer.scheme_for(*login.accounts, url);
    fetch::FetchRequest copy = request;
    fetch::FetchOutcome outcome = co_await fetcher.fetch(std::move(copy), settings);
    if (!sent.empty()) facts.way = tried == 1 ? scheme : scheme + "-in";
    if (!outcome.exchange) co_return outcome;
    const Answer answer = authorizer.learn(*login.accounts, url, outcome.exchange->head, sent);
    if (answer == Answer::rejected) {
      facts.way = (scheme.empty() ? std::string("http") : scheme) + "-failed";
      facts.problem = "the server does not take the name and the password";
      if (const auto realm = authorizer.untold_rejection(*login.accounts, url, login.settings.site))
        log_warn("logins", "the login at {} has failed: the realm '{}' does not take the name and the password",
                 url::public_form(request.url), visible(*realm, kQuoted));
    }
    if (answer != Answer::again || tried == kMostTries) co_return outcome;
    if (tools.is_aborted) co_return stopped(std::move(outcome));
  }
}

}  // namespace caddis::visit
