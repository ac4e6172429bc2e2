#include "caddis/dns/hosts_file.h"

#include <algorithm>
#include <utility>

#include "caddis/base/strings.h"

namespace caddis::dns {

bool HostsFile::names(std::string_view host, SteadyTime now) {
  if (!std::exchange(was_read_, true) || now - read_at_ >= kHolds) {
    read_at_ = now;
    read();
  }
  return !names_.empty() && names_.contains(to_lower(host));
}

// Lines are "address name… # comment" (hosts(5)). An address among the names does no harm.
void HostsFile::read() {
  constexpr uint64_t kLongest = 64 << 20;
  names_.clear();
  const auto text = files_.read_all(path_, kLongest);
  if (!text) return;
  for (std::string_view line : split(*text, '\n')) {
    line = line.substr(0, line.find('#'));
    for (size_t begin = 0; (begin = line.find_first_not_of(" \t\r", begin)) != std::string_view::npos;) {
      const size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
      names_.insert(to_lower(line.substr(begin, end - begin)));
      begin = end;
    }
  }
}

}  // namespace caddis::dns
