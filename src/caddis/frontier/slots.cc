#include "caddis/frontier/slots.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <array>

#include "caddis/base/hash.h"
#include "caddis/base/strings.h"
#include "caddis/url/domain.h"

namespace caddis::frontier {
namespace {

// All of an address, which has none.
std::string_view last_labels(std::string_view host, size_t labels) {
  if (host.empty() || host.back() == ']' || is_digit(host.back())) return host;
  size_t begin = host.size();
  for (size_t label = 0; label < labels; ++label) {
    const size_t dot = begin == 0 ? std::string_view::npos : host.rfind('.', begin - 1);
    if (dot == std::string_view::npos) return host;
    begin = dot;
  }
  return host.substr(begin + 1);
}

}  // namespace

std::string address_slot(std::string_view address) {
  std::array<unsigned char, 16> bytes{};
  const std::string text(address);
  if (inet_pton(AF_INET6, text.c_str(), bytes.data()) != 1) return fmt::format("ip {}", address);
  return fmt::format("ip {}/64", to_hex(std::string_view(reinterpret_cast<const char*>(bytes.data()), 8)));
}

Result<PolitenessGroups> PolitenessGroups::create(const PolitenessSettings& settings) {
  PolitenessGroups groups;
  for (const std::string& line : settings.groups) {
    const size_t colon = line.find(':');
    const std::string_view name = trim(std::string_view(line).substr(0, std::min(colon, line.size())));
    const auto refuse = [&](std::string_view why) {
      return fail(ErrorCode::config,
                  fmt::format("politeness.groups: '{}': {}; write \"name: host *.host …\"", line, why));
    };
    if (colon == std::string::npos || name.empty()) return refuse("it has no name");
    size_t hosts = 0;
    for (std::string_view word : split(std::string_view(line).substr(colon + 1), ' ')) {
      word = trim(word);
      if (word.empty()) continue;
      ++hosts;
      auto& where = word.starts_with("*.") ? groups.suffixes_ : groups.hosts_;
      std::string host = to_lower(word.starts_with("*.") ? word.substr(2) : word);
      if (host.empty() || host.find_first_of("*/:@") != std::string::npos)
        return refuse(fmt::format("'{}' is no host", word));
      if (!where.emplace(std::move(host), name).second) return refuse(fmt::format("'{}' stands there twice", word));
    }
    if (hosts == 0) return refuse("it has no hosts");
  }
  return groups;
}

std::string PolitenessGroups::named(std::string_view host) const {
  if (!hosts_.empty())
    if (const auto found = hosts_.find(std::string(host)); found != hosts_.end()) return found->second;
  if (suffixes_.empty()) return {};
  // The longest suffix decides.
  for (size_t dot = host.find('.'); dot != std::string_view::npos; dot = host.find('.', dot + 1))
    if (const auto found = suffixes_.find(std::string(host.substr(dot + 1))); found != suffixes_.end())
      return found->second;
  return {};
}

std::string PolitenessGroups::of(std::string_view host, std::string_view address,
                                 const PolitenessSettings& of_host) const {
  if (std::string group = named(host); !group.empty()) return group;
  if (of_host.group_assignment == GroupAssignment::address && !address.empty()) return address_slot(address);
  if (of_host.group_assignment == GroupAssignment::domain)
    if (const std::string_view domain = url::registrable_domain(host); !domain.empty()) return std::string(domain);
  if (of_host.group_assignment == GroupAssignment::labels)
    return std::string(last_labels(host, static_cast<size_t>(of_host.labels)));
  // Fixed, so that a host stands in the same bucket after a restart.
  constexpr uint64_t kKey0 = 0x6275636b65747331, kKey1 = 0x6275636b65747332;
  if (of_host.group_assignment == GroupAssignment::bucket)
    return fmt::format("bucket {}", siphash(host, kKey0, kKey1) % static_cast<uint64_t>(of_host.buckets));
  return {};
}

}  // namespace caddis::frontier
