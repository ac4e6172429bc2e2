// Conditions on records, copies of those that match, payloads as files, statistics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "caddis/inspect/copy_matching.h"
#include "caddis/inspect/extract_payloads.h"
#include "caddis/inspect/file_names.h"
#include "caddis/inspect/record_filter.h"
#include "caddis/inspect/statistics.h"
#include "caddis/io/digest.h"
#include "caddis/io/memory_files.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/writer.h"

namespace caddis::inspect {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using warc::RecordFields;

std::string id(int number) { return "<urn:x:" + std::to_string(number) + ">"; }

std::string packed(const RecordFields& fields, std::string_view block) {
  std::string out;
  warc::append_record(out, fields, {block}, warc::Compression::fast);
  return out;
}

std::string response(int number, std::string_view url, std::string_view date, std::string_view head,
                     std::string_view body) {
  auto fields = RecordFields::response(id(number), date, url);
  fields.content_type(warc::kHttpResponse).payload_digest(io::digest_label(io::sha1(body))).warcinfo_id(id(1));
  return packed(fields, std::string(head) + "\r\n\r\n" + std::string(body));
}

constexpr std::string_view kHtml = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nServer: Apache";
constexpr std::string_view kMissing = "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain";

class Inspect : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(files_.make_dirs("/a"));
    const std::string file =
        packed(RecordFields::warcinfo(id(1), "2026-01-01T00:00:00Z", "x.warc.gz"), "software: x\r\n") +
        response(2, "http://example.com/", "2026-01-02T00:00:00Z", kHtml, "<html>") +
        packed(RecordFields::request(id(3), "2026-01-02T00:00:00Z", "http://example.com/", id(2))
                   .content_type(warc::kHttpRequest),
               "GET / HTTP/1.1\r\n\r\n") +
        response(4, "http://example.com/gone", "2026-02-02T00:00:00Z", kMissing, "gone") +
        response(5, "http://other.org/", "2026-03-02T00:00:00Z", kHtml, "<html>") +
        packed(RecordFields::resource(id(6), "2026-03-02T00:00:00Z", "dns:other.org", "text/dns"), "x");
    ASSERT_TRUE(files_.write_atomically("/a/x.warc.gz", file));
  }

  // The ids of the records that are copied.
  std::vector<std::string> copied(const FilterOptions& conditions, bool with_concurrent = false) {
    auto filter = RecordFilter::create(conditions);
    EXPECT_TRUE(filter) << filter.error().message;
    auto out = warc::ArchiveFile::create(files_, "/a/out.warc", {.compression = warc::Compression::none});
    EXPECT_TRUE(out);
    CopyOptions options;
    options.with_concurrent = with_concurrent;
    options.report = [](const std::string&, const warc::Finding& finding) { ADD_FAILURE() << finding.message; };
    EXPECT_TRUE(copy_matching(files_, {"/a/x.warc.gz"}, *filter, **out, options));
    EXPECT_TRUE((*out)->finish());
    const std::string bytes = *files_.read_all((*out)->part());
    const warc::MemorySource source(bytes);
    warc::Reader reader(source);
    std::vector<std::string> ids;
    while (auto* record = *reader.next()) ids.emplace_back(record->header().id());
    return ids;
  }

  io::MemoryFiles files_;
};

TEST_F(Inspect, ConditionsMeetInARecord) {
  EXPECT_THAT(copied({.types = {"response"}}), ElementsAre("urn:x:2", "urn:x:4", "urn:x:5"));
  EXPECT_THAT(copied({.types = {"request", "warcinfo"}}), ElementsAre("urn:x:1", "urn:x:3"));
  EXPECT_THAT(copied({.urls = {"^http://other\\."}}), ElementsAre("urn:x:5"));
  EXPECT_THAT(copied({.statuses = {"4xx"}}), ElementsAre("urn:x:4"));
  EXPECT_THAT(copied({.statuses = {"200-299"}}), ElementsAre("urn:x:2", "urn:x:5"));
  EXPECT_THAT(copied({.mimes = {"text/html"}}), ElementsAre("urn:x:2", "urn:x:5"));
  EXPECT_THAT(copied({.types = {"response"}, .mimes = {"text/*"}, .from = "202602", .to = "202602"}),
              ElementsAre("urn:x:4"));
  EXPECT_THAT(copied({.headers = {"server: ^Apache$"}}), ElementsAre("urn:x:2", "urn:x:5"));
  EXPECT_THAT(copied({.headers = {"WARC-Record-ID: x:6"}}), ElementsAre("urn:x:6"));
  EXPECT_THAT(copied({.types = {"response"}, .inverted = true}), ElementsAre("urn:x:1", "urn:x:3", "urn:x:6"));
}

TEST_F(Inspect, WhatBelongsToARecordGoesAlong) {
  EXPECT_THAT(copied({.types = {"response"}, .urls = {"example.com/$"}}, true),
              ElementsAre("urn:x:1", "urn:x:2", "urn:x:3"));
  EXPECT_THAT(copied({.types = {"request"}}, true), ElementsAre("urn:x:2", "urn:x:3"));
}

TEST(RecordFilter, SaysWhatItDoesNotUnderstand) {
  for (const FilterOptions& wrong :
       {FilterOptions{.urls = {"("}}, FilterOptions{.statuses = {"ok"}}, FilterOptions{.statuses = {"300-200"}},
        FilterOptions{.from = "yesterday"}, FilterOptions{.headers = {"no colon"}}}) {
    const auto filter = RecordFilter::create(wrong);
    ASSERT_FALSE(filter);
  }
}

