// Statuses in words for people: HTTP's reason phrases, and the table's words for all others.
#include "caddis/http/reason.h"

#include <gtest/gtest.h>

namespace caddis::http {
namespace {

TEST(ReasonTest, DescribesEveryStatus) {
  EXPECT_EQ(describe_status(404), "Not Found");
  EXPECT_EQ(describe_status(-9998), "forbidden by robots.txt");
  EXPECT_EQ(describe_status(status::kDnsOk), "address found");
  EXPECT_EQ(describe_status(226), "Transfer Complete");
  EXPECT_EQ(describe_status(550), "File Unavailable");
  EXPECT_EQ(reason_of(226), "IM Used");
  EXPECT_EQ(describe_status(299), "");
  EXPECT_EQ(describe_status(-12345), "");
}

}  // namespace
}  // namespace caddis::http
