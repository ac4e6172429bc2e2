// Credentials of Heritrix (HttpAuthenticationCredential, HtmlFormCredential, FormLoginProcessor, Rfc2617Credential of
// Heritrix 1): each becomes a sheet with the section `logins` for its site.
#pragma once

#include <vector>

#include "caddis/heritrix/import.h"
#include "caddis/heritrix/sheets_import.h"

namespace caddis::heritrix {

std::vector<ImportedSheet> import_logins(Import& import);

}  // namespace caddis::heritrix
