// Finds where the client script goes in the page that a style sheet of XSLT makes: in front of everything else in its head, or,
// where the sheet writes out no head, in what it writes out of the page. A sheet that puts a page together from parts may get it
// more than once, which does no harm.
//
// Attributes that a sheet adds to an element come before its content. Pure, linear time, one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "caddis/html/tokenizer.h"

namespace caddis::replay {

class SheetClient {
 public:
  enum class Place : uint8_t { none, before, inside };

  // The place beside a start tag, which is `depth` elements deep: an instruction of XSLT, or of what the sheet writes out.
  Place on_instruction(const html::Token& tag, size_t depth);
  Place on_element(const html::Token& tag, size_t depth);
  // `depth` elements are left open.
  void on_end(size_t depth);

 private:
  bool is_sought(size_t depth) const { return page_ > 0 && (ignored_ == 0 || depth <= ignored_); }
  void found(size_t depth);

  size_t page_ = 0;     // the depth of the element that it goes into; 0: none
  size_t ignored_ = 0;  // elements below this depth hold no place; 0: all may
  bool is_placed_ = false;
};

}  // namespace caddis::replay
