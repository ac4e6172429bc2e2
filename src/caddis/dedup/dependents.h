// Captures that are lost with archive files: revisits elsewhere in the collection whose payloads lie in them.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"
#include "caddis/io/files.h"
#include "caddis/warc/reader.h"

namespace caddis::dedup {

struct Dependent {
  cdx::Capture revisit;       // its line in the index
  std::string original_url;   // as the revisit says; empty if it does not
  std::string original_date;  // 14 digits, or empty
  bool payload_elsewhere;     // another file of the collection has a response with this payload
};

// One thread. Memory grows with what is in the archive files, not with the collection.
class DependentSearch {
 public:
  DependentSearch(io::Files& files, std::string collection) : files_(files), collection_(std::move(collection)) {}

  // A file that is, or may be, lost.
  Result<void> add_archive(const std::string& path);
  // Gives all revisits of the collection's indexes that need one of them. One that does not tell its original needs
  // them if no other file has its payload. Returns how many could not be read.
  Result<uint64_t> find(const std::function<Result<void>(const Dependent& dependent)>& use);

 private:
  void remember(const warc::Record& record, std::string_view digest);
  Result<void> note_elsewhere(const cdx::Capture& capture);
  Result<void> judge(const cdx::Capture& capture, const std::function<Result<void>(const Dependent&)>& use);
  bool is_of_archive(const cdx::Capture& capture) const;
  Result<std::unique_ptr<io::File>> open_archive(const std::string& name) const;

  io::Files& files_;
  const std::string collection_;
  std::set<std::string, std::less<>> archives_;  // names without folders
  std::set<std::string, std::less<>> digests_;   // raw, of responses in them
  std::set<std::string, std::less<>> ids_;       // of these records
  std::set<std::string, std::less<>> captures_;  // "timestamp url"
  std::set<std::string, std::less<>> elsewhere_;
  uint64_t unread_ = 0;
};

}  // namespace caddis::dedup
