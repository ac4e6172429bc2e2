#include "caddis/harvestserver/command_words.h"

#include <gtest/gtest.h>

namespace caddis::harvestserver {
namespace {

TEST(CommandWordsTest, OnlyWordsThatMatterAreTold) {
  const char* const environment[] = {
      "PATH=/usr/bin",        "LANG=C.UTF-8",     "CADDIS_TOKEN=secret",        "LC_ALL=da_DK",
      "TZ=Europe/Copenhagen", "TZDIR=/elsewhere", "CADDIS_CONTACT=a@b.example", nullptr};
  EXPECT_EQ(environment_words(environment),
            "; LANG=C.UTF-8; LC_ALL=da_DK; TZ=Europe/Copenhagen; CADDIS_CONTACT=a@b.example");
}

TEST(CommandWordsTest, AnEnvironmentWithoutAny) {
  const char* const environment[] = {"HOME=/root", nullptr};
  EXPECT_EQ(environment_words(environment), "");
}

}  // namespace
}  // namespace caddis::harvestserver
