// The archive of a server: files that come in pieces, once more, or with other bytes.
#include "caddis/harvestserver/store.h"

#include <gtest/gtest.h>

#include <string>

#include "caddis/base/strings.h"
#include "caddis/io/digest.h"
#include "caddis/io/memory_files.h"

namespace caddis::harvestserver {
namespace {

std::string digest_of(std::string_view bytes) {
  io::Sha256 digest;
  digest.update(bytes);
  return to_hex(digest.finish());
}

TEST(Store, TakesAFileWithoutAByte) {
  io::MemoryFiles files;
  const auto store = Store::open(files, "/data");
  ASSERT_TRUE(store->finish(7, "7-1.cdxj", "index", digest_of("")));
  EXPECT_EQ(*files.read_all(store->path_of("index", "7-1.cdxj").value()), "");
}

TEST(Store, TakesAFileInPiecesAndKnowsItAgain) {
  io::MemoryFiles files;
  const auto store = Store::open(files, "/data");
  ASSERT_TRUE(store);
  ASSERT_TRUE(store->add(7, "a.warc.gz", 0, "one "));
  EXPECT_EQ(store->received(7, "a.warc.gz"), 4u);
  EXPECT_EQ(store->add(7, "a.warc.gz", 0, "two").error().code, ErrorCode::conflict) << "behind what is there alone";
  ASSERT_TRUE(store->add(7, "a.warc.gz", 4, "two"));
  ASSERT_TRUE(store->finish(7, "a.warc.gz", "warc", digest_of("one two")));
  const std::string place = store->path_of("warc", "a.warc.gz").value();
  EXPECT_EQ(files.read_all(place).value(), "one two");

  // The answer had been lost, and then the whole file was sent again.
  EXPECT_TRUE(store->finish(7, "a.warc.gz", "warc", digest_of("one two")));
  ASSERT_TRUE(store->add(7, "a.warc.gz", 0, "one two"));
  EXPECT_TRUE(store->finish(7, "a.warc.gz", "warc", digest_of("one two")));
  EXPECT_FALSE(files.exists("/data/incoming/7/a.warc.gz"));

  ASSERT_TRUE(store->add(8, "a.warc.gz", 0, "other"));
  EXPECT_EQ(store->finish(8, "a.warc.gz", "warc", digest_of("other")).error().code, ErrorCode::conflict);
  EXPECT_EQ(files.read_all(place).value(), "one two");
}

TEST(Store, RefusesOtherBytesAndNames) {
  io::MemoryFiles files;
  const auto store = Store::open(files, "/data");
  ASSERT_TRUE(store->add(7, "a.warc.gz", 0, "one"));
  EXPECT_EQ(store->finish(7, "a.warc.gz", "warc", digest_of("two")).error().code, ErrorCode::corrupt);
  EXPECT_EQ(store->received(7, "a.warc.gz"), 0u) << "to be sent again";
  for (const char* name : {"", ".", "..", ".hidden", "a/b", "a b"}) EXPECT_FALSE(store->add(7, name, 0, "x")) << name;
  EXPECT_FALSE(store->path_of("zip", "a.zip"));
}

}  // namespace
}  // namespace caddis::harvestserver
