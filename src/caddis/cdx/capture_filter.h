// Says which captures of an index may be seen. It stands before everything that is read from an index: whoever looks
// through it (a CaptureIndex of another one) finds what is hidden in no list, no choice and no count.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "caddis/url/key_policy.h"

namespace caddis::cdx {

class CaptureFilter {
 public:
  // Answers one question after another, by one thread at a time; it may remember what it has found for a URL.
  class Asker {
   public:
    virtual ~Asker() = default;
    // Answers for a line of an index, CDXJ or CDX, whose keys are made by `policy`; nothing for a line that is no capture.
    virtual std::optional<bool> shows_line(std::string_view line, const url::KeyPolicy& policy) = 0;
    // Answers for a URL that somebody names, or that stands in a list.
    virtual bool shows(std::string_view url, std::string_view timestamp) = 0;
  };

  virtual ~CaptureFilter() = default;
  // Any thread.
  virtual std::unique_ptr<Asker> ask() const = 0;
  // Whether there are times at which captures of the URL are hidden, so that nothing else may speak of it either.
  virtual bool hides_anything_of(std::string_view url) const = 0;
};

}  // namespace caddis::cdx
