// The condition about the moment at which a rule is asked.
#include <fmt/format.h>

#include "caddis/base/time_format.h"
#include "caddis/scope/condition_makers.h"
#include "caddis/scope/time_span.h"

namespace caddis::scope {
namespace {

class AtTime final : public Condition {
 public:
  explicit AtTime(TimeSpan span) : span_(std::move(span)) {}
  std::optional<std::string_view> match(const Candidate& candidate, const SeedBook& /*seeds*/) const override {
    if (!span_.holds(candidate.at)) return {};
    return std::string_view();
  }
  std::string explain(const Candidate& candidate, std::optional<std::string_view> found) const override {
    return fmt::format("it is {}, which is {} the time named", rfc3339(candidate.at), found ? "in" : "outside");
  }

 private:
  TimeSpan span_;
};

}  // namespace

MadeCondition make_time(const Arguments& arguments) {
  TRY(TimeSpan span, TimeSpan::parse(arguments.text));
  return std::make_unique<AtTime>(std::move(span));
}

}  // namespace caddis::scope
