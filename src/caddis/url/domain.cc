#include "caddis/url/domain.h"

#include <libpsl.h>

#include <array>
#include <cstdio>
#include <functional>
#include <string>

#include "caddis/base/strings.h"

namespace caddis::url {
namespace {

bool is_ipv4(std::string_view host) { return host.find_first_not_of("0123456789.") == std::string_view::npos; }

std::string_view registrable(const psl_ctx_t* list, std::string_view host) {
  constexpr size_t kMaxHost = 1024;
  if (host.empty() || host.size() > kMaxHost || host.front() == '.' || host.front() == '[' || is_ipv4(host)) return {};
  const bool rooted = host.ends_with('.');
  const std::string name = to_lower(rooted ? host.substr(0, host.size() - 1) : host);
  const char* found = psl_registrable_domain(list, name.c_str());
  if (found == nullptr) return {};
  return host.substr(static_cast<size_t>(found - name.c_str()));
}

}  // namespace

// A crawl asks about the hosts at hand again and again: a thread keeps what it found for the last ones.
std::string_view registrable_domain(std::string_view host) {
  struct Found {
    std::string host;
    size_t length = 0;  // of the domain
  };
  thread_local std::array<Found, 64> last;
  Found& found = last[std::hash<std::string_view>()(host) % last.size()];
  if (found.host != host) {
    found.length = registrable(psl_builtin(), host).size();
    found.host = host;
  }
  return host.substr(host.size() - found.length);
}

Result<SuffixList> SuffixList::from_text(std::string_view dat) {
  std::string copy(dat);
  std::FILE* file = fmemopen(copy.data(), copy.size(), "r");
  if (file == nullptr) return fail(ErrorCode::parse, "the public suffix list is empty");
  psl_ctx_t* list = psl_load_fp(file);
  std::fclose(file);
  if (list == nullptr) return fail(ErrorCode::parse, "cannot read the public suffix list");
  return SuffixList(std::shared_ptr<const void>(list, [list](const void*) { psl_free(list); }));
}

std::string_view SuffixList::registrable_domain(std::string_view host) const {
  return registrable(static_cast<const psl_ctx_t*>(list_.get()), host);
}

}  // namespace caddis::url
