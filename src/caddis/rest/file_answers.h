// Answers with files and folders: parts of them by Range (RFC 9110 section 14), pages of lines as Heritrix gives them
// (`format=paged`), folders as lists of links.
//
// Any thread; calls wait for the disk.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/http/server.h"
#include "caddis/io/files.h"
#include "caddis/rest/job_files.h"

namespace caddis::rest {

struct ByteRange {
  uint64_t first = 0, last = 0;  // both included
  bool operator==(const ByteRange&) const = default;
};

// The one range that a header names, within `size`. Nothing: there is no such header, or one that may be left out of
// account (several ranges, another unit). ErrorCode::limit if nothing of it is in the file (416).
Result<std::optional<ByteRange>> read_range(std::string_view header, uint64_t size);

// `path`: on disk.
Result<http::ServerResponse> file_response(io::Files& files, const std::string& path, std::string_view range);

// Lines of a file from a place on: `lines` of them, or that many before it if it is negative; a negative place counts
// from the end (-1: the end). A page reads 4 MiB at most.
struct PageQuery {
  int64_t position = 0, lines = 128;
  bool is_reversed = false;
  // Reads the query of a request; nothing if it asks for no page.
  static std::optional<PageQuery> of(std::string_view query);
};
Result<http::ServerResponse> page_response(io::Files& files, const std::string& path, const PageQuery& query);

// `url`: of the folder.
http::ServerResponse folder_response(const std::vector<JobFiles::Entry>& entries, std::string_view url, bool is_html);

}  // namespace caddis::rest
