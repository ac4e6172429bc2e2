#include "caddis/config/profiles.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/check.h"
#include "caddis/base/strings.h"
#include "caddis/config/assets.h"

namespace caddis::config {
namespace {

constexpr std::string_view kNames[] = {"one-site", "focused", "domain", "broad",
                                       "event",    "feeds",   "news",   "news-database"};

Profile read_profile(std::string_view name) {
  const std::string_view yaml = find_asset(fmt::format("{}.yaml", name));
  CADDIS_CHECK(yaml.starts_with("# "));
  return {name, yaml.substr(2, yaml.find('\n') - 2), yaml};
}

}  // namespace

const std::vector<Profile>& profiles() {
  static const std::vector<Profile> all = [] {
    std::vector<Profile> read;
    for (const std::string_view name : kNames) read.push_back(read_profile(name));
    return read;
  }();
  return all;
}

Result<const Profile*> find_profile(std::string_view name) {
  const auto found = std::ranges::find(profiles(), name, &Profile::name);
  if (found != profiles().end()) return &*found;
  const std::string near = nearest_name(name, {std::begin(kNames), std::end(kNames)});
  return fail(ErrorCode::config,
              fmt::format("there is no profile '{}'{}; there are {} (a file has a / or ends in .yaml)", name,
                          near.empty() ? "" : fmt::format("; did you mean '{}'?", near), fmt::join(kNames, ", ")));
}

std::string profile_title(const Profile& profile) { return fmt::format("profile {}", profile.name); }

}  // namespace caddis::config
