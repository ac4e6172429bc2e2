// One line of a log in JSON lines: the members of its object (docs/formats/logs.md), without building a tree.
//
// Views into the line that was parsed, which has to stay. Any thread; a JsonLine that is used again allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caddis::logs {

class JsonLine {
 public:
  // Deeper ones are no lines of a log.
  static constexpr size_t kMaxDepth = 64;

  struct Member {
    std::string_view name;   // as it is written, without quotes
    std::string_view value;  // JSON text: a string with its quotes
  };

  // Returns false if the text is no single JSON object. Numbers and words are taken as they come.
  bool parse(std::string_view text);

  const std::vector<Member>& members() const { return members_; }
  // The JSON text of a member; empty if there is none. Of several the first.
  std::string_view raw(std::string_view name) const;
  // A text without quotes and escapes, which are undone in `room`; any other value as it is written. Empty if there is
  // none.
  std::string_view text(std::string_view name, std::string& room) const;
  // The same, owned.
  std::string copy(std::string_view name) const;
  // A whole number.
  std::optional<int64_t> number(std::string_view name) const;
  // The first line of a log, and the first one behind a resume.
  bool is_header() const { return !raw("log").empty(); }

 private:
  std::vector<Member> members_;
};

// A JSON text as what it stands for: a string without quotes and escapes, anything else as it is.
std::string_view json_text_of(std::string_view raw, std::string& room);

// The elements of an array, each as by json_text_of; none if it is no array.
std::vector<std::string> json_texts_of(std::string_view raw);

// The outcome of a line: its number in crawl.log. HTTP's own, or that of the word; of a look-up that was answered
// status::kDnsOk. Nothing if the line has none.
std::optional<int> status_of(const JsonLine& line);

}  // namespace caddis::logs
