// Elements become beans, properties and values, each with its item; the beans that only configure Spring (overrides) are
// kept aside meanwhile, and applied when the whole tree is there (bean_overrides.h).
#include "caddis/heritrix/bean_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/heritrix/bean_overrides.h"
#include "caddis/heritrix/expressions.h"
#include "caddis/heritrix/java_properties.h"

namespace caddis::heritrix {
namespace {

constexpr int kMostImports = 8;  // files that import each other
constexpr std::string_view kConfigurer = "PropertyOverrideConfigurer";

// "util:list" is "list".
std::string_view local_name(const XmlElement& element) {
  const std::string_view name = element.name;
  return name.substr(name.find(':') + 1);
}

bool is_list_element(std::string_view name) { return name == "list" || name == "set" || name == "array"; }

class BeanReader {
 public:
  BeanReader(ImportReport& report, const ReadBeside& read) : report_(report), read_(read) {}

  void read_file(const XmlElement& root) {
    tell_stray_text(root, "beans", kNoItem);
    for (const XmlElement& element : root.children) read_top(element);
  }

  void apply_overrides() {
    for (Override& one : overrides_) override_property(tree_, std::move(one), report_);
  }
  BeanTree take() { return std::move(tree_); }

 private:
  void read_top(const XmlElement& element) {
    const std::string_view name = local_name(element);
    if (element.name == "bean") {
      read_top_bean(element);
    } else if (element.name == "beans") {
      read_file(element);
    } else if (element.name == "import") {
      import(element);
    } else if (is_list_element(name) || name == "map" || name == "properties") {
      read_collection(element);
    } else if (element.name == "alias") {
      report_.without(report_.add("alias", attribute(element, "alias"), element.line),
                      "write the name of the bean itself where the alias stands");
    }  // others configure Spring alone, such as <context:annotation-config/>
  }

  void read_top_bean(const XmlElement& element) {
    if (attribute(element, "class").ends_with(kConfigurer)) return read_configurer(element);
    const std::string id = attribute(element, "id").empty() ? attribute(element, "name") : attribute(element, "id");
    tree_.add(read_bean(element, id.empty() ? std::string(class_of(element)) : id));
  }

  static std::string attribute(const XmlElement& element, std::string_view name) {
    const std::string* const found = element.attribute(name);
    return found == nullptr ? "" : *found;
  }

  static std::string class_of(const XmlElement& element) {
    const std::string whole = attribute(element, "class");
    return whole.substr(whole.rfind('.') + 1);
  }

  std::unique_ptr<Bean> read_bean(const XmlElement& element, const std::string& path) {
    auto bean = std::make_unique<Bean>();
    bean->id = attribute(element, "id").empty() ? attribute(element, "name") : attribute(element, "id");
    bean->class_name = attribute(element, "class");
    bean->item = report_.add(path, "bean " + class_of(element), element.line);
    if (!attribute(element, "parent").empty())
      report_.without(bean->item, "its parent is not looked at: write out the properties that it has from there");
    for (const auto& [name, value] : element.attributes)
      if (name.starts_with("p:")) add_short_property(*bean, name.substr(2), value, path, element.line);
    size_t arguments = 0;
    for (const XmlElement& child : element.children) {
      if (child.name == "property")
        add_property(*bean, attribute(child, "name"), child, path);
      else if (child.name == "constructor-arg")
        add_property(*bean, fmt::format("constructor-arg[{}]", arguments++), child, path);
    }
    return bean;
  }

  void add_short_property(Bean& bean, const std::string& name, const std::string& value, const std::string& path,
                          size_t line) {
    const bool is_reference = name.ends_with("-ref");
    BeanProperty property;
    property.name = is_reference ? name.substr(0, name.size() - 4) : name;
    property.item = report_.add(path + "." + property.name, value, line);
    property.value.kind = is_reference ? BeanValue::Kind::reference : BeanValue::Kind::text;
    property.value.text = is_reference ? value : resolved(value, property.item);
    bean.properties.push_back(std::move(property));
  }

  void add_property(Bean& bean, const std::string& name, const XmlElement& element, const std::string& path) {
    BeanProperty property;
    property.name = name;
    const std::string whole = path + "." + name;
    property.item = report_.add(whole, shown(element), element.line);
    property.value = read_holder(element, whole, property.item);
    bean.properties.push_back(std::move(property));
  }

