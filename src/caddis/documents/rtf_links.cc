// One pass over the bytes. A group that begins a field's instruction (\fldinst) or a shape's link (\hlsrc) is read as
// text up to its own end, groups within it included; everything else only counts braces.
#include "caddis/documents/rtf_links.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"
#include "caddis/documents/fields.h"

namespace caddis::documents {
namespace {

constexpr size_t kLongestText = 64 * 1024;  // of one field

class RtfReader {
 public:
  RtfReader(std::string_view bytes, LinkCollector& links) : bytes_(bytes), links_(links) {}

  void read() {
    while (at_ < bytes_.size()) {
      const char c = bytes_[at_++];
      if (c == '{')
        open();
      else if (c == '}')
        close();
      else if (c == '\\')
        read_control();
      else if (c != '\r' && c != '\n')
        put(static_cast<unsigned char>(c));
    }
    if (depth_ > 0) links_.set_problem("it ends within a group");
  }

 private:
  void open() {
    ++depth_;
    to_skip_ = 0;
  }

  void close() {
    if (depth_ > 0) --depth_;
    to_skip_ = 0;
    if (reads_text_ && depth_ < text_depth_) end_text();
  }

  void begin_text(bool is_field) {
    if (reads_text_) return;
    reads_text_ = true;
    is_field_ = is_field;
    text_depth_ = depth_;
    text_.clear();
  }

  void end_text() {
    reads_text_ = false;
    if (is_field_)
      read_field(text_, links_);
    else
      links_.add(text_, LinkKind::navigation);
  }

  // A character, unless it stands for a Unicode one before it.
  void put(char32_t character) {
    if (to_skip_ > 0) {
      --to_skip_;
      return;
    }
    if (reads_text_ && text_.size() < kLongestText) append_utf8(text_, character);
  }

  void read_control() {
    if (at_ >= bytes_.size()) return;
    const char c = bytes_[at_];
    if (!is_alpha(c)) return read_symbol(c);
    const size_t begin = at_;
    while (at_ < bytes_.size() && is_alpha(bytes_[at_])) ++at_;
    const std::string_view word = bytes_.substr(begin, at_ - begin);
    const int64_t number = read_number();
    if (at_ < bytes_.size() && bytes_[at_] == ' ') ++at_;
    apply(word, number);
  }

  void read_symbol(char c) {
    ++at_;
    if (c == '\'') {
      const int high = at_ < bytes_.size() ? hex_value(bytes_[at_]) : -1;
      const int low = at_ + 1 < bytes_.size() ? hex_value(bytes_[at_ + 1]) : -1;
      if (high < 0 || low < 0) return;
      at_ += 2;
      put(static_cast<char32_t>(16 * high + low));
    } else if (c == '\\' || c == '{' || c == '}') {
      put(static_cast<unsigned char>(c));
    } else if (c == '~') {
      put(' ');
    }
  }

  // The number behind a control word; -1 if there is none.
  int64_t read_number() {
    const size_t begin = at_;
    if (at_ < bytes_.size() && bytes_[at_] == '-') ++at_;
    while (at_ < bytes_.size() && is_digit(bytes_[at_]) && at_ - begin < 12) ++at_;
    return parse_int(bytes_.substr(begin, at_ - begin)).value_or(-1);
  }

  void apply(std::string_view word, int64_t number) {
    if (word == "fldinst") {
      begin_text(true);
    } else if (word == "hlsrc") {
      begin_text(false);
    } else if (word == "bin") {
      at_ = std::min(bytes_.size(), at_ + static_cast<size_t>(std::max<int64_t>(0, number)));
    } else if (word == "uc") {
      after_unicode_ = static_cast<size_t>(std::clamp<int64_t>(number, 0, 8));
    } else if (word == "u") {
      to_skip_ = 0;
      // Written as a signed number of 16 bits.
      put(static_cast<char32_t>(static_cast<uint16_t>(number)));
      to_skip_ = after_unicode_;
    } else if (word == "tab" || word == "par" || word == "line") {
      put(' ');
    }
  }

  std::string_view bytes_;
  LinkCollector& links_;
  size_t at_ = 0, depth_ = 0;
  bool reads_text_ = false, is_field_ = false;
  size_t text_depth_ = 0;  // of the group that is read
  std::string text_;
  size_t after_unicode_ = 1, to_skip_ = 0;  // characters that stand for a Unicode one
};

}  // namespace

void read_rtf(std::string_view bytes, LinkCollector& links) { RtfReader(bytes, links).read(); }

}  // namespace caddis::documents
