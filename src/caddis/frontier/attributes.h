// The attributes of a URL that waits: what its visit needs to know beyond a candidate's own fields (a chain of
// redirects, the body of a POST). A short list of names with bytes, each written and read by the one step that knows
// its name. It travels in the rows of the queue, through retries and restarts, and costs a pointer while it is empty.
//
// A plain value.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::frontier {

class Attributes {
 public:
  Attributes() = default;
  Attributes(const Attributes& other) { *this = other; }
  Attributes& operator=(const Attributes& other) {
    if (this != &other) list_ = other.list_ ? std::make_unique<List>(*other.list_) : nullptr;
    return *this;
  }
  Attributes(Attributes&&) = default;
  Attributes& operator=(Attributes&&) = default;
  ~Attributes() = default;

  bool empty() const { return list_ == nullptr; }
  std::optional<std::string_view> find(std::string_view name) const;
  // In the place of what has that name.
  void set(std::string_view name, std::string bytes);
  bool operator==(const Attributes& other) const;

  // docs/formats/frontier.md. `read` takes all of the bytes: ErrorCode::corrupt if they are none.
  std::string write() const;
  static Result<Attributes> read(std::string_view bytes);

 private:
  using List = std::vector<std::pair<std::string, std::string>>;  // sorted by name, never empty
  std::unique_ptr<List> list_;
};

}  // namespace caddis::frontier
