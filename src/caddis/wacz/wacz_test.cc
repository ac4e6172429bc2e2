// Packages made, held against the specification, changed, unpacked, and read as a file system.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "caddis/base/clock.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/cdx/query_run.h"
#include "caddis/io/gzip.h"
#include "caddis/io/memory_files.h"
#include "caddis/wacz/create.h"
#include "caddis/wacz/datapackage.h"
#include "caddis/wacz/extract.h"
#include "caddis/wacz/gather.h"
#include "caddis/wacz/package.h"
#include "caddis/wacz/package_files.h"
#include "caddis/wacz/signature.h"
#include "caddis/wacz/validate.h"
#include "caddis/wacz/zip_writer.h"

namespace caddis::wacz {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

std::string http_record(std::string_view type, std::string_view url, std::string_view date, std::string_view more,
                        std::string_view http, int id) {
  return "WARC/1.1\r\nWARC-Type: " + std::string(type) + "\r\nWARC-Record-ID: <urn:uuid:" + std::to_string(id) +
         ">\r\nWARC-Target-URI: " + std::string(url) + "\r\nWARC-Date: " + std::string(date) +
         "\r\nContent-Type: application/http;msgtype=response\r\n" + std::string(more) +
         "Content-Length: " + std::to_string(http.size()) + "\r\n\r\n" + std::string(http) + "\r\n\r\n";
}

class WaczTest : public ::testing::Test {
 protected:
  void put(const std::string& path, std::string_view bytes) {
    ASSERT_TRUE(files.make_dirs(io::parent_path(path)));
    ASSERT_TRUE(files.write_atomically(path, bytes));
  }
  void page(std::string_view url, std::string_view date, std::string_view body) {
    const std::string http =
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
        std::string(body);
    warc += io::gzip_member(http_record("response", url, date,
                                        "WARC-Payload-Digest: sha1:AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHH\r\n", http, ++id),
                            io::GzipEffort::small);
  }
  CreateReport create(const std::string& output, const SigningKey* key = nullptr) {
    CreateOptions options;
    options.title = "A \"title\"";
    options.software = "test";
    options.key = key;
    options.now = *parse_timestamp("20260102030405");
    const auto report = create_package(files, {{"a.warc.gz", "c/archive/a.warc.gz"}}, output, options);
    EXPECT_TRUE(report) << report.error().message;
    return report.value_or(CreateReport());
  }
  ValidationReport validate(const std::string& path) {
    const auto report = validate_package(files, path);
    EXPECT_TRUE(report) << report.error().message;
    return report.value_or(ValidationReport());
  }
  // Writes a package that differs from another one in one entry.
  void change(const std::string& from, const std::string& to, const std::string& name,
              const std::function<std::string(std::string)>& edit) {
    const auto package = Package::open(files, from);
    ASSERT_TRUE(package);
    const auto zip = ZipWriter::create(files, to, WallTime());
    ASSERT_TRUE(zip);
    for (const PackedFile& entry : (*package)->entries()) {
      const auto bytes = (*package)->read(entry.name, 1 << 20);
      ASSERT_TRUE(bytes);
      ASSERT_TRUE((*zip)->add(entry.name, entry.name == name ? edit(*bytes) : *bytes));
    }
    ASSERT_TRUE((*zip)->finish());
  }

