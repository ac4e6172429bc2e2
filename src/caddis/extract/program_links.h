// Questions to a program of others that finds links, and its answers (docs/programs.md).
//
// Pure functions; any thread. Nothing that a program answers is believed: links are judged like those of any document.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/extract/extract.h"

namespace caddis::extract {

struct ProgramQuestion {
  std::string_view url;           // of the document
  std::string_view via;           // the page that refers to it; may be empty
  std::string_view content_type;  // may be empty
  std::string_view file;          // where the program finds the document
};

// Returns one line of JSON, with its line end.
std::string program_question(const ProgramQuestion& question);

// `command` with the question's URL and file in place of its words "{url}" and "{file}".
std::vector<std::string> program_command(const std::vector<std::string>& command, const ProgramQuestion& question);

struct ProgramLink {
  std::string url;  // absolute, or relative to the document
  Hop hop = Hop::embed;
  std::string context;
  bool operator==(const ProgramLink&) const = default;
};

struct ProgramAnswer {
  std::vector<ProgramLink> links;
  bool is_of_yt_dlp = false;  // it has an object of yt-dlp
  bool is_of_lines = false;   // it is a JSON document a line
};

// Returns what an answer says: JSON with a list of links, an object of yt-dlp, or one of these a line. No text at all
// is no link. Of renditions of one film `best` takes those that yt-dlp would. At most `most` links, the first ones.
// ErrorCode::parse if it is none of these.
Result<ProgramAnswer> parse_program_answer(std::string_view answer, Renditions renditions, size_t most);

}  // namespace caddis::extract
