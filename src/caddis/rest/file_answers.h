// Answers as Heritrix gives them with pages of lines (`format=paged`) and folders as lists of links. Files as a whole, and
// parts of them, are the engine's affair (engine/file_answer.h).
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
