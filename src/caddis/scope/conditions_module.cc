// The condition that a module answers.
#include <fmt/format.h>

#include <utility>

#include "caddis/modules/registry.h"
#include "caddis/modules/shared_rule.h"
#include "caddis/scope/condition_makers.h"
#include "caddis/scope/predicate.h"

namespace caddis::scope {
namespace {

class ModuleSays final : public Condition {
 public:
  explicit ModuleSays(std::unique_ptr<modules::SharedRule> rule) : rule_(std::move(rule)) {}

  std::optional<std::string_view> match(const Candidate& candidate, const SeedBook& /*seeds*/) const override {
    modules::Link link{.url = candidate.url.href(),
                       .scheme = candidate.url.scheme(),
                       .host = candidate.url.hostname(),
                       .path = candidate.url.pathname(),
                       .hops = candidate.hop_path,
                       .via = candidate.via,
                       .seed = candidate.source_seed,
                       .is_seed = candidate.is_seed,
                       .mime = {},
                       .address = {}};
    if (const Answer* answer = candidate.answer) {
      link.status = answer->status;
      link.mime = answer->mime;
      link.length = answer->length;
      link.address = answer->address;
    }
    if (!rule_->holds(link)) return {};
    return name();
  }
  std::string explain(const Candidate& /*candidate*/, std::optional<std::string_view> found) const override {
    if (rule_->module().errors().is_off()) return fmt::format("the module {} is switched off", name());
    return fmt::format("the module {} says {}", name(), found ? "yes" : "no");
  }

 private:
  std::string_view name() const { return rule_->module().name(); }

  std::unique_ptr<modules::SharedRule> rule_;
};

}  // namespace

MadeCondition make_module(const Arguments& arguments) {
  std::string_view rest = arguments.text;
  const std::string_view name = cut_word(rest);
  if (name.empty()) return fail(ErrorCode::config, "name the module: module NAME");
  const modules::LoadedModule* const module = modules::find_module(name);
  if (module == nullptr) return modules::no_such_module(name);
  TRY(auto rule, modules::SharedRule::create(*module, std::string(rest)));
  return std::make_unique<ModuleSays>(std::move(rule));
}

}  // namespace caddis::scope