  // The value that the report shows of a property or entry: a text or a reference; "" for what has items of its own.
  static std::string shown(const XmlElement& holder) {
    if (const std::string* const value = holder.attribute("value")) return *value;
    if (const std::string* const ref = holder.attribute("ref")) return "bean " + *ref;
    for (const XmlElement& child : holder.children) {
      if (child.name == "value") return child.text;
      if (child.name == "ref" || child.name == "idref")
        return "bean " + attribute(child, "bean") + attribute(child, "local");
    }
    return "";
  }

  // The value of a property, an entry or an argument: an attribute, or the first child that is one.
  BeanValue read_holder(const XmlElement& holder, const std::string& path, ItemId item) {
    tell_stray_text(holder, path, item);
    for (const auto& [name, kind] : {std::pair("value", BeanValue::Kind::text),
                                     {"ref", BeanValue::Kind::reference},
                                     {"value-ref", BeanValue::Kind::reference}}) {
      const std::string* const found = holder.attribute(name);
      if (found == nullptr) continue;
      BeanValue value;
      value.kind = kind;
      value.text = kind == BeanValue::Kind::text ? resolved(*found, item) : *found;
      return value;
    }
    for (const XmlElement& child : holder.children)
      if (child.name != "description" && child.name != "key") return read_value(child, path, item);
    return {};
  }

  BeanValue read_value(const XmlElement& element, const std::string& path, ItemId item) {
    const std::string_view name = local_name(element);
    BeanValue value;
    if (name == "value") {
      value.kind = BeanValue::Kind::text;
      value.text = resolved(element.text, item);
    } else if (name == "ref" || name == "idref") {
      value.kind = BeanValue::Kind::reference;
      value.text = attribute(element, "bean").empty() ? attribute(element, "local") : attribute(element, "bean");
    } else if (name == "bean") {
      value.kind = BeanValue::Kind::bean;
      value.bean = read_bean(element, path);
    } else if (is_list_element(name)) {
      read_list(element, path, item, value);
    } else if (name == "map" || name == "props") {
      read_map(element, path, value);
    } else if (name != "null") {
      report_.without(item, fmt::format("its value is a <{}>, which is not read", element.name));
    }
    return value;
  }

  void read_list(const XmlElement& element, const std::string& path, ItemId whole, BeanValue& value) {
    value.kind = BeanValue::Kind::list;
    tell_stray_text(element, path, whole);
    for (const XmlElement& child : element.children) {
      const std::string place = fmt::format("{}[{}]", path, value.items.size());
      ItemId item = kNoItem;
      if (child.name == "value" || child.name == "ref" || child.name == "idref" || child.name == "null") {
        const std::string target = attribute(child, "bean") + attribute(child, "local");
        item = report_.add_part(whole, place, child.name == "value" ? child.text : "bean " + target, child.line);
      }
      BeanValue one = read_value(child, place, item);
      one.item = one.bean ? one.bean->item : item;
      value.items.push_back(std::move(one));
    }
  }

  void read_map(const XmlElement& element, const std::string& path, BeanValue& value) {
    value.kind = BeanValue::Kind::map;
    for (const XmlElement& child : element.children) {
      if (child.name != "entry" && child.name != "prop") continue;
      std::string key = attribute(child, "key");
      if (const XmlElement* const inner = child.child("key"); inner != nullptr && !inner->children.empty())
        key = trim(inner->children.front().text);
      const std::string place = fmt::format("{}[{}]", path, key);
      const ItemId item = report_.add(place, child.name == "prop" ? child.text : shown(child), child.line);
      BeanValue one;
      if (child.name == "prop") {
        one.kind = BeanValue::Kind::text;
        one.text = resolved(child.text, item);
      } else {
        one = read_holder(child, place, item);
      }
      one.item = item;
      value.keys.push_back(std::move(key));
      value.items.push_back(std::move(one));
    }
  }

  // <util:list id="x">: a bean that others refer to.
  void read_collection(const XmlElement& element) {
    auto bean = std::make_unique<Bean>();
    bean->id = attribute(element, "id");
    bean->class_name = kListBean;
    bean->item = report_.add(bean->id, element.name, element.line);
    report_.taken(bean->item, "stands where it is referred to");
    BeanProperty items;
    items.name = kItems;
    items.item = bean->item;
    if (is_list_element(local_name(element)))
      read_list(element, bean->id, bean->item, items.value);
    else
      read_map(element, bean->id, items.value);
    bean->properties.push_back(std::move(items));
    tree_.add(std::move(bean));
  }

