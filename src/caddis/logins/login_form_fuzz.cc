// A page of anybody's with a form: whatever it says, the password goes to its site alone, and is not shown.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "caddis/base/check.h"
#include "caddis/logins/login_form.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis;
  const std::string_view page(reinterpret_cast<const char*>(data), size);
  logins::LoginSettings login;
  login.site = "example.org";
  login.user = "someone";
  login.password = "pa55w0rd-of-mine";
  const auto url = *url::Url::parse("https://example.org/login");
  const auto sent = logins::fill_login_form(login, url, page);
  if (!sent) return 0;
  CADDIS_CHECK(logins::covers(login.site, sent->target.hostname()) && sent->target.scheme() == "https");
  if (page.contains(login.password)) return 0;
  CADDIS_CHECK(!sent->body.shown.contains(login.password) && !sent->shown_target.href().contains(login.password));
  CADDIS_CHECK(sent->body.body.contains(login.password) || sent->target.href().contains(login.password));
  return 0;
}
