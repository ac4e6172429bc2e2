#include "caddis/access/certificate.h"

#include <gtest/gtest.h>

#include "caddis/io/memory_files.h"

namespace caddis::access {
namespace {

TEST(Certificate, OfOurOwnIsMadeOnce) {
  io::MemoryFiles files;
  ManualClock clock;
  const TlsSources sources{.certificate = {},
                           .key = {},
                           .client_ca = {},
                           .folder = "/d",
                           .names = {"crawler.example", "192.0.2.7", "bad,name"}};
  const auto made = load_tls(files, clock, sources);
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_TRUE(made->is_own);
  EXPECT_EQ(made->fingerprint.size(), 32 * 3 - 1u);
  EXPECT_TRUE(files.exists("/d/tls-certificate.pem"));
  EXPECT_EQ(load_tls(files, clock, sources)->fingerprint, made->fingerprint);
  TlsSources more = sources;
  more.names.emplace_back("archive.example");
  const auto other = load_tls(files, clock, more);
  EXPECT_NE(other->fingerprint, made->fingerprint) << "it is for another name, too";
  EXPECT_EQ(load_tls(files, clock, more)->fingerprint, other->fingerprint);
  clock.advance(std::chrono::days(370));
  EXPECT_NE(load_tls(files, clock, more)->fingerprint, other->fingerprint) << "it would end soon";
}

TEST(Certificate, OfTheOperatorIsRead) {
  io::MemoryFiles files;
  const ManualClock clock;
  TlsSources sources{.certificate = {}, .key = {}, .client_ca = {}, .folder = "/d", .names = {}};
  const auto own = load_tls(files, clock, sources);
  sources.certificate = "/d/tls-certificate.pem";
  EXPECT_FALSE(load_tls(files, clock, sources).has_value()) << "without its key";
  sources.key = "/d/tls-key.pem";
  const auto given = load_tls(files, clock, sources);
  ASSERT_TRUE(given.has_value());
  EXPECT_FALSE(given->is_own);
  EXPECT_EQ(given->fingerprint, own->fingerprint);
  sources.certificate = "/d/tls-key.pem";
  EXPECT_FALSE(load_tls(files, clock, sources).has_value());
  sources.certificate = "/d/none.pem";
  EXPECT_FALSE(load_tls(files, clock, sources).has_value());
}

}  // namespace
}  // namespace caddis::access
