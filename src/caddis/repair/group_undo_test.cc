#include "caddis/repair/group_undo.h"

#include <gtest/gtest.h>

#include "caddis/base/strings.h"

namespace caddis::repair {
namespace {

frontier::Lease lease_of(frontier::LeaseKind kind, const frontier::Candidate& what) {
  frontier::Lease lease;
  lease.kind = kind;
  lease.host = "a.test";
  lease.origin = "http://a.test";
  lease.candidate = what;
  return lease;
}

// Golden bytes of docs/formats/groups.md.
TEST(GroupUndo, IsWrittenAsDocumented) {
  using frontier::LeaseKind;
  UndoEntries visits;
  visits.add(lease_of(LeaseKind::dns, {}));
  visits.add(lease_of(LeaseKind::robots, {}));
  visits.add(lease_of(LeaseKind::url, {.url = "http://a.test/p0", .seed = "http://a.test/p0", .is_seed = true}));
  visits.add(lease_of(LeaseKind::url,
                      {.url = "http://a.test/p1", .via = "http://a.test/p0", .hops = "L", .seed = "http://a.test/p0"}));
  const store::StreamEnds before = {{"cdx", 1, 300}, {"warc", 3, 70000}};
  const std::string row = encode_group_undo(before, visits, "\x01\x02\x03\x04\x05\x06\x07\x08");
  EXPECT_EQ(
      to_hex(row),
      "01020363647801ac02047761726303f0a2045200000d687474703a2f2f612e746573740006612e74657374010d000600120d032f7030"
      "00000010687474703a2f2f612e746573742f703000020f01310010687474703a2f2f612e746573742f70301000014c080102030405"
      "060708");
  const auto read = decode_group_undo(row);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->before, before);
  ASSERT_EQ(read->visits.size(), 4u);
  EXPECT_EQ(read->visits[0].host, "a.test");
  EXPECT_EQ(read->visits[1].origin, "http://a.test");
  EXPECT_EQ(read->visits[2].candidate.url, "http://a.test/p0");
  EXPECT_TRUE(read->visits[2].candidate.is_seed);
  EXPECT_EQ(read->visits[3].candidate.via, "http://a.test/p0");
  EXPECT_EQ(read->visits[3].candidate.hops, "L");
  EXPECT_EQ(read->seen.size(), 8u);
  for (size_t cut = 0; cut < row.size(); ++cut) EXPECT_FALSE(decode_group_undo(row.substr(0, cut))) << cut;
  EXPECT_EQ(*number_of_group_row(group_row(77)), 77u);
  EXPECT_FALSE(number_of_group_row("group:x"));
}

TEST(GroupUndo, HasWhatAVisitNeedsToKnow) {
  using frontier::LeaseKind;
  frontier::Candidate asked{.url = "http://a.test/search"};
  asked.attributes.set("request", "POST q=herons");
  UndoEntries visits;
  visits.add(lease_of(LeaseKind::url, asked));
  visits.add(lease_of(LeaseKind::url, {.url = "http://a.test/p1"}));
  const auto read = decode_group_undo(encode_group_undo({}, visits, ""));
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->visits.size(), 2u);
  EXPECT_EQ(read->visits[0].candidate.attributes.find("request"), "POST q=herons");
  EXPECT_TRUE(read->visits[1].candidate.attributes.empty());
}

}  // namespace
}  // namespace caddis::repair
