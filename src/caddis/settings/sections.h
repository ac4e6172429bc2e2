// Settings structs bound to their tables, and what is done with several at once: a file or a command line is a list of
// sections, one per struct.
//
//   CrawlSettings crawl; ScopeSettings scope;
//   const Sections all = {section(crawl), section(scope)};
//   TRY_VOID(load_yaml(text, "crawl.yaml", all));                       // yaml.h
//   TRY_VOID(apply(all, "scope", "max-hops", "3", "--max-hops"));
//
// A Section borrows its struct: both must outlive its use. No locking: the structs belong to the caller.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/settings/schema.h"

namespace caddis::settings {

// A struct that may only be read.
struct ConstSection {
  const Schema* schema = nullptr;
  const void* object = nullptr;
};
struct Section {
  const Schema* schema = nullptr;
  void* object = nullptr;
  operator ConstSection() const { return {schema, object}; }
};
using Sections = std::vector<Section>;
using ConstSections = std::vector<ConstSection>;

template <class S>
Section section(S& object) {
  return {&schema_of<S>(), &object};
}
template <class S>
ConstSection section(const S& object) {
  return {&schema_of<S>(), &object};
}

// Sets one field from its text; `where` ("--max-hops", "crawl.yaml:7") begins the error. A list field gets one item.
Result<void> apply(const Section& into, std::string_view name, std::string_view text, std::string_view where);
// The same from several texts, for list fields; any other kind wants exactly one.
Result<void> apply(const Section& into, std::string_view name, const std::vector<std::string>& texts,
                   std::string_view where);
// By section name, "scope" and "max-hops".
Result<void> apply(const Sections& into, std::string_view section_name, std::string_view name, std::string_view text,
                   std::string_view where);

template <class S>
Result<void> apply(S& object, std::string_view name, std::string_view text, std::string_view where) {
  return apply(section(object), name, text, where);
}

// A field whose value differs between two states of the same structs.
struct Change {
  std::string section, name, before, after;  // secrets are not shown
  bool live = false;                         // may change on a running or resumed crawl
};
// Both lists hold the same schemas in the same order.
std::vector<Change> diff(const ConstSections& before, const ConstSections& after);
// For resuming: the changes if all of them are live, otherwise an error that names those that are not.
Result<std::vector<Change>> allowed_changes(const ConstSections& before, const ConstSections& after);

// "unknown setting 'max-hop'; did you mean 'max-hops'?", looking into all `known` sections for the name.
std::string unknown_setting(const Schema& schema, std::string_view name, const ConstSections& known = {});

}  // namespace caddis::settings
