// Packing files anew: every record byte for byte, whole or not at all, nothing overwritten.
#include "caddis/warc/recompress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "caddis/base/random.h"
#include "caddis/io/digest.h"
#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"
#include "caddis/warc/archive_file.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/writer.h"

namespace caddis::warc {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string page(size_t i) {
  SeededRandom random(i);
  std::string body = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><title>page</title>";
  for (size_t word = 0; word < 200; ++word) body += " w" + std::to_string(random.next() % 3000);
  return body;
}

std::string record(size_t i, const std::string& block, Compression compression = Compression::none) {
  std::string out;
  const std::string id = "<urn:uuid:00000000-0000-4000-8000-" + std::to_string(100'000'000'000 + i) + ">";
  auto fields = RecordFields::response(id, "2026-01-02T03:04:05Z", "http://example.com/" + std::to_string(i));
  fields.content_type(kHttpResponse).block_digest(io::digest_label(io::sha1(block)));
  append_record(out, fields, {block}, compression);
  return out;
}

class Recompress : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(files_.make_dirs("/a")); }

  void put(const std::string& name, std::string_view bytes) {
    ASSERT_TRUE(files_.write_atomically("/a/" + name, bytes));
  }
  std::string bytes(const std::string& name) { return *files_.read_all("/a/" + name); }
  std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const auto& entry : *files_.list("/a")) names.push_back(entry.name);
    return names;
  }
  Result<RecompressReport> run(const std::string& from, const std::string& to, RecompressOptions options) {
    return recompress(files_, "/a/" + from, "/a/" + to, options);
  }

  io::MemoryFiles files_;
};

TEST_F(Recompress, ThereAndBackGivesTheSameBytes) {
  std::string plain;
  for (size_t i = 0; i < 300; ++i) plain += record(i, page(i));
  plain += record(300, std::string(20 << 20, 'x'));  // larger than what is held in memory
  plain += record(301, page(301));
  put("x.warc", plain);
  for (const Compression compression :
       {Compression::fast, Compression::small, Compression::zstd_fast, Compression::zstd_small}) {
    const auto packed = run("x.warc", "packed", {.compression = compression, .threads = 3});
    ASSERT_TRUE(packed) << packed.error().message;
    EXPECT_EQ(packed->records, 302u);
    EXPECT_EQ(packed->digests, 302u);
    EXPECT_EQ(packed->written, bytes("packed").size());
    EXPECT_LT(packed->written, plain.size() / 10);
    ASSERT_TRUE(run("packed", "again.warc", {.compression = Compression::none}));
    EXPECT_TRUE(bytes("again.warc") == plain);
    ASSERT_TRUE(files_.remove("/a/packed"));
    ASSERT_TRUE(files_.remove("/a/again.warc"));
  }
}

TEST_F(Recompress, ADictionaryIsLearnedAndStored) {
  std::string plain;
  for (size_t i = 0; i < 1000; ++i) plain += record(i, page(i));
  put("x.warc", plain);
  const auto without = run("x.warc", "without.zst", {.compression = Compression::zstd_fast});
  const auto with = run("x.warc", "with.zst", {.compression = Compression::zstd_fast, .train_dictionary = true});
  ASSERT_TRUE(with && without);
  EXPECT_GT(with->dictionary, 0u);
  EXPECT_LT(with->written, without->written * 9 / 10);
  EXPECT_TRUE(io::is_dictionary_frame(bytes("with.zst")));
  ASSERT_TRUE(run("with.zst", "again.warc", {.compression = Compression::none}));
  EXPECT_TRUE(bytes("again.warc") == plain);
  // Too few to learn from: then there is none.
  put("few.warc", record(1, "x"));
  const auto few = run("few.warc", "few.zst", {.compression = Compression::zstd_fast, .train_dictionary = true});
  ASSERT_TRUE(few);
  EXPECT_EQ(few->dictionary, 0u);
}

TEST_F(Recompress, NothingIsOverwritten) {
  put("x.warc", record(1, page(1)));
  put("there.warc.gz", "precious");
  const auto done = run("x.warc", "there.warc.gz", {});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::conflict);
  EXPECT_EQ(bytes("there.warc.gz"), "precious");
  EXPECT_THAT(names(), ElementsAre("there.warc.gz", "x.warc"));
}

