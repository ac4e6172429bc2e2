// The layout of a collection, and what is done with its folders and files as a whole.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/base/time_format.h"
#include "caddis/collection/archive_folders.h"
#include "caddis/collection/creation.h"
#include "caddis/collection/end_note.h"
#include "caddis/collection/folders.h"
#include "caddis/collection/lock.h"
#include "caddis/collection/metadata.h"
#include "caddis/collection/page_list.h"
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
    EXPECT_EQ(layout.within("arcs"), "/c/arcs");
    EXPECT_EQ(layout.within("/disk/arcs"), "/disk/arcs");
  }
  EXPECT_EQ(Layout(".").crawls(), "./crawls");
  EXPECT_TRUE(is_index_name("a.cdxj") && is_index_name("a.cdx"));
  EXPECT_FALSE(is_index_name("a.cdxj.meta") || is_index_name("a.cdxj.part0"));
}

TEST(Metadata, IsReadAsPywbWritesIt) {
  io::MemoryFiles files;
  const Layout layout("/c");
  EXPECT_TRUE(read_metadata(files, layout)->fields().empty());
  ASSERT_TRUE(files.make_dirs("/c"));
  ASSERT_TRUE(files.write_atomically("/c/metadata.yaml",
                                     "title: News\nyear: 2020\nkeywords: [a, 'b c']\nempty:\nmore: {x: 1}\n"));
  const auto read = read_metadata(files, layout);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->title(), "News");
  EXPECT_EQ(read->description(), "");
  using Field = Metadata::Field;
  EXPECT_THAT(read->fields(), ElementsAre(Field("title", "News"), Field("year", "2020"), Field("keywords", "a, b c")));
  EXPECT_EQ(change_metadata(files, layout, {{"title", "x"}}).error().message,
            "/c/metadata.yaml:5: this value is no text, and would be lost: change the file by hand");
  for (const auto& [text, why] :
       {std::pair("a: [", "/c/metadata.yaml:"), std::pair("- a\n", "'name: value' is wanted")}) {
    ASSERT_TRUE(files.write_atomically("/c/metadata.yaml", text));
    EXPECT_THAT(read_metadata(files, layout).error().message, ::testing::HasSubstr(why));
  }
}

