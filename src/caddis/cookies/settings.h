// The settings of the section `cookies`.
#pragma once

#include <cstdint>
#include <string>

#include "caddis/settings/schema.h"

namespace caddis::cookies {

struct CookieSettings {
  bool enabled = true;
  std::string jar;  // sites with jars of different names share nothing
  int64_t walls = 2;
  std::string load;  // a file, or nothing
  std::string save;  // a file, or nothing
  int64_t per_domain = 50;
  int64_t total = 100'000;
  int64_t max_size = 4096;
};

}  // namespace caddis::cookies

namespace caddis::settings {
template <>
const Schema& schema_of<cookies::CookieSettings>();
}  // namespace caddis::settings
