#include "caddis/replay/text_lines.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/html/tokenizer.h"

namespace caddis::replay {
namespace {

constexpr size_t kLongLine = 240;      // from here on a line is broken where it can be,
constexpr size_t kLongestLine = 1000;  // and here wherever it is

// Elements that go on within a line.
constexpr std::string_view kInline[] = {"a",    "abbr", "b", "bdi",  "bdo",   "cite",  "code",   "data",   "del", "dfn",
                                        "em",   "font", "i", "ins",  "kbd",   "label", "mark",   "nobr",   "q",   "rp",
                                        "rt",   "ruby", "s", "samp", "small", "span",  "strike", "strong", "sub", "sup",
                                        "time", "tt",   "u", "var",  "wbr",   "img",   "input",  "svg",    "path"};

class LineWriter {
 public:
  void add(std::string_view text) {
    for (const char c : text) {
      if (is_space(c)) {
        blank_ = !line_.empty();
        continue;
      }
      if (blank_) line_ += ' ';
      blank_ = false;
      line_ += c;
    }
  }
  void end_line() {
    if (!line_.empty()) lines_.push_back(std::move(line_));
    line_.clear();
    blank_ = false;
  }
  std::vector<std::string> take() {
    end_line();
    return std::move(lines_);
  }

 private:
  std::string line_;
  bool blank_ = false;
  std::vector<std::string> lines_;
};

bool is_inline(std::string_view name) { return std::ranges::find(kInline, name) != std::end(kInline); }

}  // namespace

std::vector<std::string> text_of_html(std::string_view html) {
  html::Tokenizer tokenizer(html);
  html::Token token;
  LineWriter writer;
  std::string text;
  while (tokenizer.next(token)) {
    using Kind = html::Token::Kind;
    if (token.kind == Kind::text) {
      if (token.model == html::ContentModel::script || token.model == html::ContentModel::rawtext) continue;
      text.clear();
      html::append_text(text, token);
      writer.add(text);
    } else if (token.kind == Kind::start_tag || token.kind == Kind::end_tag) {
      if (!is_inline(token.name)) writer.end_line();
      if (token.kind == Kind::end_tag || token.name != "img") continue;
      if (const html::Attribute* const alt = token.find("alt"); alt != nullptr && !alt->value.empty())
        writer.add(" [" + std::string(alt->value) + "] ");
    }
  }
  return writer.take();
}

std::vector<std::string> lines_of_source(std::string_view text) {
  std::vector<std::string> lines;
  for (std::string_view line : split(text, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    while (line.size() > kLongLine) {
      const size_t mark = line.find_first_of(">;}", kLongLine);
      size_t end = std::min({mark == std::string_view::npos ? line.size() : mark + 1, kLongestLine, line.size()});
      // Not within a character.
      while (end < line.size() && end > kLongLine && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
      if (end == line.size()) break;
      lines.emplace_back(line.substr(0, end));
      line.remove_prefix(end);
    }
    lines.emplace_back(line);
  }
  return lines;
}

}  // namespace caddis::replay
