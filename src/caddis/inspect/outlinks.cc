#include "caddis/inspect/outlinks.h"

#include <algorithm>
#include <string>

#include "caddis/base/strings.h"
#include "caddis/warc/reader.h"

namespace caddis::inspect {
namespace {

constexpr std::string_view kName = "outlink:";

std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

// The whole lines in the front of `text`, which are removed. Returns false if `use` has seen enough.
bool use_lines(std::string& text, bool is_end, Outlink link, const std::function<bool(const Outlink&)>& use) {
  std::string_view left = text;
  while (!left.empty()) {
    const size_t end = left.find('\n');
    if (end == std::string_view::npos && !is_end) break;
    std::string_view line = trim(left.substr(0, end));
    left.remove_prefix(std::min(end == std::string_view::npos ? left.size() : end + 1, left.size()));
    if (!starts_with_ignore_case(line, kName)) continue;
    line.remove_prefix(kName.size());
    link.url = take_word(line);
    link.hop = take_word(line);
    link.context = trim(line);
    if (!link.url.empty() && !use(link)) return false;
  }
  text.erase(0, text.size() - left.size());
  return true;
}

}  // namespace

Result<void> each_outlink(const warc::ByteSource& source, const std::function<bool(const Outlink& link)>& use) {
  constexpr size_t kMaxLine = 4 << 20;
  warc::Reader reader(source);
  for (;;) {
    TRY(warc::Record* const record, reader.next());
    if (record == nullptr) return {};
    if (record->type() != warc::RecordType::metadata) continue;
    Outlink link;
    link.page = record->header().target_uri();
    link.date = record->header().get("WARC-Date");
    std::string text;
    for (bool is_end = false; !is_end;) {
      TRY(const std::string_view piece, record->read_block());
      is_end = piece.empty();
      text += piece;
      if (!use_lines(text, is_end, link, use)) return {};
      if (text.size() > kMaxLine) break;  // no line of ours is so long
    }
  }
}

}  // namespace caddis::inspect
