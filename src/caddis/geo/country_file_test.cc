#include "caddis/geo/country_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/geo/mmdb_testing.h"
#include "caddis/io/files.h"
#include "support/testdata.h"

namespace caddis::geo {
namespace {

using ::testing::HasSubstr;

class CountryFileTest : public ::testing::Test {
 protected:
  std::string write(std::string_view bytes) {
    const std::string path = folder_ / "countries.mmdb";
    EXPECT_TRUE(io::real_files().write_atomically(path, bytes));
    return path;
  }
  testing::TempDir folder_;
};

TEST_F(CountryFileTest, NetworksHaveACountry) {
  for (const bool is_nested : {true, false}) {
    const auto countries = CountryFile::open(write(testing::country_file(
        {{{192, 0, 2, 0}, 24, "AT"}, {{198, 51, 100, 128}, 25, "DE"}, {{203, 0, 113, 7}, 32, "NZ"}}, is_nested)));
    ASSERT_TRUE(countries) << countries.error().message;
    EXPECT_EQ((*countries)->country_of("192.0.2.0"), "AT");
    EXPECT_EQ((*countries)->country_of("192.0.2.255"), "AT");
    EXPECT_EQ((*countries)->country_of("192.0.3.0"), "");
    EXPECT_EQ((*countries)->country_of("198.51.100.127"), "");
    EXPECT_EQ((*countries)->country_of("198.51.100.200"), "DE");
    EXPECT_EQ((*countries)->country_of("203.0.113.7"), "NZ");
    EXPECT_EQ((*countries)->country_of("2001:db8::1"), "");
    EXPECT_EQ((*countries)->country_of("example.org"), "");
    EXPECT_EQ((*countries)->country_of(""), "");
  }
}

TEST_F(CountryFileTest, OtherFilesAreRefused) {
  const auto refused = [](const std::string& path) {
    const auto opened = CountryFile::open(path);
    EXPECT_FALSE(opened);
    return opened ? "" : opened.error().message;
  };
  EXPECT_THAT(refused("/nowhere/x.mmdb"), HasSubstr("/nowhere/x.mmdb: no file of countries in the MaxMind DB format"));
  EXPECT_THAT(refused(write("")), HasSubstr("no file of countries"));
  EXPECT_THAT(refused(write("country,AT\n")), HasSubstr("no file of countries"));
  const std::string whole = testing::country_file({{{192, 0, 2, 0}, 24, "AT"}});
  EXPECT_THAT(refused(write(whole.substr(0, whole.size() / 2))), HasSubstr("no file of countries"));
}

}  // namespace
}  // namespace caddis::geo
