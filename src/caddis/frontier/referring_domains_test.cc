#include "caddis/frontier/referring_domains.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "caddis/frontier/frontier_fixture.h"

namespace caddis::frontier {
namespace {

TEST(Linking, OtherDomainsCount) {
  EXPECT_EQ(referring_bit("http://www.example.org/x", "example.org"), 0u);
  EXPECT_EQ(referring_bit("", "example.org"), 0u);
  EXPECT_NE(referring_bit("http://www.example.com/x", "example.org"), 0u);
  EXPECT_EQ(referring_bit("http://a.example.com/x", "example.org"),
            referring_bit("https://u:p@b.example.com:8080?x", "example.org"));
  EXPECT_EQ(referring_bit("http://192.0.2.1/", "192.0.2.1"), 0u);
  EXPECT_NE(referring_bit("http://192.0.2.1/", "192.0.2.2"), 0u);
}

TEST(Linking, IsAboutRight) {
  for (const int domains : {0, 1, 2, 10, 50, 100}) {
    uint64_t bits = 0;
    for (int i = 0; i < domains; ++i) bits |= referring_bit(fmt::format("http://domain-{}.example/", i), "example.org");
    EXPECT_NEAR(static_cast<double>(referring_domains(bits)), domains, 1 + domains * 0.25) << domains;
  }
  EXPECT_EQ(referring_domains(~uint64_t{0}), 266u);
}

// A host gets more the more domains link to it, out of memory as well.
class LinkingTest : public FrontierTest, public ::testing::WithParamInterface<size_t> {};

TEST_P(LinkingTest, BudgetsGrowWithTheDomainsThatLink) {
  options_.hosts_in_memory = GetParam();
  options_.politeness.host_budget = 3;
  options_.politeness.budget_per_domain = 2;
  reopen();
  add({scheduled("http://other.example/", "L")});
  settle(*next_whenever());
  const auto find_all = [&](const std::string& page) {
    for (int i = 0; i < 10; ++i) {
      add({scheduled(fmt::format("http://host.example/{}", i), "L", page)});
      commit();
    }
  };
  find_all("http://a.linking.com/");
  find_all("http://b.linking.com/");
  find_all("http://www.linking.net/");
  uint64_t pages = 0;
  for (int i = 0; i < 100; ++i) {
    if (const auto lease = next_whenever()) {
      pages += lease->kind == LeaseKind::url && lease->host == "host.example" ? 1 : 0;
      settle(*lease);
    }
    commit();
  }
  EXPECT_TRUE(frontier_->is_empty());
  if (GetParam() > 1)
    EXPECT_EQ(pages, 7u);
  else
    EXPECT_EQ(pages, 5u) << "found again, what was left out of its mail is known";
}
INSTANTIATE_TEST_SUITE_P(HostsInMemory, LinkingTest, ::testing::Values(1, 100));

TEST_F(FrontierTest, LinkingDomainsSurviveAStart) {
  options_.politeness.host_budget = 1;
  options_.politeness.budget_per_domain = 1;
  reopen();
  add({scheduled("http://host.example/1", "L", "http://a.com/")});
  add({scheduled("http://host.example/2", "L", "http://b.com/")});
  commit();
  reopen();
  run_dry();
  EXPECT_EQ(add({scheduled("http://host.example/3", "L", "http://b.com/")}), 1u);
  EXPECT_EQ(add({scheduled("http://host.example/4", "L", "http://b.com/")}), 0u);
}

}  // namespace
}  // namespace caddis::frontier
