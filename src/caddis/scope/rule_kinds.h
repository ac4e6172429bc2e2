// The conditions that rules may name: one table for the reader of rules, for `caddis schema --rules` and docs/rules.md.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "caddis/scope/condition.h"

namespace caddis::scope {

// A condition says nothing, negated or not, before this is known.
enum class Needs : uint8_t {
  link,
  address,  // of the server: known since its name was looked up
  answer,   // of the server
};

struct RuleKind {
  std::string_view name;       // "path-depth"
  std::string_view arguments;  // "> N"; empty if nothing may follow
  std::string_view doc;        // when it holds; a sentence
  std::string_view heritrix;   // the decide rules that ask the same
  MadeCondition (*make)(const Arguments& arguments);
  Needs needs = Needs::link;
  bool is_costly = false;  // asked late, if that changes no verdict
};

std::span<const RuleKind> rule_kinds();
const RuleKind* find_rule_kind(std::string_view name);

}  // namespace caddis::scope
