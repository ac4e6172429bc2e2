// Why the frontier gave a URL up, by its kind, as VisitFacts::given_up has it: "Q:host-bytes", "limit:max-documents",
// "hung:2:extract". Views into that text.
#pragma once

#include <string_view>

namespace caddis::visit {

struct GivenUpReason {
  explicit GivenUpReason(std::string_view why) {
    if (take(why, "Q:", quota) || take(why, "limit:", limit) || take(why, "hung:", hang)) return;
    other = why;
  }
  // One of them is set, if there is a reason.
  std::string_view quota, limit, hang, other;

 private:
  static bool take(std::string_view why, std::string_view kind, std::string_view& rest) {
    if (!why.starts_with(kind)) return false;
    rest = why.substr(kind.size());
    return true;
  }
};

}  // namespace caddis::visit
