#include "caddis/aio/own_endpoints.h"

#include <gmock/gmock.h>

namespace caddis::aio {

void PrintTo(const Endpoint& endpoint, std::ostream* out) { *out << endpoint.address << " " << endpoint.port; }

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

TEST(OwnEndpoints, OfOneAddress) {
  EXPECT_THAT(own_endpoints({"192.0.2.7", 8444}),
              ElementsAre(Endpoint{"192.0.2.7", 8444}, Endpoint{"::ffff:c000:207", 8444}));
  EXPECT_THAT(own_endpoints({"2001:db8::7", 8444}), ElementsAre(Endpoint{"2001:db8::7", 8444}));
}

TEST(OwnEndpoints, OfTheLoopback) {
  EXPECT_THAT(own_endpoints({"127.0.0.1", 80}), ElementsAre(Endpoint{"127.0.0.1", 80}, Endpoint{"::ffff:7f00:1", 80},
                                                            Endpoint{"0.0.0.0", 80}, Endpoint{"::ffff:0:0", 80}));
  EXPECT_THAT(own_endpoints({"::1", 80}), ElementsAre(Endpoint{"::1", 80}, Endpoint{"::", 80}));
}

TEST(OwnEndpoints, OfAllAddresses) {
  EXPECT_THAT(own_endpoints({"0.0.0.0", 80}), Contains(Endpoint{"127.0.0.1", 80}));
  EXPECT_THAT(own_endpoints({"0.0.0.0", 80}), Contains(Endpoint{"0.0.0.0", 80}));
  EXPECT_THAT(own_endpoints({"::", 80}), Contains(Endpoint{"::", 80}));
}

}  // namespace
}  // namespace caddis::aio
