// The body of a filled-in form: application/x-www-form-urlencoded (URL Standard, 5.2), multipart/form-data (RFC 7578)
// and text/plain, as browsers write them (HTML Standard, 4.10.21.6 to 8).
//
// Pure functions.
#pragma once

#include <string>
#include <vector>

#include "caddis/logins/page_form.h"

namespace caddis::logins {

enum class Secrets : bool { hidden, written };  // hidden: "*" stands for each

// "name=value&…", as a query has it, too.
std::string form_query(const std::vector<FormField>& fields, Secrets secrets);

struct FormBody {
  std::string content_type;
  std::string body;
  std::string shown;  // with "*" in the place of secrets
};
FormBody form_body(const std::vector<FormField>& fields, FormCoding coding);

}  // namespace caddis::logins
