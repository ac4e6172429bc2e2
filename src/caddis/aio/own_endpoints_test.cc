#include "caddis/aio/own_endpoints.h"

#include <gmock/gmock.h>

namespace caddis::aio {

void PrintTo(const Endpoint& endpoint, std::ostream* out) { *out << endpoint.address << " " << endpoint.port; }

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

TEST(OwnEndpoints, OfOneAddress) {
  for (const char* address : {"192.0.2.7", "2001:db8::7", "127.0.0.1", "::1"})
    EXPECT_THAT(own_endpoints({address, 8444}), ElementsAre(Endpoint{address, 8444}));
}

TEST(OwnEndpoints, OfAllAddresses) {
  EXPECT_THAT(own_endpoints({"0.0.0.0", 80}), Contains(Endpoint{"127.0.0.1", 80}));
  EXPECT_THAT(own_endpoints({"0.0.0.0", 80}), Contains(Endpoint{"0.0.0.0", 80}));
  EXPECT_THAT(own_endpoints({"::", 80}), Contains(Endpoint{"::", 80}));
}

// Of whatever machine runs the test: one that it has, be it none.
TEST(OwnEndpoints, TheAddressTowardsTheInternetIsTheMachines) {
  const std::string address = outgoing_address();
  if (address.empty()) GTEST_SKIP() << "this machine has no route to the internet";
  const bool is_v6 = address.contains(':');
  EXPECT_THAT(own_endpoints({is_v6 ? "::" : "0.0.0.0", 80}), Contains(Endpoint{address, 80}));
}

}  // namespace
}  // namespace caddis::aio