TEST_F(Recompress, DamageIsRefusedAndNothingLeftBehind) {
  const std::string first = record(1, page(1), Compression::fast), third = record(3, page(3), Compression::fast);
  std::string second = record(2, page(2), Compression::fast);
  second[second.size() / 2] ^= 0x20;
  put("x.warc.gz", first + second + third);
  const auto refused = run("x.warc.gz", "x.warc.zst", {.compression = Compression::zstd_fast});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::corrupt);
  EXPECT_THAT(refused.error().message, HasSubstr("at offset " + std::to_string(first.size())));
  EXPECT_THAT(refused.error().message, HasSubstr("--salvage"));
  EXPECT_THAT(names(), ElementsAre("x.warc.gz"));

  const auto salvaged = run("x.warc.gz", "x.warc.zst", {.compression = Compression::zstd_fast, .salvage = true});
  ASSERT_TRUE(salvaged);
  EXPECT_EQ(salvaged->records, 2u);
  EXPECT_EQ(salvaged->left_out, 1u);
  EXPECT_THAT(salvaged->findings.at(0).code, StartsWith("gzip-"));
  ASSERT_TRUE(run("x.warc.zst", "x.warc", {.compression = Compression::none}));
  EXPECT_EQ(bytes("x.warc"), record(1, page(1)) + record(3, page(3)));
}

TEST_F(Recompress, ALargeRecordThatIsCutIsTakenBack) {
  const std::string large = record(2, std::string(20 << 20, 'x'));
  put(
      "x.warc.gz", record(1, page(1), Compression::fast) + [&] {
        std::string member = io::gzip_member(large.substr(0, 15 << 20), io::GzipEffort::fast);
        return member;
      }() + record(3, page(3), Compression::fast));
  ASSERT_TRUE(run("x.warc.gz", "x.warc", {.compression = Compression::none, .salvage = true}));
  EXPECT_EQ(bytes("x.warc"), record(1, page(1)) + record(3, page(3)));
}

TEST_F(Recompress, AFileWithAWrongBlockDigestIsRefused) {
  std::string bad = record(1, page(1));
  bad[bad.size() - 10] ^= 1;
  put("x.warc", bad + record(2, page(2)));
  EXPECT_THAT(run("x.warc", "y", {}).error().message, HasSubstr("[block-digest]"));
  put("empty.warc", "");
  EXPECT_FALSE(run("empty.warc", "y", {.salvage = true}));
}

TEST_F(Recompress, APackedArcRecordKeepsWhatItsLineDoesNotCount) {
  const std::string begin = "http://example.com/a 192.0.2.1 20260102030407 text/html 20\nHTTP/1.0 200 OK\n\nhi!";
  const std::string next = "http://example.com/b 192.0.2.1 20260102030408 text/html 20\nHTTP/1.0 200 OK\n\nho!\n";
  put("x.arc.gz",
      io::gzip_member(begin + " and more\n", io::GzipEffort::fast) + io::gzip_member(next, io::GzipEffort::fast));
  const auto report = run("x.arc.gz", "y.arc.zst", {.compression = Compression::zstd_fast, .salvage = true});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->records, 2u);
  EXPECT_EQ(report->left_out, 0u);
  EXPECT_TRUE(report->is_damaged) << "it is told";
  const std::string packed = bytes("y.arc.zst");
  const MemorySource source(packed);
  Reader reader(source);
  EXPECT_THAT(*(*reader.next())->read_all(1000), StartsWith("HTTP/1.0 200 OK\n\nhi! and more"));
}

TEST_F(Recompress, APackedArcRecordKeepsHoweverMuchItsLineDoesNotCount) {
  const std::string begin = "http://example.com/a 192.0.2.1 20260102030407 text/html 20\nHTTP/1.0 200 OK\n\nhi!";
  const std::string next = "http://example.com/b 192.0.2.1 20260102030408 text/html 20\nHTTP/1.0 200 OK\n\nho!\n";
  const std::string more(5 << 20, 'x'), last = io::gzip_member(next, io::GzipEffort::fast);
  put("x.arc.gz", io::gzip_member(begin + more + "\n", io::GzipEffort::fast) + last);
  const std::string packed = bytes("x.arc.gz");
  const MemorySource source(packed);
  Reader reader(source);
  Record* record = *reader.next();
  EXPECT_EQ(*record->read_all(6 << 20), "HTTP/1.0 200 OK\n\nhi!" + more);
  record = *reader.next();
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->header().target_uri(), "http://example.com/b");
  const auto findings = reader.take_findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].code, "content-length");

  // Among the bytes another record begins: they are not the first one's.
  put("y.arc.gz", io::gzip_member(begin + more + "\n" + next, io::GzipEffort::fast) + last);
  const std::string two = bytes("y.arc.gz");
  const MemorySource other(two);
  Reader again(other);
  EXPECT_EQ((*again.next())->content_length(), 20u);
}

