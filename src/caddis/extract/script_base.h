// The folders that paths in a script stand below where they are none of the page's. Internal to extract; pure, any thread.
#pragma once

#include <string>
#include <string_view>

namespace caddis::extract {

// Drupal hands the settings of its site over to scripts: paths in them stand below this one. Empty for others.
std::string drupal_base(std::string_view script);

}  // namespace caddis::extract
