#include "caddis/extract/hls_links.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "caddis/base/strings.h"

namespace caddis::extract {
namespace {

// The lines of a playlist, trimmed.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    const size_t end = std::min(rest_.find_first_of("\r\n"), rest_.size());
    line = trim(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return true;
  }

 private:
  std::string_view rest_;
};

// The value of an attribute of a tag (RFC 8216, 4.2), without its quotes; empty if it is not there.
std::string_view attribute_of(std::string_view tag, std::string_view name) {
  std::string_view rest = tag.substr(std::min(tag.find(':'), tag.size() - 1) + 1);
  while (!rest.empty()) {
    const size_t equals = rest.find('=');
    if (equals == std::string_view::npos) return {};
    const std::string_view found = trim(rest.substr(0, equals));
    rest.remove_prefix(equals + 1);
    std::string_view value;
    if (rest.starts_with('"')) {
      const size_t close = std::min(rest.find('"', 1), rest.size());
      value = rest.substr(1, close - 1);
      rest.remove_prefix(std::min(close + 1, rest.size()));
    } else {
      value = rest.substr(0, rest.find(','));
      rest.remove_prefix(value.size());
    }
    if (found == name) return value;
    rest.remove_prefix(std::min(std::min(rest.find(','), rest.size()) + 1, rest.size()));
  }
  return {};
}

bool is_tag(std::string_view line, std::string_view name) {
  return line.starts_with(name) && (line.size() == name.size() || line[name.size()] == ':');
}

int64_t bandwidth_of(std::string_view tag) { return parse_int(attribute_of(tag, "BANDWIDTH")).value_or(0); }

class Playlist {
 public:
  Playlist(std::string_view text, Renditions renditions, LinkSink& sink) : sink_(sink), text_(text) {
    if (renditions == Renditions::best) find_best();
  }

  void run() {
    std::string_view line;
    bool skips_next = false;
    for (Lines lines(text_); lines.next(line);) {
      if (line.empty()) continue;
      if (!line.starts_with('#')) {
        if (!skips_next) add(line);
        skips_next = false;
      } else if (is_tag(line, "#EXT-X-STREAM-INF")) {
        skips_next = leaves_out(line);
      } else if (is_tag(line, "#EXT-X-DEFINE")) {
        define(line);
      } else if (line.starts_with("#EXT") && !is_other_rendition(line)) {
        if (const std::string_view uri = attribute_of(line, "URI"); !uri.empty()) add(uri);
      }
    }
  }

 private:
  void find_best() {
    std::string_view line;
    for (Lines lines(text_); lines.next(line);) {
      if (is_tag(line, "#EXT-X-STREAM-INF") && (best_.empty() || bandwidth_of(line) > bandwidth_of(best_)))
        best_ = line;
      if (is_tag(line, "#EXT-X-I-FRAME-STREAM-INF") &&
          (best_frames_.empty() || bandwidth_of(line) > bandwidth_of(best_frames_)))
        best_frames_ = line;
    }
  }

  // The same line twice is one variant in two places: the first counts.
  bool leaves_out(std::string_view tag) const { return !best_.empty() && tag.data() != best_.data(); }

  // A rendition of a group that the best variant does not name.
  bool is_other_rendition(std::string_view tag) const {
    if (is_tag(tag, "#EXT-X-I-FRAME-STREAM-INF")) return !best_frames_.empty() && tag.data() != best_frames_.data();
    if (best_.empty() || !is_tag(tag, "#EXT-X-MEDIA")) return false;
    return attribute_of(best_, attribute_of(tag, "TYPE")) != attribute_of(tag, "GROUP-ID");
  }

  // #EXT-X-DEFINE:NAME="path",VALUE="…": "{$path}" in what follows.
  void define(std::string_view tag) {
    constexpr size_t kMost = 100;
    if (variables_.size() < kMost && !attribute_of(tag, "NAME").empty())
      variables_[std::string(attribute_of(tag, "NAME"))] = attribute_of(tag, "VALUE");
  }

  void add(std::string_view uri) {
    std::string filled;
    while (true) {
      const size_t open = uri.find("{$");
      filled += uri.substr(0, open);
      if (open == std::string_view::npos) break;
      const size_t close = uri.find('}', open);
      if (close == std::string_view::npos) return;
      const auto known = variables_.find(std::string(uri.substr(open + 2, close - open - 2)));
      if (known == variables_.end()) return;  // of the playlist that imports it: nobody knows its value here
      filled += known->second;
      uri.remove_prefix(close + 1);
    }
    sink_.add(filled, Hop::embed, kEmbedMisc);
  }

  LinkSink& sink_;
  const std::string_view text_;
  std::string_view best_, best_frames_;  // the tags of what is taken, if not all is
  std::map<std::string, std::string> variables_;
};

}  // namespace

void extract_hls(std::string_view playlist, Renditions renditions, LinkSink& sink) {
  Playlist(playlist, renditions, sink).run();
}

}  // namespace caddis::extract