TEST_F(Recompress, ALargePackedArcRecordWithAWrongLengthIsLeftOut) {
  const std::string head = "HTTP/1.0 200 OK\n\n", body(9 << 20, 'x');
  const std::string line = "http://example.com/a 192.0.2.1 20260102030407 text/html ";
  const std::string large = line + std::to_string(head.size() + body.size()) + "\n" + head + body + " and more\n";
  const std::string next = "http://example.com/b 192.0.2.1 20260102030408 text/html 20\nHTTP/1.0 200 OK\n\nho!\n";
  put("x.arc.gz", io::gzip_member(large, io::GzipEffort::fast) + io::gzip_member(next, io::GzipEffort::fast));
  const auto report = run("x.arc.gz", "y.arc", {.compression = Compression::none, .salvage = true});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->records, 1u);
  EXPECT_EQ(report->left_out, 1u);
  EXPECT_TRUE(bytes("y.arc") == next) << "not the front of a record as if it were the whole";
}

TEST_F(Recompress, ALargePackedRecordWithoutALengthIsLeftOut) {
  const std::string large = "WARC/1.1\r\nWARC-Type: resource\r\n\r\n" + std::string(9 << 20, 'x');
  const std::string small = "WARC/1.1\r\nWARC-Type: resource\r\n\r\nsmall";
  put("x.warc.gz", io::gzip_member(large, io::GzipEffort::fast) + io::gzip_member(small, io::GzipEffort::fast) +
                       record(1, page(1), Compression::fast));
  const auto report = run("x.warc.gz", "y.warc", {.compression = Compression::none, .salvage = true});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->records, 2u);
  EXPECT_EQ(report->left_out, 1u);
}

TEST_F(Recompress, FilesInOneMemberBecomeSound) {
  put("x.warc.gz", io::gzip_member(record(1, page(1)) + record(2, page(2)), io::GzipEffort::fast));
  const auto done = run("x.warc.gz", "y.warc.gz", {});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->records, 2u);
  ASSERT_TRUE(run("y.warc.gz", "y.warc", {.compression = Compression::none}));
  EXPECT_EQ(bytes("y.warc"), record(1, page(1)) + record(2, page(2)));
}

TEST_F(Recompress, ArcRecordsStayArcRecords) {
  const std::string arc =
      "filedesc://x.arc 0.0.0.0 20260102030405 text/plain 76\n1 0 LiveWeb Capture\nURL IP-address Archive-date "
      "Content-type Archive-length\n\nhttp://example.com/ 192.0.2.1 20260102030405 text/html 20\nHTTP/1.0 200 "
      "OK\n\nhi!\n";
  put("x.arc", arc);
  ASSERT_TRUE(run("x.arc", "x.arc.gz", {}));
  const auto done = run("x.arc.gz", "y.arc", {.compression = Compression::none});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(bytes("y.arc"), arc);
}

TEST(ArchiveFile, IsNotThereBeforeItIsWhole) {
  io::MemoryFiles files;
  ASSERT_TRUE(files.make_dirs("/a"));
  {
    auto file = ArchiveFile::create(files, "/a/x.warc", {});
    ASSERT_TRUE(file);
    ASSERT_TRUE((*file)->add(record(1, page(1))));
    ASSERT_TRUE((*file)->finish());
    EXPECT_FALSE(files.exists("/a/x.warc"));
  }
  EXPECT_TRUE(files.list("/a")->empty());
  auto file = ArchiveFile::create(files, "/a/x.warc", {});
  ASSERT_TRUE(file && (*file)->finish());
  EXPECT_EQ(ArchiveFile::create(files, "/a/x.warc", {}).error().code, ErrorCode::conflict) << "two write one file";
  ASSERT_TRUE(files.write_atomically("/a/x.warc", "of somebody else"));
  EXPECT_EQ((*file)->commit().error().code, ErrorCode::conflict);
  EXPECT_EQ(*files.read_all("/a/x.warc"), "of somebody else");
}

}  // namespace
}  // namespace caddis::warc
