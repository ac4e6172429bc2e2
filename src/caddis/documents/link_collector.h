// Where the readers of documents put the links they find: each once, so many as are allowed. Internal to documents. One
// collector a document, one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

#include "caddis/documents/document.h"

namespace caddis::documents {

class LinkCollector {
 public:
  // `limits` is borrowed.
  explicit LinkCollector(const Limits& limits) : limits_(limits), unpacked_left_(limits.unpacked) {}

  // Empty texts, and places within the document ("#top"), are no links. What somebody may click on may lack its scheme
  // ("www.example.org").
  void add(std::string_view url, LinkKind kind);
  // Only if the text is an absolute URL.
  void add_absolute(std::string_view url, LinkKind kind);
  // Any text of a program: taken if it is an absolute URL, or the path of a file as servers serve them.
  void add_text(std::string_view text);
  // The texts between quotation marks of a script.
  void add_quoted(std::string_view script);
  // One that is too long for a URL is none; a document within another has none of its own.
  void set_base(std::string_view base) {
    if (base.size() <= limits_.url_length && depth_ == 0) found_.base = base;
  }
  void count_attachment() { ++found_.attachments; }
  // Before a document within the one at hand is read, and afterwards. False: it is too deep, or one too many, and that is
  // the problem.
  bool enter();
  void leave() { --depth_; }
  // Bytes that may still be unpacked, in all documents together.
  uint64_t unpacked_left() const { return unpacked_left_; }
  void take_unpacked(uint64_t bytes) { unpacked_left_ -= std::min(bytes, unpacked_left_); }
  // The first one stands.
  void set_problem(std::string_view problem);
  bool has_problem() const { return !found_.problem.empty(); }

  Found found() && { return std::move(found_); }

 private:
  // A limit of the whole document: no fault of the one within it that is at hand.
  bool refuse(std::string why);

  const Limits& limits_;
  Found found_;
  std::unordered_set<std::string> known_;  // kind and URL
  uint64_t unpacked_left_;
  int depth_ = 0;
  int embedded_ = 0;  // documents within, so far
};

// Whether the text begins with "http://" or "https://", and has a host and no white space.
bool is_whole_url(std::string_view text);

}  // namespace caddis::documents
