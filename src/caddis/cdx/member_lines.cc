#include "caddis/cdx/member_lines.h"

namespace caddis::cdx {

Result<Capture> MemberLines::of_member(Result<Capture> capture) const {
  if (capture) capture->member = member_;
  return capture;
}

std::shared_ptr<LineSource> MemberLines::ask(const LineQuestion& question) {
  auto answer = source_->ask(question);
  return answer == nullptr ? nullptr : std::make_shared<MemberLines>(std::move(answer), member_);
}

}  // namespace caddis::cdx