TEST_F(Inspect, PayloadsBecomeFiles) {
  const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip";
  const std::string gzip = io::gzip_member("packed", io::GzipEffort::small);
  char size[16];
  std::snprintf(size, sizeof size, "%zx\r\n", gzip.size());
  ASSERT_TRUE(files_.write_atomically(
      "/a/y.warc.gz",
      response(1, "http://example.com/a", "2026-01-02T00:00:00Z", kHtml, "first") +
          response(2, "http://example.com/a/b?q=1", "2026-01-02T00:00:00Z", kHtml, "below a file") +
          response(3, "http://example.com/a", "2026-01-03T00:00:00Z", kHtml, "second") +
          response(4, "http://example.com/../../../etc/passwd", "2026-01-03T00:00:00Z", kHtml, "escape") +
          packed(RecordFields::response(id(5), "2026-01-03T00:00:00Z", "http://example.com/z")
                     .content_type(warc::kHttpResponse),
                 chunked + "\r\n\r\n" + size + gzip + "\r\n0\r\n\r\n")));
  std::vector<std::string> names;
  ExtractOptions options;
  options.folder = "/out";
  options.decode = true;
  options.written = [&](const std::string& name, const warc::Header&) { names.push_back(name); };
  options.report = [](const warc::Finding& finding) { ADD_FAILURE() << finding.message; };
  const auto report = extract_payloads(files_, "/a/y.warc.gz", *RecordFilter::create({}), options);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->files, 5u);
  EXPECT_THAT(names, ElementsAre("example.com/a", "example.com/a~/b@q=1", "example.com/a~20260103000000",
                                 "example.com/%2E%2E/%2E%2E/%2E%2E/etc/passwd", "example.com/z"));
  EXPECT_EQ(*files_.read_all("/out/example.com/a"), "first");
  EXPECT_EQ(*files_.read_all("/out/example.com/a~20260103000000"), "second");
  EXPECT_EQ(*files_.read_all("/out/example.com/z"), "packed");
}

TEST_F(Inspect, PayloadsThatDecodeToTooMuchAreLeftOut) {
  const std::string gzip = io::gzip_member(std::string(100'000, 'x'), io::GzipEffort::small);
  ASSERT_TRUE(
      files_.write_atomically("/a/y.warc.gz", response(1, "http://example.com/a", "2026-01-02T00:00:00Z",
                                                       std::string(kHtml) + "\r\nContent-Encoding: gzip", gzip)));
  std::vector<std::string> told;
  ExtractOptions options;
  options.folder = "/out";
  options.decode = true;
  options.max_decoded = 99'999;
  options.written = [](const std::string&, const warc::Header&) {};
  options.report = [&](const warc::Finding& finding) { told.push_back(finding.code); };
  const auto report = extract_payloads(files_, "/a/y.warc.gz", *RecordFilter::create({}), options);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->files, 0u);
  EXPECT_EQ(report->left_out, 1u);
  EXPECT_THAT(told, ElementsAre("decode-limit"));
  EXPECT_THAT(*files_.list("/out/example.com"), IsEmpty());
  options.max_decoded = 100'000;
  EXPECT_EQ(extract_payloads(files_, "/a/y.warc.gz", *RecordFilter::create({}), options)->files, 1u);
}

TEST(FileNames, StayInTheirFolder) {
  EXPECT_EQ(file_name_of("https://user:pw@example.org:8080/a/b.html?x=1#f"), "example.org_8080/a/b.html@x=1");
  EXPECT_EQ(file_name_of("http://example.org"), "example.org/index.html");
  EXPECT_EQ(file_name_of("http://example.org/d/"), "example.org/d/index.html");
  EXPECT_EQ(file_name_of("http://example.org/d/?a=/../b"), "example.org/d/index.html@a=%2F..%2Fb");
  EXPECT_EQ(file_name_of("dns:example.org"), "dns_example.org");
  EXPECT_EQ(file_name_of("http://../../x"), "%2E%2E/%2E%2E/x");
  EXPECT_EQ(file_name_of("/etc/passwd"), "_/etc/passwd");
  EXPECT_EQ(file_name_of(""), "_");
  for (const std::string& url : {"http://a/" + std::string(5000, 'x'), "http://a/" + std::string(3000, '/') + "x",
                                 "http://" + std::string(300, 'h') + "/", std::string("http://a/b\0c\\d:e", 16)}) {
    const std::string name = file_name_of(url);
    EXPECT_LE(name.size(), 2000u);
    EXPECT_EQ(name.find_first_of(std::string_view("\0\\:*?\"<>|", 9)), std::string::npos) << name;
    EXPECT_FALSE(name.starts_with('/'));
  }
}

TEST_F(Inspect, StatisticsCountAndTellWhatRepeats) {
  const std::string bytes = *files_.read_all("/a/x.warc.gz");
  ArchiveStatistics one, twice;
  EXPECT_EQ(*one.add_file(warc::MemorySource(bytes)), 0u);
  EXPECT_EQ(one.all().records, 6u);
  EXPECT_EQ(one.all().stored, bytes.size());
  EXPECT_EQ(one.types().at("response").records, 3u);
  EXPECT_EQ(one.statuses().at("200").records, 2u);
  EXPECT_EQ(one.mimes().at("text/html").records, 2u);
  EXPECT_EQ(one.hosts().at("example.com").records, 2u);
  EXPECT_EQ(one.repeated().records, 1u) << "the same page of two hosts";
  twice += one;
  twice += one;
  EXPECT_EQ(twice.all().records, 12u);
  EXPECT_EQ(twice.repeated().records, 4u);
}

}  // namespace
}  // namespace caddis::inspect
