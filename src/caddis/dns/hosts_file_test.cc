#include "caddis/dns/hosts_file.h"

#include <gtest/gtest.h>

#include "caddis/io/memory_files.h"

namespace caddis::dns {
namespace {

using namespace std::chrono_literals;

TEST(HostsFile, KnowsItsNamesAndReadsThemAnewAfterAMinute) {
  io::MemoryFiles disk;
  HostsFile hosts(disk, "/hosts");
  const SteadyTime now{1h};
  EXPECT_FALSE(hosts.names("a.test", now));
  ASSERT_TRUE(disk.write_atomically("/hosts", "# b.test\n192.0.2.1\tA.test  alias # c.test\r\n\n::1 last.test"));
  EXPECT_FALSE(hosts.names("a.test", now + HostsFile::kHolds - 1s));
  for (const char* name : {"a.test", "a.TEST", "alias", "last.test"})
    EXPECT_TRUE(hosts.names(name, now + HostsFile::kHolds)) << name;
  for (const char* name : {"b.test", "c.test", "test", ""})
    EXPECT_FALSE(hosts.names(name, now + HostsFile::kHolds)) << name;
  ASSERT_TRUE(disk.write_atomically("/hosts", ""));
  EXPECT_TRUE(hosts.names("a.test", now + HostsFile::kHolds));
  EXPECT_FALSE(hosts.names("a.test", now + 2 * HostsFile::kHolds));
}

}  // namespace
}  // namespace caddis::dns
