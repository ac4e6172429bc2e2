#include "caddis/url/address_block.h"

#include <gtest/gtest.h>

namespace caddis::url {
namespace {

// The range of an address as its first block; "public" where it is in none.
std::string range_of(std::string_view text) {
  const auto address = parse_address(text);
  if (!address) return "no address";
  const auto range = special_range(*address);
  return range ? std::string(range->block) : "public";
}

TEST(AddressBlock, KnowsTheRangesOfIpv4) {
  for (const auto& [address, range] : std::vector<std::pair<const char*, const char*>>{
           {"0.0.0.0", "0.0.0.0/8"},
           {"0.255.255.255", "0.0.0.0/8"},
           {"1.0.0.0", "public"},
           {"9.255.255.255", "public"},
           {"10.0.0.0", "10.0.0.0/8"},
           {"10.255.255.255", "10.0.0.0/8"},
           {"11.0.0.0", "public"},
           {"100.63.255.255", "public"},
           {"100.64.0.0", "100.64.0.0/10"},
           {"100.127.255.255", "100.64.0.0/10"},
           {"100.128.0.0", "public"},
           {"127.0.0.1", "127.0.0.0/8"},
           {"127.255.255.255", "127.0.0.0/8"},
           {"128.0.0.0", "public"},
           {"169.253.255.255", "public"},
           {"169.254.169.254", "169.254.0.0/16"},
           {"169.255.0.0", "public"},
           {"172.15.255.255", "public"},
           {"172.16.0.0", "172.16.0.0/12"},
           {"172.31.255.255", "172.16.0.0/12"},
           {"172.32.0.0", "public"},
           {"192.0.0.8", "192.0.0.0/24"},
           {"192.0.1.0", "public"},
           {"192.0.2.1", "192.0.2.0/24"},
           {"192.88.99.1", "192.88.99.0/24"},
           {"192.168.0.1", "192.168.0.0/16"},
           {"192.169.0.0", "public"},
           {"198.17.255.255", "public"},
           {"198.19.255.255", "198.18.0.0/15"},
           {"198.51.100.7", "198.51.100.0/24"},
           {"203.0.113.7", "203.0.113.0/24"},
           {"223.255.255.255", "public"},
           {"224.0.0.1", "224.0.0.0/4"},
           {"239.255.255.255", "224.0.0.0/4"},
           {"240.0.0.0", "240.0.0.0/4"},
           {"255.255.255.255", "255.255.255.255/32"},
           {"8.8.8.8", "public"},
       })
    EXPECT_EQ(range_of(address), range) << address;
}

TEST(AddressBlock, KnowsTheRangesOfIpv6) {
  for (const auto& [address, range] : std::vector<std::pair<const char*, const char*>>{
           {"::", "0.0.0.0/8"},
           {"::1", "127.0.0.0/8"},
           {"[::1]", "127.0.0.0/8"},
           {"::2", "::/3"},
           {"::10.0.0.1", "::/3"},
           {"fc00::1", "fc00::/7"},
           {"fdff::1", "fc00::/7"},
           {"fe80::1", "fe80::/10"},
           {"febf::1", "fe80::/10"},
           {"fec0::1", "fec0::/10"},
           {"ff02::1", "ff00::/8"},
           {"64:ff9b:1::a00:1", "64:ff9b:1::/48"},
           {"100::1", "100::/64"},
           {"2001:2::1", "2001:2::/48"},
           {"2001:1ff::1", "2001::/23"},
           {"2001:200::1", "public"},
           {"2001:db8::1", "2001:db8::/32"},
           {"3fff:fff::1", "3fff::/20"},
           {"3fff:1000::1", "public"},
           {"5f00::1", "5f00::/16"},
           {"4000::1", "4000::/2"},
           {"8000::1", "8000::/1"},
           {"2606:4700::1", "public"},
           {"2a00:1450::1", "public"},
       })
    EXPECT_EQ(range_of(address), range) << address;
}

// An IPv6 address that is carried to an IPv4 one is as good as that.
TEST(AddressBlock, LooksIntoAddressesThatStandForOthers) {
  for (const auto& [address, range] : std::vector<std::pair<const char*, const char*>>{
           {"::ffff:127.0.0.1", "127.0.0.0/8"},
           {"::ffff:a00:1", "10.0.0.0/8"},
           {"::ffff:8.8.8.8", "public"},
           {"64:ff9b::10.1.2.3", "10.0.0.0/8"},
           {"64:ff9b::8.8.8.8", "public"},
           {"::ffff:0:169.254.169.254", "169.254.0.0/16"},
           {"2002:c0a8:101::1", "192.168.0.0/16"},
           {"2002:808:808::1", "public"},
           {"2001:0:808:808::80ff:fffe", "127.0.0.0/8"},  // Teredo: the client's address is written inverted
           {"2001:0:a00:1::f7f7:f7f7", "10.0.0.0/8"},
           {"2001:0:808:808::f7f7:f7f7", "public"},
       })
    EXPECT_EQ(range_of(address), range) << address;
}

TEST(AddressBlock, ReadsAddressesAsTheyAreWritten) {
  for (const char* text :
       {"", "10.1", "010.0.0.1", "0x7f.0.0.1", "1.2.3.4.5", "256.0.0.1", "::1%eth0", "a", "1.2.3.4 "})
    EXPECT_FALSE(parse_address(text)) << text;
  EXPECT_EQ(parse_address("::ffff:192.0.2.1"), parse_address("192.0.2.1"));
}

TEST(AddressBlock, Contains) {
  const auto has = [](std::string_view block, std::string_view address) {
    return stands_in(AddressBlock::parse(block).value(), parse_address(address).value());
  };
  EXPECT_TRUE(has("10.0.0.0/8", "10.255.0.1"));
  EXPECT_FALSE(has("10.0.0.0/8", "11.0.0.1"));
  EXPECT_TRUE(has("192.0.2.1", "192.0.2.1"));
  EXPECT_FALSE(has("192.0.2.1", "192.0.2.2"));
  EXPECT_TRUE(has("0.0.0.0/0", "10.0.0.1"));
  EXPECT_FALSE(has("0.0.0.0/0", "fe80::1"));
  EXPECT_TRUE(has("::/0", "fe80::1"));
  EXPECT_FALSE(has("::/0", "10.0.0.1"));
  EXPECT_TRUE(has("fc00::/7", "fd00::1"));
  EXPECT_FALSE(has("fc00::/7", "fe00::1"));
  EXPECT_TRUE(has("10.0.0.0/8", "64:ff9b::10.0.0.1"));
  EXPECT_TRUE(has("172.16.0.0/12", "172.31.1.1"));
}

TEST(AddressBlock, SaysWhatIsWrong) {
  const auto problem = [](std::string_view text) { return AddressBlock::parse(text).error().message; };
  EXPECT_EQ(problem("intranet"),
            "'intranet' is no address and no block of addresses; write 10.1.2.3, 10.0.0.0/8 or fc00::/7");
  EXPECT_EQ(problem("10.0.0.0/33"), "'10.0.0.0/33': behind the slash stands a number from 0 to 32");
  EXPECT_EQ(problem("10.0.0.0/"), "'10.0.0.0/': behind the slash stands a number from 0 to 32");
  EXPECT_EQ(problem("fc00::/129"), "'fc00::/129': behind the slash stands a number from 0 to 128");
  EXPECT_EQ(problem("10.1.2.3/8"), "'10.1.2.3/8' is no block: its address has bits behind the first 8");
}

// A range is found by its name in later versions.
TEST(AddressBlock, RangesHaveNames) {
  for (const char* text : {"127.0.0.1", "::1", "10.0.0.1", "fe80::1", "::2"}) {
    const auto range = special_range(parse_address(text).value());
    const auto again = special_range_of_block(range->block);
    ASSERT_TRUE(again) << text;
    EXPECT_EQ(again->number, range->number) << text;
    EXPECT_LT(range->number, kSpecialRanges);
  }
  EXPECT_FALSE(special_range_of_block("192.0.3.0/24"));
}

}  // namespace
}  // namespace caddis::url
