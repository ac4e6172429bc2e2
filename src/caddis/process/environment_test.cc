#include "caddis/process/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caddis::process {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(EnvironmentsOfChildren, HaveNoVariableThatNobodyHasNamed) {
  const char* const environment[] = {
      "ANNAS=apw-SECRET1",      "PATH=/bin", "CADDIS_TOKEN=t", "LC_ALL=C.UTF-8", "AWS_SECRET_KEY=k", "HOME=/home/me",
      "PATHS=apw-SECRET1=/bin", "TZ=",       "not a variable", nullptr};
  EXPECT_THAT(environment_of_children(environment), ElementsAre("PATH=/bin", "LC_ALL=C.UTF-8", "HOME=/home/me", "TZ="));
  EXPECT_THAT(environment_of_children(nullptr), IsEmpty());
}

TEST(EnvironmentsOfChildren, HaveProxiesWithoutAPassword) {
  const char* const environment[] = {"http_proxy=http://proxy.example:3128",
                                     "HTTPS_PROXY=http://me:secret@proxy.example", "NO_PROXY=localhost,.example",
                                     nullptr};
  EXPECT_THAT(environment_of_children(environment),
              ElementsAre("http_proxy=http://proxy.example:3128", "NO_PROXY=localhost,.example"));
}

}  // namespace
}  // namespace caddis::process
