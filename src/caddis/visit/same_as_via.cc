#include "caddis/visit/same_as_via.h"

#include <string>

namespace caddis::visit {
namespace {

constexpr std::string_view kName = "via-digest";
constexpr size_t kBytes = 8;  // enough to tell a page from the one before it

}  // namespace

void put_via_digest(std::string_view payload_digest, frontier::Candidate& link) {
  if (payload_digest.size() >= kBytes) link.attributes.set(kName, std::string(payload_digest.substr(0, kBytes)));
}

bool is_same_as_via(std::string_view payload_digest, const frontier::Candidate& candidate) {
  const auto known = candidate.attributes.find(kName);
  return known && payload_digest.size() >= kBytes && *known == payload_digest.substr(0, kBytes);
}

}  // namespace caddis::visit