TEST(Metadata, ComesBackAsItWasSet) {
  io::MemoryFiles files;
  const Layout layout("/c");
  ASSERT_TRUE(files.make_dirs("/c"));
  const std::string odd = "\"quoted\" \\ 'x' # {y}: <b>\u00fc\n\tnext \U0001F600";
  ASSERT_TRUE(
      change_metadata(files, layout, {{"title", "true"}, {"null", "2"}, {"a: b", odd}, {"-", "dash"}, {"gone", "x"}}));
  ASSERT_TRUE(change_metadata(files, layout, {{"gone", ""}, {"title", "null"}}));
  using Field = Metadata::Field;
  EXPECT_THAT(read_metadata(files, layout)->fields(),
              ElementsAre(Field("title", "null"), Field("null", "2"), Field("a: b", odd), Field("-", "dash")));
  for (const char* bad : {"\xff", "\x7f", "a\rb", "\xc2\x85", "\xef\xbf\xbe"}) {
    EXPECT_EQ(change_metadata(files, layout, {{"a", bad}}).error().code, ErrorCode::config);
    EXPECT_EQ(change_metadata(files, layout, {{bad, "a"}}).error().code, ErrorCode::config);
  }
  EXPECT_EQ(change_metadata(files, layout, {{"", "x"}}).error().code, ErrorCode::config);
  EXPECT_EQ(change_metadata(files, layout, {{"a\nb", "x"}}).error().code, ErrorCode::config);
  EXPECT_EQ(change_metadata(files, layout, {{"a", std::string(70'000, 'x')}}).error().code, ErrorCode::config);
  EXPECT_EQ(read_metadata(files, layout)->title(), "null");
}

TEST(ArchiveFolders, AreFoundAgain) {
  io::MemoryFiles files;
  const Layout layout("/c");
  ASSERT_TRUE(files.make_dirs("/c"));
  EXPECT_THAT(archive_folders(files, layout), ElementsAre("/c/archive"));
  ASSERT_TRUE(remember_archive_folder(files, layout, "/c/more"));
  ASSERT_TRUE(remember_archive_folder(files, layout, "/disk2/warcs"));
  ASSERT_TRUE(remember_archive_folder(files, layout, "/c/more"));
  EXPECT_EQ(*files.read_all(layout.archive_folder_list()), "more\n/disk2/warcs\n");
  EXPECT_THAT(archive_folders(files, layout), ElementsAre("/c/archive", "/c/more", "/disk2/warcs"));
  EXPECT_THAT(places_of_archive(files, layout, "x.warc"),
              ElementsAre("/c/archive/x.warc", "/c/archive/x.warc.open", "/c/more/x.warc", "/c/more/x.warc.open",
                          "/disk2/warcs/x.warc", "/disk2/warcs/x.warc.open", "/c/x.warc"));
}

TEST(Launches, AreSortedByTheTimeInTheirNames) {
  io::MemoryFiles files;
  const Layout layout("/c");
  EXPECT_THAT(*launch_folders(files, layout), IsEmpty());
  for (const char* name : {"a-20260201000000", "z-20260101000000", "b-c-20260301000000", "leftover"})
    ASSERT_TRUE(files.make_dirs(layout.crawls() + "/" + name));
  ASSERT_TRUE(files.write_atomically(layout.lock_file(), ""));
  const auto names = [](const Result<std::vector<Launch>>& found) {
    std::vector<std::string> all;
    for (const Launch& launch : *found) all.push_back(launch.name);
    return all;
  };
  EXPECT_THAT(names(launch_folders(files, layout)),
              ElementsAre("z-20260101000000", "a-20260201000000", "b-c-20260301000000", "leftover"));
  EXPECT_THAT(names(launches(files, layout)), IsEmpty());
  for (const char* name : {"z-20260101000000", "a-20260201000000", "leftover"})
    ASSERT_TRUE(files.write_atomically(Launch{"/c", name}.settings_file(), ""));
  EXPECT_THAT(names(launches(files, layout)), ElementsAre("z-20260101000000", "a-20260201000000"));
  EXPECT_EQ((*latest_launch(files, "/c"))->folder(), "/c/crawls/a-20260201000000");
}

TEST(EndNote, TellsWhyAsFarAsItCouldBeWritten) {
  io::MemoryFiles files;
  const auto launch = *create_launch(files, "/c", "crawl", *parse_timestamp("20261121004500"));
  EXPECT_FALSE(noted_end(files, launch));
  note_end(files, launch, "the disk is full");
  note_end(files, launch, "no room");
  EXPECT_EQ(noted_end(files, launch), "no room");
}

TEST(Folders, AreCopiedAndMovedAsAWhole) {
  io::MemoryFiles files;
  ASSERT_TRUE(files.make_dirs("/a/inner"));
  ASSERT_TRUE(files.write_atomically("/a/1.sst", "table"));
  ASSERT_TRUE(files.write_atomically("/a/CURRENT", "one"));
  ASSERT_TRUE(files.make_dirs("/b"));
  ASSERT_TRUE(files.write_atomically("/b/left", "by an earlier attempt"));
  ASSERT_TRUE(clone_folder(files, "/a", "/b"));
  EXPECT_FALSE(files.exists("/b/left"));
  ASSERT_TRUE(files.write_atomically("/a/CURRENT", "two"));
  EXPECT_EQ(*files.read_all("/b/CURRENT"), "one");
  EXPECT_EQ(*files.read_all("/b/1.sst"), "table");
  ASSERT_TRUE(move_path(files, "/b", "/d"));
  EXPECT_FALSE(files.exists("/b"));
  std::string pieces;
  ASSERT_TRUE(read_pieces(files, "/d/1.sst", 3, [&](std::string_view piece) -> Result<void> {
    pieces += piece;
    return {};
  }));
  EXPECT_EQ(pieces, "tab");
  EXPECT_FALSE(read_pieces(files, "/d/1.sst", 6, [](std::string_view) -> Result<void> { return {}; }));
  remove_tree(files, "/d");
  EXPECT_FALSE(files.exists("/d"));
}

TEST(Collection, LaunchesAddUpAndExcludeEachOther) {
  io::MemoryFiles files;
  const WallTime now = *parse_timestamp("20261121004500");
  EXPECT_FALSE(*latest_launch(files, "/c"));
  const auto first = create_launch(files, "/c", "crawl", now);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->folder(), "/c/crawls/crawl-20261121004500");
  const auto second = create_launch(files, "/c", "crawl", now);
  ASSERT_TRUE(second);
  EXPECT_NE(second->name, first->name);
  EXPECT_FALSE(*latest_launch(files, "/c")) << "neither has begun";
  ASSERT_TRUE(files.write_atomically(first->settings_file(), ""));
  ASSERT_TRUE(files.write_atomically(second->settings_file(), ""));
  EXPECT_EQ((*latest_launch(files, "/c"))->name, second->name);

  auto lock = lock_collection(files, "/c", "4711 on here");
  ASSERT_TRUE(lock);
  const auto other = lock_collection(files, "/c", "4712 on here");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::conflict);
  EXPECT_NE(other.error().message.find("4711 on here"), std::string::npos) << other.error().message;
}

TEST(Collection, TakesBackWhatItMade) {
  io::MemoryFiles files;
  const WallTime now = *parse_timestamp("20261121004500");
  ASSERT_TRUE(files.make_dirs("/a/c/archive"));
  for (const std::string collection : {"/a/c", "/b/new/c"}) {
    const auto made = missing_folders(files, collection);
    auto lock = lock_collection(files, collection, "4711 on here");
    ASSERT_TRUE(lock);
    const auto launch = create_launch(files, collection, "crawl", now);
    ASSERT_TRUE(launch);
    ASSERT_TRUE(files.write_atomically(launch->settings_file(), "x"));
    ASSERT_TRUE(files.make_dirs(launch->store()));
    ASSERT_TRUE(files.write_atomically(launch->state() + "/db/1.sst", "x"));
    take_back(files, *launch, made, true);
  }
  EXPECT_FALSE(files.exists("/b"));
  EXPECT_EQ(files.list("/a/c")->size(), 1u);
  // Where another crawl has the lock, its file stays.
  const auto made = missing_folders(files, "/d");
  const auto lock = lock_collection(files, "/d", "another");
  take_back(files, {"/d", {}}, made, false);
  EXPECT_TRUE(files.exists("/d/crawls/lock"));
}

TEST(Collection, PagesOfAllLaunchesInOrder) {
  io::MemoryFiles files;
  const auto first = *create_launch(files, "/c", "b", *parse_timestamp("20260101000000"));
  const auto second = *create_launch(files, "/c", "a", *parse_timestamp("20260201000000"));
  ASSERT_TRUE(files.write_atomically(first.settings_file(), ""));
  ASSERT_TRUE(files.write_atomically(second.settings_file(), ""));
  ASSERT_TRUE(files.write_atomically(first.pages(), "{\"url\":\"one\"}\n{\"url\":\"half"));
  // The second list went on in another file; its lines are longer than what is read at once.
  const std::string two = "{\"url\":\"two" + std::string(3u << 20, 'o') + "\"}\n";
  ASSERT_TRUE(files.write_atomically(second.pages(), two));
  ASSERT_TRUE(files.write_atomically(second.pages() + ".2", "{\"url\":\"three\"}\n"));
  ASSERT_TRUE(files.write_atomically("/c/pages/pages.jsonl.tmp", "left by one that died"));
  ASSERT_TRUE(rebuild_page_list(files, "/c"));
  EXPECT_EQ(*files.read_all("/c/pages/pages.jsonl"),
            "{\"format\":\"json-pages-1.0\",\"id\":\"pages\",\"title\":\"Pages\"}\n{\"url\":\"one\"}\n" + two +
                "{\"url\":\"three\"}\n");
  EXPECT_FALSE(files.exists("/c/pages/pages.jsonl.tmp"));
}

}  // namespace
}  // namespace caddis::collection
