// Files of jobs as answers: a folder as a list, a file with ranges. Nothing outside of the job's folder is answered,
// whatever links and dots a path has.
//
// Any thread.
#pragma once

#include <string>
#include <string_view>

#include "caddis/access/identity.h"
#include "caddis/base/error.h"
#include "caddis/engine/job_folder.h"
#include "caddis/http/server.h"
#include "caddis/io/files.h"

namespace caddis::engine {

// The whole path of a file below `folder`, which has to be within `root` after all links. ErrorCode::not_found if it is
// not there, or lies elsewhere.
Result<std::string> confined_path(const std::string& root, const std::string& folder, std::string_view path);
// The role that reading a file needs: the state of a crawl holds secrets, and configurations may hold some. `real_path` has
// no links.
access::Role needed_for(std::string_view real_path);

// The file, or the part that the request asks for; a folder as {"files": […]}. `path` has no links.
Result<http::ServerResponse> answer_file(io::Files& files, const std::string& path, const http::ServerRequest& request);

}  // namespace caddis::engine
