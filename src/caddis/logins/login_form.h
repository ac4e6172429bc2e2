// The form on a page by which people log in, filled in as a browser would send it (HTML Standard, 4.10.21 and 4.10.22).
//
//   TRY(const Submission sent, fill_login_form(login, page_url, html));
//
// A login form is one with an input of the type password. That input is filled in, and the text or mail input before it;
// all others are sent as they stand (page_form.h). `logins.fields` go before what is found.
//
// Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/logins/form_body.h"
#include "caddis/logins/settings.h"
#include "caddis/url/url.h"

namespace caddis::logins {

// A filled-in form. `shown…` is the same for others to see: secrets are replaced by "*".
struct Submission {
  url::Url target, shown_target;  // by GET with the fields as its query
  bool is_post = true;
  FormBody body;         // of a POST
  std::string masked;    // names of the fields with secrets: "pwd, pin"
  size_t passwords = 0;  // fields for one that its form has
};

// Whether the page has a form to log in with: one field for a password, or as many as the form has that was sent.
// Others are for who is in, or new: two or three ask for a new password.
bool has_login_form(std::string_view html, size_t passwords = 1);

// ErrorCode::not_found if the page has no such form, and the settings do not name both fields; ErrorCode::denied if it
// would be sent to another site than `login.site`, or without TLS from a page with TLS.
Result<Submission> fill_login_form(const LoginSettings& login, const url::Url& page, std::string_view html);

}  // namespace caddis::logins
