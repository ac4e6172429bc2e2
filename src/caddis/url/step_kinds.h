// All steps there are, by name, in the order in which a step that is switched on takes its place. Internal to the module.
#pragma once

#include <span>
#include <string_view>

#include "caddis/url/key_policy.h"
#include "caddis/url/steps.h"

namespace caddis::url {

enum class StepStage {
  parse,  // text becomes parts
  parts,
  write,  // parts become the text of the key
  text,   // before the parts are read, or after they are written
};

struct StepKind {
  std::string_view name;
  std::string_view other_name;  // it is also read under this one
  StepStage stage;
  const Step* plain;                                     // null: it is made of arguments
  Result<MadeStep> (*make)(std::string_view arguments);  // null: it has none
  KeyForm form = KeyForm::url;                           // of one that writes
};

std::span<const StepKind> step_kinds();
// Null if there is none of the name.
const StepKind* find_step(std::string_view name);
// "there is no step 'x'; did you mean 'y'?", with what there is.
std::unexpected<Error> no_such_step(std::string_view name);

}  // namespace caddis::url
