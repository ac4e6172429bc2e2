#include "caddis/extract/attribute_role.h"

namespace caddis::extract {
namespace {

using enum AttributeRole;

struct Row {
  std::string_view name;
  AttributeRole role;
};

// The attributes of one length; most names of a page miss at their length or first letters.
template <size_t N>
AttributeRole find(std::string_view name, const Row (&rows)[N]) {
  for (const Row& row : rows) {
    if (row.name == name) return row.role;
  }
  return none;
}

}  // namespace

AttributeRole attribute_role(std::string_view name) {
  if (name.starts_with("on") && name.size() > 4) return handler;
  switch (name.size()) {
    case 3:
      return name == "src" ? embed : none;
    case 4:
      return find(name, {{"href", href}, {"cite", navigation}, {"data", resource}, {"code", resource}});
    case 5:
      return find(name, {{"style", style}, {"value", value}});
    case 6:
      return find(name, {{"srcset", candidates},
                         {"action", action},
                         {"poster", embed},
                         {"usemap", embed},
                         {"lowsrc", embed},
                         {"dynsrc", embed},
                         {"srcdoc", srcdoc}});
    case 7:
      return find(name, {{"datasrc", embed}, {"profile", embed}, {"classid", resource}, {"archive", resource}});
    case 8:
      return find(name, {{"data-src", lazy}, {"longdesc", embed}, {"codebase", codebase}, {"manifest", embed}});
    case 9:
      return find(name, {{"data-lazy", lazy}, {"flashvars", flashvars}});
    case 10:
      return find(name, {{"background", embed}, {"xlink:href", href}});
    case 11:
      return find(name, {{"data-srcset", candidates}, {"imagesrcset", candidates}});
    case 13:
      return find(name, {{"data-original", lazy}, {"data-full-src", lazy}});
    case 14:
      return find(name, {{"data-src-small", lazy}});
    case 15:
      return find(name, {{"data-src-medium", lazy}});
    case 16:
      return find(name, {{"data-lazy-srcset", candidates}});
    case 17:
      return find(name, {{"data-original-set", candidates}});
    default:
      return none;
  }
}

}  // namespace caddis::extract
