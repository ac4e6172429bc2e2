#include "caddis/access/authority.h"

#include <gtest/gtest.h>

#include "caddis/io/memory_files.h"

namespace caddis::access {
namespace {

TEST(CertificateAuthority, IsKeptAndIssuesForHosts) {
  io::MemoryFiles files;
  const auto first = CertificateAuthority::load(files, system_clock(), "ca");
  ASSERT_TRUE(first) << first.error().message;
  const auto again = CertificateAuthority::load(files, system_clock(), "ca");
  ASSERT_TRUE(again);
  EXPECT_EQ((*first)->certificate_pem(), (*again)->certificate_pem());
  EXPECT_EQ((*first)->fingerprint().size(), 32U * 3 - 1);
  EXPECT_FALSE((*first)->certificate_der().empty());
  for (const std::string_view host : {"example.org", "192.0.2.1", "2001:db8::1", "a_b.example"}) {
    const auto issued = (*first)->issue(host);
    ASSERT_TRUE(issued) << host;
    EXPECT_TRUE(issued->certificate_pem.starts_with("-----BEGIN CERTIFICATE-----"));
  }
  for (const std::string host :
       {std::string(), std::string("a,DNS:evil.example"), std::string("a b"), std::string(300, 'a')})
    EXPECT_FALSE((*first)->issue(host)) << host;
}

TEST(CertificateAuthority, AFolderThatIsNotWholeIsTold) {
  io::MemoryFiles files;
  ASSERT_TRUE(CertificateAuthority::load(files, system_clock(), "ca"));
  ASSERT_TRUE(files.write_atomically("ca/proxy-ca-key.pem", "no key"));
  const auto broken = CertificateAuthority::load(files, system_clock(), "ca");
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().message.find("ca/proxy-ca-key.pem"), std::string::npos);
}

}  // namespace
}  // namespace caddis::access
