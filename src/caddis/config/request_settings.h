// The settings of how the web is asked, together: names, robots.txt, requests, cookies, logins.
#pragma once

#include "caddis/cookies/settings.h"  // IWYU pragma: export
#include "caddis/dns/settings.h"      // IWYU pragma: export
#include "caddis/fetch/settings.h"    // IWYU pragma: export
#include "caddis/logins/settings.h"   // IWYU pragma: export
#include "caddis/robots/settings.h"   // IWYU pragma: export