  io::MemoryFiles files;
  ManualClock clock;
  std::string warc;
  int id = 0;
};

TEST_F(WaczTest, WhatIsMadeIsValid) {
  for (int i = 0; i < 2500; ++i) page("http://example.org/" + std::to_string(i), "2026-01-01T00:00:00Z", "x");
  put("c/archive/a.warc.gz", warc);
  const CreateReport made = create("o/a.wacz");
  EXPECT_EQ(made.captures, 2500U);
  EXPECT_EQ(made.pages, 2500U);
  const ValidationReport report = validate("o/a.wacz");
  EXPECT_TRUE(report.is_valid()) << report.faults.front();
  EXPECT_EQ(report.captures, 2500U);
  EXPECT_EQ(report.pages, 2500U);
  EXPECT_EQ(report.resources, 4U);
  EXPECT_EQ(report.signer, "");
  // No other file is left beside it.
  EXPECT_EQ(files.list("o")->size(), 1U);
  const auto package = Package::open(files, "o/a.wacz");
  ASSERT_TRUE(package);
  const auto described = parse_datapackage(*(*package)->read(kDataPackage, 1 << 20));
  ASSERT_TRUE(described);
  EXPECT_EQ(described->title, "A \"title\"");
  EXPECT_EQ(described->version, "1.1.1");
  EXPECT_EQ(described->created, "2026-01-02T03:04:05Z");
  EXPECT_EQ(create_package(files, {{"a.warc.gz", "c/archive/a.warc.gz"}}, "o/a.wacz", {}).error().code,
            ErrorCode::conflict);
}

TEST_F(WaczTest, NamesAreThoseThatOthersTake) {
  page("http://example.org/", "2026-01-01T00:00:00Z", "x");
  put("c/archive/WEB-1 (2).warc.gz", warc);
  ASSERT_TRUE(create_package(files, {{"WEB-1 (2).warc.gz", "c/archive/WEB-1 (2).warc.gz"}}, "o/a.wacz", {}));
  const auto package = Package::open(files, "o/a.wacz");
  ASSERT_TRUE(package);
  const std::string described = *(*package)->read(kDataPackage, 1 << 20);
  EXPECT_NE(described.find(R"("name":"web-1--2-.warc.gz","path":"archive/WEB-1 (2).warc.gz")"), std::string::npos)
      << described;
  EXPECT_TRUE(validate("o/a.wacz").remarks.empty());
  EXPECT_FALSE(is_resource_name("WEB-1.warc.gz"));
}

TEST_F(WaczTest, SignaturesHoldAndBreak) {
  page("http://example.org/", "2026-01-01T00:00:00Z", "x");
  put("c/archive/a.warc.gz", warc);
  const auto key = SigningKey::open(files, "keys/k.pem", true);
  ASSERT_TRUE(key) << key.error().message;
  const auto again = SigningKey::open(files, "keys/k.pem", true);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->public_key(), key->public_key());
  EXPECT_TRUE(check_signature("text", key->sign("text"), key->public_key()));
  EXPECT_EQ(check_signature("other", key->sign("text"), key->public_key()).error().code, ErrorCode::denied);
  EXPECT_FALSE(check_signature("text", "AAAA", key->public_key()));
  EXPECT_FALSE(check_signature("text", key->sign("text"), "AAAA"));
  create("a.wacz", &*key);
  const ValidationReport report = validate("a.wacz");
  EXPECT_TRUE(report.is_valid()) << report.faults.front();
  EXPECT_EQ(report.signer, "the key " + key->public_key());
  // Another key cannot say that it has signed this.
  const auto other = SigningKey::open(files, "keys/other.pem", true);
  change("a.wacz", "b.wacz", std::string(kDataPackageDigest), [&](std::string text) {
    const size_t at = text.find(key->public_key());
    return text.replace(at, key->public_key().size(), other->public_key());
  });
  EXPECT_THAT(validate("b.wacz").faults, Contains(HasSubstr("the signature is not one of this package")));
  put("keys/none.pem", "no key");
  EXPECT_EQ(SigningKey::open(files, "keys/none.pem", true).error().code, ErrorCode::config);
}

TEST_F(WaczTest, EachChangeIsAFault) {
  page("http://example.org/", "2026-01-01T00:00:00Z", "x");
  put("c/archive/a.warc.gz", warc);
  create("a.wacz");
  int number = 0;
  const auto faults_of = [&](std::string_view name, const std::function<std::string(std::string)>& edit) {
    const std::string to = "changed" + std::to_string(++number) + ".wacz";
    change("a.wacz", to, std::string(name), edit);
    return validate(to).faults;
  };
  const auto flip = [](std::string bytes) {
    bytes[bytes.size() / 2] ^= 1;
    return bytes;
  };
  EXPECT_THAT(faults_of("archive/a.warc.gz", flip), Contains(HasSubstr("archive/a.warc.gz is not what it was")));
  EXPECT_THAT(faults_of("archive/a.warc.gz", [](std::string) { return std::string("x"); }),
              Contains(HasSubstr("a place outside of a.warc.gz")));
  EXPECT_THAT(faults_of(kDataPackage, [](std::string text) { return text + " "; }),
              Contains(HasSubstr("datapackage.json is not what it was")));
  EXPECT_THAT(faults_of(kDataPackage, [](std::string) { return std::string("[]"); }),
              Contains(HasSubstr("no JSON object")));
  EXPECT_THAT(faults_of(kPages, [](std::string) { return std::string("{\"title\": 1}\n"); }),
              Contains(HasSubstr("pages/pages.jsonl:1")));
  EXPECT_THAT(faults_of(kIndexOfIndex,
                        [](std::string text) { return text.replace(text.find("\"offset\": 0"), 11, "\"offset\": 3"); }),
              Contains(HasSubstr("index.idx is not what it was")));
  EXPECT_THAT(faults_of(kIndex, flip), Contains(HasSubstr("indexes/index.cdx.gz")));
  EXPECT_FALSE(validate_package(files, "c/archive/a.warc.gz"));
}

