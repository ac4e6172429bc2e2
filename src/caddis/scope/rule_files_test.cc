#include "caddis/scope/rule_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/io/memory_files.h"
#include "caddis/scope/rules.h"

namespace caddis::scope {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(RuleFiles, AreKnownByWhatTheyHeld) {
  io::MemoryFiles files;
  ASSERT_TRUE(files.make_dirs("/r"));
  const auto write = [&](const std::string& path, std::string_view text) {
    ASSERT_TRUE(files.write_atomically(path, text));
  };
  write("/r/hosts", "a.org\n");
  write("/r/list", "reject host @/r/hosts\n");
  write("/r/other", "x");
  RuleFiles read(files);
  EXPECT_TRUE(read.empty());
  ScopeSettings settings;
  settings.rules = {"shorthand", "rules @/r/list"};
  ASSERT_TRUE(SiteRules::create(settings, {}, read.reader()));
  EXPECT_FALSE(read.empty());
  EXPECT_THAT(read.changed(), IsEmpty());
  write("/r/other", "y");
  write("/r/list", "reject host @/r/hosts\n");
  EXPECT_THAT(read.changed(), IsEmpty()) << "written anew, but the same";
  write("/r/hosts", "b.org\n");
  EXPECT_THAT(read.changed(), ElementsAre("/r/hosts"));
  EXPECT_THAT(read.changed(), ElementsAre("/r/hosts")) << "until it is read";
  ASSERT_TRUE(SiteRules::create(settings, {}, read.reader()));
  EXPECT_THAT(read.changed(), IsEmpty());
  // One that has gone, or cannot be used, is told once, and again when it is there.
  ASSERT_TRUE(files.remove("/r/hosts"));
  EXPECT_THAT(read.changed(), ElementsAre("/r/hosts"));
  EXPECT_FALSE(SiteRules::create(settings, {}, read.reader()));
  EXPECT_THAT(read.changed(), IsEmpty());
  write("/r/hosts", "b.org\n");
  EXPECT_THAT(read.changed(), ElementsAre("/r/hosts"));
}

TEST(RuleFiles, HaveWholePaths) {
  io::MemoryFiles files;
  RuleFiles read(files);
  const auto text = read.reader()("hosts");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message, "@hosts: give the whole path of the file");
}

}  // namespace
}  // namespace caddis::scope
