// Rewrites the URLs of a playlist of HLS (RFC 8216, and its second edition, draft-pantos-hls-rfc8216bis) or of a plain
// M3U: the lines that are URLs, and the attributes of tags that hold one. Everything else stays byte for byte.
//
// Variables (#EXT-X-DEFINE) are filled in where a URL is made of them, as far as the playlist tells their values: only
// then it is known where the URL leads. A URL with others stays. Linear time; memory does not grow with the playlist.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/replay/link_rewriter.h"

namespace caddis::replay {

// One thread at a time.
class PlaylistRewriter {
 public:
  // `links` must outlive this.
  explicit PlaylistRewriter(const LinkRewriter& links) : links_(links) {}

  // Rewrites whole lines from the front of `text` and appends to `out`, until that has `enough` bytes. Returns how many
  // bytes of `text` are done: the rest is given again, with more behind it. With `last` nothing comes behind it.
  size_t rewrite(std::string_view text, bool last, size_t enough, std::string& out);
  // Where rewrite() does nothing and no more can be held: copies what is held of a line, as it is.
  size_t pass_token(std::string_view text, std::string& out);

 private:
  void on_line(std::string_view line, std::string& out);
  void on_tag(std::string_view tag, std::string& out);
  void define(std::string_view name, std::string_view value);
  std::optional<std::string> address(std::string_view uri) const;
  std::optional<std::string> filled(std::string_view uri) const;

  const LinkRewriter& links_;
  bool in_long_line_ = false;
  std::map<std::string, std::string, std::less<>> variables_;
};

// Whether a body that says nothing better of itself begins as a playlist.
bool looks_like_playlist(std::string_view front);

}  // namespace caddis::replay
