#include "caddis/reports/html_text.h"

#include "caddis/base/html_text.h"
#include "caddis/base/visible.h"

namespace caddis::reports {

std::string html_text(std::string_view text) { return html_escape(visible(text)); }

}  // namespace caddis::reports
