// Where the readers of documents put the links they find: each once, so many as are allowed. Internal to documents. One
// collector a document, one thread.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "caddis/documents/document.h"

namespace caddis::documents {

class LinkCollector {
 public:
  // `limits` is borrowed.
  explicit LinkCollector(const Limits& limits) : limits_(limits) {}

  // Empty texts, and places within the document ("#top"), are no links.
  void add(std::string_view url, LinkKind kind);
  // Only if the text is an absolute URL.
  void add_absolute(std::string_view url, LinkKind kind);
  // Any text of a program: taken if it is an absolute URL, or the path of a file as servers serve them.
  void add_text(std::string_view text);
  // The texts between quotation marks of a script.
  void add_quoted(std::string_view script);
  // One that is too long for a URL is none.
  void set_base(std::string_view base) {
    if (base.size() <= limits_.url_length) found_.base = base;
  }
  void count_attachment() { ++found_.attachments; }
  // The first one stands.
  void set_problem(std::string_view problem);
  bool has_problem() const { return !found_.problem.empty(); }

  Found found() && { return std::move(found_); }

 private:
  const Limits& limits_;
  Found found_;
  std::unordered_set<std::string> known_;  // kind and URL
};

// Whether the text begins with "http://" or "https://", and has a host and no white space.
bool is_whole_url(std::string_view text);

}  // namespace caddis::documents
