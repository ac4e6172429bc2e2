// Every record of testdata/07-warc, as warcio read it.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/io/digest.h"
#include "caddis/warc/payload.h"
#include "caddis/warc/reader.h"
#include "support/testdata.h"

namespace caddis::warc {
namespace {

using nlohmann::json;

struct Expected {
  std::string file;
  std::vector<json> records;
};

// In the order of the list.
std::vector<Expected> expected_files(const std::string& path) {
  std::vector<Expected> files;
  for (const std::string& line : testing::read_lines(path)) {
    json record = json::parse(line);
    const std::string file = record["file"];
    if (files.empty() || files.back().file != file) files.push_back({file, {}});
    files.back().records.push_back(std::move(record));
  }
  return files;
}

// Where warcio gave up, we read on: its list ends early.
const std::set<std::string> kReadFurther = {
    "warcio__example-bad-non-chunked.warc.gz",  // a whole-file gzip: 6 records in one member
    "warcio__example-bad.warc.gz.bad",          // the same
    "warcio__example-wrong-chunks.warc.gz",     // a record's head and body lie in a member each
    "pywb__example-extra.warc",                 // a record whose HTTP head begins HTTPX/1.1
    "py-wacz__example-warcinfo-metadata.warc",  // a request that holds a response
};

// Lengths that are of no use: warcio's own are negative.
bool has_address(const json& expected) { return expected["length"].get<int64_t>() > 0; }

std::string text(const json& record, const char* name) {
  return record.contains(name) && record[name].is_string() ? record[name].get<std::string>() : std::string();
}

std::string digits(std::string_view date) {
  constexpr size_t kSeconds = 14;
  std::string all;
  for (const char c : date) {
    if (is_digit(c)) all += c;
  }
  return all.substr(0, kSeconds);
}

std::string type_name(const Record& record) {
  return record.is_arc() && record.type() == RecordType::warcinfo ? "arc_header"
                                                                  : std::string(to_string(record.type()));
}

void compare_header(const Record& record, const json& expected) {
  const Header& header = record.header();
  EXPECT_EQ(type_name(record), text(expected, "type"));
  if (type_name(record) == "arc_header") return;  // warcio counts its lines as header, not as block
  EXPECT_EQ(header.target_uri(), text(expected, "target_uri"));
  EXPECT_EQ(header.get("WARC-Record-ID"), text(expected, "record_id"));
  EXPECT_EQ(header.payload_digest(), text(expected, "payload_digest"));
  EXPECT_EQ(header.block_digest(), text(expected, "block_digest"));
  EXPECT_EQ(header.get("WARC-Refers-To"), text(expected, "refers_to"));
  EXPECT_EQ(header.get("WARC-Refers-To-Target-URI"), text(expected, "refers_to_uri"));
  EXPECT_EQ(header.get("WARC-Profile"), text(expected, "profile"));
  EXPECT_EQ(header.content_type(), text(expected, "content_type"));
  EXPECT_EQ(record.content_length(), expected["content_length"].get<uint64_t>());
  if (record.is_arc()) {
    EXPECT_EQ(digits(header.get("WARC-Date")), digits(text(expected, "date")));
  } else {
    EXPECT_EQ(header.get("WARC-Date"), text(expected, "date"));
  }
}

void compare_payload(const Payload& payload, const json& expected) {
  // A request or a head that warcio could not parse has no entry.
  if (expected.contains("raw_payload_len")) {
    EXPECT_EQ(payload.raw.size(), expected["raw_payload_len"].get<size_t>());
    EXPECT_EQ(to_hex(io::sha1(payload.raw)), text(expected, "raw_payload_sha1"));
  }
  // Brotli bodies have none: warcio had no decoder at hand.
  if (expected.contains("decoded_len")) {
    const std::string decoded = decode_payload(payload, 100'000'000);
    EXPECT_EQ(decoded.size(), expected["decoded_len"].get<size_t>());
    EXPECT_EQ(to_hex(io::sha1(decoded)), text(expected, "decoded_sha1"));
  }
  const std::string status = text(expected, "http_status");
  if (!status.empty()) {
    EXPECT_EQ(std::to_string(HttpHead(payload.http_head).status()), status);
  }
}

TEST(Testdata, AllRecordsAgree) {
  CADDIS_TESTDATA_OR_SKIP(list, "07-warc/warcio_records.jsonl");
  CADDIS_TESTDATA_OR_SKIP(folder, "07-warc/files");
  size_t compared = 0;
  for (const Expected& expected : expected_files(list)) {
    SCOPED_TRACE(expected.file);
    const std::string bytes = testing::read_file(folder + "/" + expected.file);
    const MemorySource source(bytes);
    Reader reader(source);
    size_t index = 0;
    for (;; ++index) {
      auto record = reader.next();
      ASSERT_TRUE(record);
      if (*record == nullptr || index >= expected.records.size()) {
        EXPECT_EQ(*record == nullptr, !kReadFurther.contains(expected.file));
        break;
      }
      const json& wanted = expected.records[index];
      SCOPED_TRACE(index);
      EXPECT_EQ((*record)->offset(), wanted["offset"].get<uint64_t>());
      auto payload = read_payload(**record, 1 << 30);
      ASSERT_TRUE(payload) << payload.error().message;
      ASSERT_TRUE((*record)->finish());
      compare_header(**record, wanted);
      if (has_address(wanted)) {
        EXPECT_EQ((*record)->length(), wanted["length"].get<uint64_t>());
      }
      // The body that warcio lost is there.
      if (expected.file == "warcio__example-wrong-chunks.warc.gz") {
        EXPECT_EQ(payload->raw.size(), 1270U);
      } else if (type_name(**record) != "arc_header") {
        compare_payload(*payload, wanted);
      }
      ++compared;
    }
    EXPECT_EQ(index, expected.records.size());
  }
  RecordProperty("records", static_cast<int>(compared));
  EXPECT_GE(compared, 656U);
}

}  // namespace
}  // namespace caddis::warc