TEST_F(WaczTest, IsReadAsAFileSystemAndUnpacked) {
  for (int i = 0; i < 3000; ++i) page("http://example.org/" + std::to_string(i), "2026-01-01T00:00:00Z", "x");
  put("c/archive/a.warc.gz", warc);
  create("o/a.wacz");
  const auto inside = PackageFiles::open(files, "o/a.wacz");
  ASSERT_TRUE(inside) << inside.error().message;
  EXPECT_TRUE((*inside)->is_directory("o/a.wacz/archive"));
  EXPECT_TRUE((*inside)->exists("o/a.wacz/indexes/index.cdxj"));
  EXPECT_FALSE((*inside)->exists("o/a.wacz/indexes/none"));
  EXPECT_FALSE((*inside)->exists("c/archive/a.warc.gz"));
  EXPECT_EQ((*inside)->read_all("o/a.wacz/archive/a.warc.gz").value_or(""), warc);
  EXPECT_FALSE((*inside)->open_append("o/a.wacz/x"));
  // Searched in its packed index.
  cdx::CaptureIndex index(**inside, clock, "o/a.wacz");
  for (const char* url : {"http://example.org/0", "http://example.org/1234", "http://example.org/999"}) {
    const auto found = index.captures_of(url)->closest("2026", 5);
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(found->size(), 1U) << url;
    EXPECT_EQ(found->front().url, url);
  }
  EXPECT_TRUE(index.problems().empty());
  const auto unpacked = extract_package(files, "o/a.wacz", "u");
  ASSERT_TRUE(unpacked) << unpacked.error().message;
  EXPECT_EQ(unpacked->files, 6U);
  EXPECT_EQ(files.read_all("u/archive/a.warc.gz").value_or(""), warc);
  EXPECT_EQ(files.read_all("u/indexes/index.cdxj").value_or(""), *(*inside)->read_all("o/a.wacz/indexes/index.cdxj"));
  EXPECT_EQ(extract_package(files, "o/a.wacz", "u").error().code, ErrorCode::conflict);
}

TEST_F(WaczTest, AQueryTakesItsRevisitsOriginals) {
  page("http://example.org/first", "2026-01-01T00:00:00Z", "body");
  page("http://other.org/", "2026-01-01T00:00:00Z", "other");
  warc += io::gzip_member(
      http_record("revisit", "http://example.com/again", "2026-02-01T00:00:00Z",
                  "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n"
                  "WARC-Refers-To-Target-URI: http://example.org/first\r\nWARC-Refers-To-Date: 2026-01-01T00:00:00Z\r\n"
                  "WARC-Payload-Digest: sha1:AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHH\r\n",
                  "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", ++id),
      io::GzipEffort::small);
  put("c/archive/a.warc.gz", warc);
  create("c.wacz");
  ASSERT_TRUE(extract_package(files, "c.wacz", "d"));
  cdx::Query query;
  query.url = "http://example.com/again";
  const auto copied = copy_captures(files, clock, "d", query, "q.warc.gz");
  ASSERT_TRUE(copied) << copied.error().message;
  EXPECT_EQ(copied->captures, 1U);
  EXPECT_EQ(copied->originals, 1U);
  EXPECT_TRUE(copied->remarks.empty()) << copied->remarks.front();
  const auto report = create_package(files, {{"data.warc.gz", "q.warc.gz"}}, "q.wacz", {});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->captures, 2U);
  EXPECT_TRUE(validate("q.wacz").is_valid());
  query.url = "http://none.org/";
  EXPECT_EQ(copy_captures(files, clock, "d", query, "r.warc.gz").error().code, ErrorCode::not_found);
}

TEST_F(WaczTest, WhatCannotBePackedIsRefused) {
  put("c/archive/a.arc.gz", "x");
  put("c/archive/b.warc.gz.open", "x");
  const auto gathered = gather_collection(files, "c", "");
  ASSERT_TRUE(gathered);
  EXPECT_TRUE(gathered->archives.empty());
  EXPECT_EQ(gathered->remarks.size(), 2U);
  EXPECT_EQ(create_package(files, gathered->archives, "a.wacz", {}).error().code, ErrorCode::not_found);
  EXPECT_EQ(create_package(files, {{"a.warc.zst", "c/archive/a.arc.gz"}}, "a.wacz", {}).error().code,
            ErrorCode::unsupported);
  EXPECT_FALSE(files.exists("a.wacz.tmp"));
}

}  // namespace
}  // namespace caddis::wacz
