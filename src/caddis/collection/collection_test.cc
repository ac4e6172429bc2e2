// The layout of a collection, and the launches in it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/collection/launch.h"
#include "caddis/io/memory_files.h"

namespace caddis::collection {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Layout, NamesWhatUsersSee) {
  for (const char* folder : {"/c", "/c/"}) {
    const Layout layout(folder);
    EXPECT_EQ(layout.archive(), "/c/archive");
    EXPECT_EQ(layout.page_list(), "/c/pages/pages.jsonl");
    EXPECT_EQ(layout.index_of("a-20261121004500"), "/c/indexes/a-20261121004500.cdxj");
    EXPECT_EQ(layout.added_index(), "/c/indexes/index.cdxj");
    EXPECT_THAT(layout.places_of_archive("x.warc.gz"),
                ElementsAre("/c/archive/x.warc.gz", "/c/archive/x.warc.gz.open", "/c/x.warc.gz"));
  }
  EXPECT_EQ(Layout(".").crawls(), "./crawls");
  EXPECT_TRUE(is_index_name("a.cdxj") && is_index_name("a.cdx"));
  EXPECT_FALSE(is_index_name("a.cdxj.meta") || is_index_name("a.cdxj.part0"));
}

TEST(Launches, AreSortedByTheTimeInTheirNames) {
  io::MemoryFiles files;
  const Layout layout("/c");
  EXPECT_THAT(*launch_folders(files, layout), IsEmpty());
  for (const char* name : {"a-20260201000000", "z-20260101000000", "b-c-20260301000000", "leftover"})
    ASSERT_TRUE(files.make_dirs(layout.crawls() + "/" + name));
  ASSERT_TRUE(files.write_atomically(layout.crawls() + "/lock", ""));
  const auto names = [](const Result<std::vector<Launch>>& found) {
    std::vector<std::string> all;
    for (const Launch& launch : *found) all.push_back(launch.name);
    return all;
  };
  EXPECT_THAT(names(launch_folders(files, layout)),
              ElementsAre("z-20260101000000", "a-20260201000000", "b-c-20260301000000", "leftover"));
  EXPECT_EQ(launch_folders(files, layout)->front().crawl_log(), "/c/crawls/z-20260101000000/logs/crawl.log");
}

}  // namespace
}  // namespace caddis::collection