  void read_configurer(const XmlElement& element) {
    const std::string id = attribute(element, "id").empty() ? class_of(element) : attribute(element, "id");
    report_.taken(report_.add(id, "bean " + class_of(element), element.line),
                  "its lines are applied to the other beans");
    for (const XmlElement& property : element.children) {
      if (property.name != "property") continue;
      const std::string name = attribute(property, "name");
      const ItemId item = report_.add(id + "." + name, "", property.line);
      if (name != "properties") {
        report_.differently(item,
                            "says how overrides are looked for, which is not asked here: each is listed by itself");
        continue;
      }
      report_.taken(item, "its lines are applied to the other beans");
      read_overrides(property, id, item);
    }
  }

  void read_overrides(const XmlElement& property, const std::string& id, ItemId item) {
    tell_stray_text(property, id, item);
    if (const std::string* const text = property.attribute("value")) add_overrides(*text, id, property.line);
    for (const XmlElement& child : property.children) {
      if (child.name == "value") add_overrides(child.text, id, child.line);
      if (child.name != "props" && child.name != "map") continue;
      tell_stray_text(child, id, item);
      for (const XmlElement& prop : child.children) {
        const std::string key = attribute(prop, "key");
        Override one{key, {}, report_.add(id + ": " + key, prop.name == "prop" ? prop.text : shown(prop), prop.line)};
        if (prop.name == "prop") {
          one.value.kind = BeanValue::Kind::text;
          one.value.text = resolved(prop.text, one.item);
        } else {
          one.value = read_holder(prop, key, one.item);
        }
        overrides_.push_back(std::move(one));
      }
    }
  }

  void add_overrides(std::string_view text, const std::string& id, size_t line) {
    for (JavaProperty& property : read_java_properties(text)) {
      Override one{property.key, {}, report_.add(id + ": " + property.key, property.value, line + property.line)};
      if (property.key.starts_with("%{") || property.key.starts_with("${")) {
        tell_mark(one.item, property.key);
        continue;
      }
      one.value.kind = BeanValue::Kind::text;
      one.value.text = resolved(property.value, one.item);
      overrides_.push_back(std::move(one));
    }
  }

  void tell_mark(ItemId item, std::string_view text) {
    const OpenMark mark = open_mark(text);
    report_.tell(item, mark.fate, std::string(mark.said));
  }

  // Text between elements means nothing to Spring: templates of NetarchiveSuite have their marks there.
  void tell_stray_text(const XmlElement& element, const std::string& path, ItemId /*of*/) {
    for (const std::string_view line : split(element.text, '\n')) {
      const std::string_view text = trim(line);
      if (text.empty()) continue;
      const ItemId item = report_.add(path + " (text)", text, element.line);
      if (text.contains("%{"))
        tell_mark(item, text);
      else
        report_.without(item, "text between elements, which says nothing to Spring");
    }
  }

  void import(const XmlElement& element) {
    const std::string resource = attribute(element, "resource");
    const ItemId item = report_.add("import", resource, element.line);
    if (++imports_ > kMostImports)
      return report_.without(item, "more files are not imported: put its beans into this one");
    const auto text = read_(resource);
    const auto root = text ? read_xml(*text) : Result<XmlElement>(std::unexpected(text.error()));
    if (!root) return report_.without(item, root.error().message + ": put its beans into this file");
    report_.taken(item, "its beans count as if they stood here (their lines are those of that file)");
    read_file(*root);
  }

  std::string resolved(const std::string& text, ItemId item) { return without_expressions(text, item, report_); }

  ImportReport& report_;
  const ReadBeside& read_;
  BeanTree tree_;
  std::vector<Override> overrides_;
  int imports_ = 0;
};

}  // namespace

BeanTree read_beans(const XmlElement& root, ImportReport& report, const ReadBeside& read) {
  BeanReader reader(report, read);
  reader.read_file(root);
  reader.apply_overrides();
  return reader.take();
}

}  // namespace caddis::heritrix
