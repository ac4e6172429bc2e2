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
AttributeRole find(std::string_view name, const Row (&rows)[N], AttributeRole other = none) {
  for (const Row& row : rows) {
    if (row.name == name) return row.role;
  }
  return other;
}

// Data attributes by their names behind "data-". Of those that Heritrix knows, too, every value is taken.
AttributeRole data_role(std::string_view name) {
  switch (name.size()) {
    case 2:
      return name == "bg" ? maybe : data;
    case 3:
      return find(name, {{"src", lazy}, {"img", maybe}}, data);
    case 4:
      return find(name, {{"lazy", lazy}, {"echo", maybe}, {"full", maybe}}, data);
    case 5:
      return find(name, {{"image", maybe}, {"thumb", maybe}, {"hires", maybe}, {"large", maybe}}, data);
    case 6:
      return find(name, {{"srcset", candidates}, {"poster", maybe}, {"retina", maybe}, {"bg-src", maybe}}, data);
    case 7:
      return find(name, {{"img-src", maybe}, {"lazy-bg", maybe}, {"bgimage", maybe}}, data);
    case 8:
      return find(name,
                  {{"original", lazy},
                   {"full-src", lazy},
                   {"lazy-src", maybe},
                   {"lazyload", maybe},
                   {"bg-image", maybe},
                   {"bigimage", maybe}},
                  data);
    case 9:
      return find(
          name,
          {{"src-small", lazy}, {"image-src", maybe}, {"thumbnail", maybe}, {"orig-file", maybe}, {"hires-src", maybe}},
          data);
    case 10:
      return find(name,
                  {{"src-medium", lazy},
                   {"background", maybe},
                   {"retina-src", maybe},
                   {"large-file", maybe},
                   {"src-retina", maybe},
                   {"zoom-image", maybe},
                   {"hi-res-src", maybe}},
                  data);
    case 11:
      return find(name, {{"lazy-srcset", candidates}, {"medium-file", maybe}, {"large_image", maybe}}, data);
    case 12:
      return find(name, {{"original-set", candidates}}, data);
    case 16:
      return find(name, {{"background-image", maybe}}, data);
    default:
      return data;
  }
}

// Names that scripts make up for what they load late: data-cfsrc, nitro-lazy-src, ng-srcset. A colon is before an
// expression (:src, v-bind:src).
AttributeRole role_by_end(std::string_view name, AttributeRole other) {
  const bool is_source = name.ends_with("src"), is_set = name.ends_with("srcset");
  if ((!is_source && !is_set) || name.contains(':')) return other;
  return is_set ? maybe_candidates : maybe;
}

AttributeRole known_role(std::string_view name) {
  if (name.starts_with("on") && name.size() > 4) return handler;
  if (name.starts_with("data-")) return data_role(name.substr(5));
  switch (name.size()) {
    case 3:
      return name == "src" ? embed : none;
    case 4:
      return find(name, {{"href", href},
                         {"cite", navigation},
                         {"data", resource},
                         {"code", resource},
                         {"ping", ping},
                         {"fill", style},
                         {"mask", style}});
    case 5:
      return find(name, {{"style", style}, {"value", value}, {"props", data}});
    case 6:
      return find(name, {{"srcset", candidates},
                         {"action", action},
                         {"poster", embed},
                         {"usemap", embed},
                         {"lowsrc", embed},
                         {"dynsrc", embed},
                         {"srcdoc", srcdoc},
                         {"itemid", item_id},
                         {"stroke", style},
                         {"filter", style},
                         {"cursor", style},
                         {"marker", style}});
    case 7:
      return find(
          name,
          {{"datasrc", embed}, {"profile", embed}, {"classid", resource}, {"archive", resource}, {"content", content}});
    case 8:
      return find(name, {{"longdesc", embed}, {"codebase", codebase}, {"manifest", embed}});
    case 9:
      return find(name, {{"flashvars", flashvars}, {"clip-path", style}});
    case 10:
      return find(name, {{"background", embed},
                         {"xlink:href", href},
                         {"formaction", action},
                         {"marker-mid", style},
                         {"marker-end", style}});
    case 11:
      return name == "imagesrcset" ? candidates : none;
    case 12:
      return find(name, {{"renderer-url", embed}, {"marker-start", style}});  // the first is Astro's
    case 13:
      return name == "component-url" ? embed : none;
    case 20:
      return name == "before-hydration-url" ? embed : none;
    default:
      return none;
  }
}

}  // namespace

AttributeRole attribute_role(std::string_view name) {
  const AttributeRole known = known_role(name);
  return known == none || known == data ? role_by_end(name, known) : known;
}

}  // namespace caddis::extract
