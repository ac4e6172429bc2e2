// The files of an application that webpack has cut into chunks, as its script names them by number:
//
//   n.u = e => "static/js/" + ({12: "about"}[e] || e) + "." + {12: "8f2c", 34: "77e1"}[e] + ".chunk.js"
//
// has static/js/about.8f2c.chunk.js and static/js/34.77e1.chunk.js. Internal to extract; pure, any thread, linear time.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace caddis::extract {

// Calls `take` for each script and style sheet that is named so, until it returns false. Names over `longest` bytes are
// left out.
void each_chunk_name(std::string_view script, size_t longest, const std::function<bool(const std::string&)>& take);

}  // namespace caddis::extract
