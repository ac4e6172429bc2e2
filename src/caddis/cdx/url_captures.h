// The captures of one URL: the key under which they are given, and the sources that have them under it, each asked by
// the key that its own policy makes (capture_index.h). One thread at a time; it holds no lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"
#include "caddis/cdx/line_source.h"

namespace caddis::cdx {

class UrlCaptures {
 public:
  UrlCaptures(std::string key, std::vector<std::shared_ptr<LineSource>> sources)
      : key_(std::move(key)), sources_(std::move(sources)) {}

  // The captures of `url` in `all`.
  static UrlCaptures find(std::string_view url, const std::vector<std::shared_ptr<LineSource>>& all);

  // The captures of a key, however it was made.
  static UrlCaptures of_key(std::string key, const std::vector<std::shared_ptr<LineSource>>& all);

  const std::string& key() const { return key_; }
  const std::vector<std::shared_ptr<LineSource>>& sources() const { return sources_; }

  // Up to `limit` captures, nearest to `timestamp` (digits) first; of two equally near the earlier first,
  // of two of one time that of the member (capture.h) that comes first.
  Result<std::vector<Capture>> closest(std::string_view timestamp, size_t limit) const;

  // The captures at both ends and on both sides of `timestamp` (those at exactly that time are neither previous nor
  // next).
  struct Neighbours {
    std::optional<Capture> first, previous, next, last;
  };
  Result<Neighbours> neighbours(std::string_view timestamp) const;

  // All in order, each once. False stops; the capture may be moved from.
  Result<void> each(const std::function<bool(Capture& capture)>& sink) const;
  // The same for those at that time and later. Gives the number of lines that were passed over, since they cannot be parsed.
  Result<uint64_t> each_from(std::string_view timestamp, const std::function<bool(Capture& capture)>& sink) const;

 private:
  std::string key_;
  std::vector<std::shared_ptr<LineSource>> sources_;
};

// The policy that a row of sources is shown by: ia-surt if one of them has it, else that of the first.
const url::KeyPolicy& shown_policy(const std::vector<std::shared_ptr<LineSource>>& sources);
// A URL as somebody asks for it: "example.org/a" and "example.org:8080/a" are of http.
std::string asked_url(std::string_view url);
// A URL as the standard writes it, without its fragment; as it stands if it is none.
std::string normal_url(std::string_view url);

// Seconds between two timestamps; a short or broken one stands for the first instant that it names.
long long timestamp_distance(std::string_view a, std::string_view b);

}  // namespace caddis::cdx
