#include "caddis/url/public_form.h"

namespace caddis::url {

std::string public_form(const Url& url) {
  const std::string_view all = url.without_fragment();
  if (!url.has_userinfo()) return std::string(all);
  const std::string_view rest = all.substr(static_cast<size_t>(url.pathname().data() - all.data()));
  return std::string(url.protocol()).append("//").append(url.host()).append(rest);
}

std::string public_form(std::string_view href) {
  if (href.find('@') == std::string_view::npos) return std::string(href);
  const auto url = Url::parse(href);
  return url ? public_form(*url) : std::string(href);
}

}  // namespace caddis::url
