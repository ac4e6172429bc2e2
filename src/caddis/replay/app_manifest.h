// Rewrites the URLs of the manifest of a web application (https://www.w3.org/TR/appmanifest/ and what browsers added):
// where it starts, its scope, its icons, shortcuts, and what it takes. Its id is a name, and applications of shops that
// it names are nobody's capture: both stay, as does everything else, byte for byte.
//
// JSON (RFC 8259) is read token by token, and need not be well-formed. Linear time; memory does not grow with the
// manifest.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/replay/link_rewriter.h"

namespace caddis::replay {

// One thread at a time.
class ManifestRewriter {
 public:
  // `links` must outlive this.
  explicit ManifestRewriter(const LinkRewriter& links) : links_(links) {}

  // Rewrites from the front of `json` and appends to `out`, until that has `enough` bytes or a string may go on behind
  // `json`. Returns how many bytes of `json` are done: the rest is given again, with more behind it. With `last` nothing
  // comes behind it, and all is done in the end.
  size_t rewrite(std::string_view json, bool last, size_t enough, std::string& out);
  // Where rewrite() does nothing and no more can be held: copies what is held of a string, as it is.
  size_t pass_token(std::string_view json, std::string& out);

 private:
  // An open object or list. Of an object: the member at hand.
  struct Level {
    bool is_list;
    std::string key;
  };

  void on_string(std::string_view literal, std::string& out);
  void open(bool is_list);
  void close();
  // Where the value at hand stands: "icons/*/src".
  std::string path() const;

  const LinkRewriter& links_;
  std::vector<Level> levels_;
  size_t too_deep_ = 0;  // open levels that are not in levels_
  bool is_key_ = false;  // the next string is one, if a colon follows
  bool in_long_string_ = false;
  bool is_escaped_ = false;  // in a long string: the next character
};

}  // namespace caddis::replay
