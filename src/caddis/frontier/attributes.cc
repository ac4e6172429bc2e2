#include "caddis/frontier/attributes.h"

#include <algorithm>

#include "caddis/frontier/bytes.h"

namespace caddis::frontier {

std::optional<std::string_view> Attributes::find(std::string_view name) const {
  if (!list_) return std::nullopt;
  for (const auto& [known, bytes] : *list_)
    if (known == name) return bytes;
  return std::nullopt;
}

void Attributes::set(std::string_view name, std::string bytes) {
  if (!list_) list_ = std::make_unique<List>();
  const auto at =
      std::ranges::lower_bound(*list_, name, {}, [](const auto& one) { return std::string_view(one.first); });
  if (at != list_->end() && at->first == name)
    at->second = std::move(bytes);
  else
    list_->emplace(at, name, std::move(bytes));
}

bool Attributes::operator==(const Attributes& other) const {
  if (!list_ || !other.list_) return list_ == other.list_;
  return *list_ == *other.list_;
}

std::string Attributes::write() const {
  std::string out;
  if (!list_) return out;
  for (const auto& [name, bytes] : *list_) {
    put_string(out, name);
    put_string(out, bytes);
  }
  return out;
}

Result<Attributes> Attributes::read(std::string_view bytes) {
  Attributes read;
  Reader in(bytes);
  while (in.ok() && !in.at_end()) {
    const std::string_view name = in.string();
    const std::string_view value = in.string();
    // Sorted, and each once: so there is one way to write a list.
    if (!in.ok() || (read.list_ && read.list_->back().first >= name))
      return fail(ErrorCode::corrupt, "damaged attributes of a URL");
    read.set(name, std::string(value));
  }
  return read;
}

}  // namespace caddis::frontier
