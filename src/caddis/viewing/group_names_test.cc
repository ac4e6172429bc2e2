#include "caddis/viewing/group_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/viewing/rule_file.h"

namespace caddis::viewing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(GroupNamesTest, GroupsThatNobodyIsIn) {
  const auto list = parse_rules(
      "groups: {staff: [alice, bob], gone: [carol], admin: [carol], none: []}\n"
      "rules:\n"
      "- {verdict: allow, domain: a.org, groups: [staff, gone, viewer, viwer]}\n"
      "- {verdict: allow, domain: b.org, groups: [viwer, admin, none, harvester]}\n",
      "f");
  ASSERT_TRUE(list) << list.error().message;
  EXPECT_THAT(groups_of_nobody(*list, [](const std::string& user) { return user == "alice"; }),
              ElementsAre("admin", "gone", "harvester", "none", "viwer"));
  EXPECT_THAT(groups_of_nobody(*list, [](const std::string&) { return true; }),
              ElementsAre("harvester", "none", "viwer"));
}

TEST(GroupNamesTest, RolesAreThoseOfPeople) {
  for (const char* const role : {"", "viewer", "curator", "operator", "admin"}) EXPECT_TRUE(check_viewer_role(role));
  for (const char* const none : {"viwer", "harvester", "none", "Viewer"})
    EXPECT_THAT(check_viewer_role(none).error().message, HasSubstr("viewer, curator, operator and admin are"));
}

}  // namespace
}  // namespace caddis::viewing
