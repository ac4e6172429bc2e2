#include "caddis/replay/sheet_client.h"

#include <algorithm>

#include "caddis/replay/xml_splicer.h"

namespace caddis::replay {
namespace {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

// Whether it may give attributes to the element that it stands in.
bool gives_attributes(std::string_view name, const html::Token& tag) {
  if (is_one_of(name, {"attribute", "variable", "param"})) return true;
  const html::Attribute* const select = tag.find("select");
  return select != nullptr && select->value.contains('@') && is_one_of(name, {"copy-of", "apply-templates"});
}

}  // namespace

SheetClient::Place SheetClient::on_instruction(const html::Token& tag, size_t depth) {
  if (!is_sought(depth)) return Place::none;
  const std::string_view name = local_name(tag.name);
  if (is_one_of(name, {"if", "choose", "when", "otherwise", "for-each", "sort", "fallback"})) return Place::none;
  if (gives_attributes(name, tag)) {
    ignored_ = depth;
    return Place::none;
  }
  found(depth);
  return Place::before;
}

SheetClient::Place SheetClient::on_element(const html::Token& tag, size_t depth) {
  const std::string_view name = local_name(tag.name);
  if (name == "head" && !tag.self_closing) {
    if (page_ > 0) found(depth);
    is_placed_ = true;
    return Place::inside;
  }
  const bool is_before = is_sought(depth);
  if (is_before) found(depth);
  const bool is_page = name == "html" || (name == "body" && !is_placed_);
  if (is_page && !is_before && !tag.self_closing) {
    page_ = depth;
    ignored_ = 0;
  }
  return is_before ? Place::before : Place::none;
}

void SheetClient::on_end(size_t depth) {
  if (depth < page_) page_ = 0;
  if (depth < ignored_) ignored_ = 0;
}

// Where it depends on a condition, it is sought behind that as well.
void SheetClient::found(size_t depth) {
  is_placed_ = true;
  if (depth <= page_ + 1)
    page_ = 0;
  else
    ignored_ = depth - 1;
}

}  // namespace caddis::replay
