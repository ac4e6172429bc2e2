#include "caddis/extract/hls_links.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "caddis/base/strings.h"
#include "caddis/extract/text_tools.h"

namespace caddis::extract {
namespace {

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

// The attributes of a tag that hold URIs: films put in between (Apple's HLS interstitials), and who steers.
std::span<const std::string_view> names_of_uris(std::string_view tag) {
  static constexpr std::string_view kUsual[] = {"URI"}, kAssets[] = {"X-ASSET-URI", "X-ASSET-LIST"},
                                    kServer[] = {"SERVER-URI"};
  if (is_tag(tag, "#EXT-X-DATERANGE")) return kAssets;
  if (is_tag(tag, "#EXT-X-CONTENT-STEERING")) return kServer;
  return kUsual;
}

int64_t bandwidth_of(std::string_view tag) { return parse_int(attribute_of(tag, "BANDWIDTH")).value_or(0); }

// The variant with the most bandwidth so far; no tag: there is none.
struct Variant {
  std::string_view tag;
  int64_t bandwidth = 0;

  void take_if_better(std::string_view other) {
    const int64_t its = bandwidth_of(other);
    if (tag.empty() || its > bandwidth) *this = {other, its};
  }
  // The same line twice is one variant in two places: the first counts.
  bool is_other(std::string_view other) const { return !tag.empty() && other.data() != tag.data(); }
};

// Renditions of #EXT-X-MEDIA (RFC 8216, 4.3.4.1), as variants name their groups, too.
constexpr auto kTypes = std::to_array<std::string_view>({"AUDIO", "VIDEO", "SUBTITLES", "CLOSED-CAPTIONS"});

class Playlist {
 public:
  Playlist(std::string_view text, Renditions renditions, LinkSink& sink) : sink_(sink), text_(text) {
    if (renditions == Renditions::best) find_best();
  }

  void run() {
    bool skips_next = false;
    for (std::string_view rest = text_; !rest.empty();) {
      const std::string_view line = trim(take_line(rest));
      if (line.empty()) continue;
      if (!line.starts_with('#')) {
        if (!skips_next) add(line);
        skips_next = false;
      } else if (is_tag(line, "#EXT-X-STREAM-INF")) {
        skips_next = leaves_out(line);
      } else if (is_tag(line, "#EXT-X-DEFINE")) {
        define(line);
      } else if (line.starts_with("#EXT") && !is_other_rendition(line)) {
        for (const std::string_view name : names_of_uris(line))
          if (const std::string_view uri = attribute_of(line, name); !uri.empty()) add(uri);
      }
    }
  }

 private:
  void find_best() {
    for (std::string_view rest = text_; !rest.empty();) {
      const std::string_view line = trim(take_line(rest));
      if (is_tag(line, "#EXT-X-STREAM-INF")) best_.take_if_better(line);
      if (is_tag(line, "#EXT-X-I-FRAME-STREAM-INF")) best_frames_.take_if_better(line);
    }
    for (size_t i = 0; i < kTypes.size(); ++i) groups_[i] = attribute_of(best_.tag, kTypes[i]);
  }

  bool leaves_out(std::string_view tag) const { return best_.is_other(tag); }

  // A rendition of a group that the best variant does not name.
  bool is_other_rendition(std::string_view tag) const {
    if (is_tag(tag, "#EXT-X-I-FRAME-STREAM-INF")) return best_frames_.is_other(tag);
    if (best_.tag.empty() || !is_tag(tag, "#EXT-X-MEDIA")) return false;
    const auto type = static_cast<size_t>(std::ranges::find(kTypes, attribute_of(tag, "TYPE")) - kTypes.begin());
    return type == kTypes.size() || groups_[type] != attribute_of(tag, "GROUP-ID");
  }

  // #EXT-X-DEFINE:NAME="path",VALUE="…": "{$path}" in what follows. A value that is too long for a link stays too long.
  void define(std::string_view tag) {
    constexpr size_t kMost = 100;
    if (variables_.size() < kMost && !attribute_of(tag, "NAME").empty())
      variables_[attribute_of(tag, "NAME")] = attribute_of(tag, "VALUE").substr(0, sink_.longest() + 1);
  }

  // Variables multiply: no more is written than the sink takes.
  void add(std::string_view uri) {
    if (!uri.contains("{$") || uri.size() > sink_.longest()) return sink_.add(uri, Hop::embed, kEmbedMisc);
    if (!sink_.may_write(uri.size())) return;
    std::string filled;
    while (filled.size() <= sink_.longest()) {
      const size_t open = uri.find("{$");
      filled += uri.substr(0, open);
      if (open == std::string_view::npos) break;
      const size_t close = uri.find('}', open);
      if (close == std::string_view::npos) return;
      const auto known = variables_.find(uri.substr(open + 2, close - open - 2));
      if (known == variables_.end()) return;  // of the playlist that imports it: nobody knows its value here
      filled += known->second;
      uri.remove_prefix(close + 1);
    }
    if (sink_.may_write(filled.size())) sink_.add(filled, Hop::embed, kEmbedMisc);
  }

  LinkSink& sink_;
  const std::string_view text_;
  Variant best_, best_frames_;                          // those that are taken, if not all are
  std::array<std::string_view, kTypes.size()> groups_;  // that the best variant names, by their type
  std::map<std::string_view, std::string_view> variables_;
};

}  // namespace

void extract_hls(std::string_view playlist, Renditions renditions, LinkSink& sink) {
  Playlist(playlist, renditions, sink).run();
}

}  // namespace caddis::extract
