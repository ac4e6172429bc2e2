// The records that the yardsticks work on: a sample of those that a crawl wrote, or made ones of a given size.
//
// Plain values; nothing here is measured.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "caddis/base/error.h"

namespace yardsticks {

struct Record {
  std::string header;        // of the WARC record, about as long as the real one
  std::string block;         // as stored
  std::string payload;       // of a response: the body without transfer coding; otherwise empty
  std::string body;          // of an HTML response: the payload without content coding, what links are looked for in
  bool is_response = false;  // an HTTP response: an exchange over the network
  bool is_document = false;  // and not of robots.txt: what a crawl counts
  bool is_coded = false;     // the payload has a content coding, gzip
  bool is_packed = false;    // nothing is gained by compressing the record
};

struct Sample {
  std::vector<Record> records;
  uint64_t documents = 0;
  uint64_t exchanges = 0;
  uint64_t wire_bytes = 0;     // of the exchanges' responses
  uint64_t request_bytes = 0;  // of their requests
  uint64_t raw_bytes = 0;      // of all records
  uint64_t body_bytes = 0;     // of the decoded HTML

  void add(Record record);
};

// From places spread evenly over the files, about `max_bytes` of blocks in all. ErrorCode::not_found where the files
// hold no response.
caddis::Result<Sample> sample_of_files(const std::vector<std::string>& files, uint64_t max_bytes);

struct MadeOptions {
  uint64_t page_size = 20'000;
  uint64_t links = 60;
  double gzip = 0.6;  // share of the pages that come with a content coding
  uint64_t pages = 200;
};
// Pages of exactly that size before coding, each with its request and its metadata (a line a link).
Sample made_sample(const MadeOptions& options);

}  // namespace yardsticks
