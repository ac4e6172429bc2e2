// The bases of the elements that are open (XML Base): each resolves against the one around it. Internal to extract.
//
// It follows the names of elements, so that documents with tags that are not closed find their way back. One walk
// through a document, one thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "caddis/extract/link_sink.h"
#include "caddis/html/tokenizer.h"

namespace caddis::extract {

class XmlBases {
 public:
  // `sink` is borrowed: its base is always that of the element at hand.
  explicit XmlBases(LinkSink& sink) : sink_(sink) {}

  void begin(const html::Token& tag);
  // An element without content ends behind its start.
  void end(std::string_view element);

 private:
  struct Open {
    std::string element;
    size_t times = 1;  // elements of that name, within each other
    url::Url outer;    // the base around it
    bool is_root = false;
  };

  LinkSink& sink_;
  std::vector<Open> open_;  // elements with a base of their own
  bool has_begun_ = false;
};

}  // namespace caddis::extract
