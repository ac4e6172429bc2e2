#include "caddis/fetch/address_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caddis::fetch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class AddressPolicyTest : public ::testing::Test {
 protected:
  void seed(std::string_view text) { policy_.take_seed(url::Url::parse(text).value()); }
  bool is_open(const std::string& address, const std::vector<std::string>& allowed = {}, uint16_t port = 80) const {
    return !policy_.refusal({address, port}, allowed);
  }

  AddressPolicy policy_;
};

TEST_F(AddressPolicyTest, RefusesWhatIsNotPublic) {
  EXPECT_TRUE(is_open("93.184.216.34"));
  EXPECT_TRUE(is_open("2606:4700::1"));
  for (const char* address : {"127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "0.0.0.0", "::1", "fd00::1",
                              "fe80::1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "224.0.0.1", "nonsense", ""})
    EXPECT_FALSE(is_open(address)) << address;
  EXPECT_EQ(*policy_.refusal({"169.254.169.254", 80}, {}),
            "the address 169.254.169.254 is link-local (169.254.0.0/16), and neither a seed nor fetch.allow-addresses "
            "names it");
}

TEST_F(AddressPolicyTest, ASeedNamesItsRange) {
  seed("http://127.0.0.1:8080/");
  for (const char* address : {"127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"})
    EXPECT_TRUE(is_open(address)) << address;
  for (const char* address : {"10.0.0.1", "192.168.1.1", "fe80::1", "0.0.0.0"})
    EXPECT_FALSE(is_open(address)) << address;
  seed("http://10.1.2.3/");
  EXPECT_TRUE(is_open("10.200.0.1"));
  EXPECT_FALSE(is_open("192.168.1.1"));
  seed("http://[fd00::1]/");
  EXPECT_TRUE(is_open("fdff::2"));
  EXPECT_FALSE(is_open("fe80::1"));
}

TEST_F(AddressPolicyTest, WhoCannotBeReachedStaysOnThisMachine) {
  seed("http://127.0.0.1:8080/");
  seed("http://10.1.2.3/");
  policy_.stay_on_this_machine();
  EXPECT_TRUE(is_open("127.0.0.2"));
  EXPECT_TRUE(is_open("::1"));
  for (const char* address : {"93.184.216.34", "10.1.2.3", "2606:4700::1"})
    EXPECT_FALSE(is_open(address, {"all"})) << address;
  EXPECT_THAT(*policy_.refusal({"93.184.216.34", 80}, {}), HasSubstr("resume the crawl with --contact"));
}

TEST_F(AddressPolicyTest, LocalhostIsLoopback) {
  for (const char* url : {"http://localhost:8080/", "http://a.localhost/"}) {
    AddressPolicy policy;
    policy.take_seed(url::Url::parse(url).value());
    EXPECT_FALSE(policy.refusal({"127.0.0.1", 1}, {})) << url;
    EXPECT_FALSE(policy.refusal({"::1", 1}, {})) << url;
  }
}

TEST_F(AddressPolicyTest, APublicSeedNamesNothing) {
  seed("http://93.184.216.34/");
  EXPECT_FALSE(is_open("127.0.0.1"));
}

// Its name is as good as its address, where it has no other.
TEST_F(AddressPolicyTest, ASeedsNameNamesTheRangeItLeadsTo) {
  seed("http://intranet.test/");
  EXPECT_FALSE(is_open("10.0.0.1"));
  EXPECT_THAT(policy_.take_lookup("other.test", {"10.0.0.1"}), IsEmpty());
  EXPECT_THAT(policy_.take_lookup("intranet.test", {"10.0.0.1", "93.184.216.34"}), IsEmpty()) << "half public";
  EXPECT_FALSE(is_open("10.0.0.1"));
  EXPECT_THAT(policy_.take_lookup("intranet.test", {"10.0.0.1", "fd00::1"}), ElementsAre("10.0.0.0/8", "fc00::/7"));
  EXPECT_TRUE(is_open("10.99.0.1"));
  EXPECT_TRUE(is_open("fd00::7"));
  EXPECT_THAT(policy_.take_lookup("intranet.test", {"10.0.0.1"}), ElementsAre("10.0.0.0/8")) << "asked again";
  AddressPolicy next;  // of the process that resumes
  next.allow_range("10.0.0.0/8");
  next.allow_range("what is no range any more");
  EXPECT_FALSE(next.refusal({"10.99.0.1", 80}, {}));
  EXPECT_TRUE(next.refusal({"fd00::7", 80}, {}));
}

TEST_F(AddressPolicyTest, SettingsNameBlocks) {
  EXPECT_TRUE(is_open("10.1.0.9", {"192.168.0.0/16", "10.1.0.0/24"}));
  EXPECT_FALSE(is_open("10.1.1.9", {"192.168.0.0/16", "10.1.0.0/24"}));
  EXPECT_TRUE(is_open("64:ff9b::10.1.0.9", {"10.1.0.0/24"}));
  for (const char* address : {"127.0.0.1", "fe80::1", "240.0.0.1"}) EXPECT_TRUE(is_open(address, {"all"})) << address;
  EXPECT_TRUE(check_allowed("all"));
  EXPECT_TRUE(check_allowed("fd00::/8"));
  EXPECT_THAT(check_allowed("lan").error().message, HasSubstr("'lan' is no address"));
}

// Whatever seeds and settings say, and by whichever form of the address.
TEST_F(AddressPolicyTest, ForbidsWhereItListensItself) {
  seed("http://127.0.0.1/");
  policy_.forbid({"127.0.0.1", 8444});
  EXPECT_TRUE(is_open("127.0.0.1", {"all"}, 8443));
  EXPECT_FALSE(is_open("127.0.0.1", {"all"}, 8444));
  EXPECT_FALSE(is_open("::ffff:127.0.0.1", {"all"}, 8444));
  for (const char* any : {"0.0.0.0", "::", "::ffff:0.0.0.0"}) EXPECT_FALSE(is_open(any, {"all"}, 8444)) << any;
  EXPECT_TRUE(is_open("127.0.0.2", {"all"}, 8444));
  policy_.forbid({"0.0.0.0", 8445});
  for (const char* address : {"127.0.0.1", "127.0.0.2", "::1", "0.0.0.0"})
    EXPECT_FALSE(is_open(address, {"all"}, 8445)) << address;
}

}  // namespace
}  // namespace caddis::fetch
