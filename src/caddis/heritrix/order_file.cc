// Every object becomes a bean under its own name, with its settings as properties under Heritrix 3's names; what has moved
// since goes to the bean that has it now. The maps of processors become chains.
#include "caddis/heritrix/order_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/heritrix/order_names.h"

namespace caddis::heritrix {
namespace {

constexpr std::string_view kController = "CrawlOrder";

std::string attribute(const XmlElement& element, std::string_view name) {
  const std::string* const found = element.attribute(name);
  return found == nullptr ? "" : *found;
}

std::string kind_of(std::string_view class_name) { return std::string(class_name.substr(class_name.rfind('.') + 1)); }

BeanValue text_value(std::string_view text) {
  BeanValue value;
  value.kind = BeanValue::Kind::text;
  value.text = trim(text);
  return value;
}

BeanProperty property_of(std::string_view name, BeanValue value, ItemId item = kNoItem) {
  BeanProperty property;
  property.name = name;
  property.value = std::move(value);
  property.item = item;
  return property;
}

bool is_list_of_texts(const XmlElement& element) { return element.name.ends_with("List"); }

class OrderReader {
 public:
  OrderReader(ImportReport& report, const ReadBeside& read, const ListBeside& list)
      : report_(report), read_(read), list_(list) {}

  void read_file(const XmlElement& root) {
    if (const XmlElement* const meta = root.child("meta")) read_meta(*meta);
    const XmlElement* const controller = root.child("controller");
    if (controller == nullptr) return;
    for (const XmlElement& element : controller->children) read_part(element, attribute(element, "name"));
    add_chain("fetchProcessors", "FetchChain", fetching_);
    add_chain("dispositionProcessors", "DispositionChain", writing_);
    const std::string settings = settings_folder_.empty() ? "settings" : settings_folder_;
    for (const std::string& file : list_(settings)) read_host(settings, file);
  }

  BeanTree take() { return std::move(tree_); }

 private:
  // A bean that Heritrix 1 does not have, and that settings have moved to.
  Bean& made(OrderTarget target) {
    if (Bean* const found = tree_.find(target.id); found != nullptr && found->class_name == target.class_name)
      return *found;
    auto bean = std::make_unique<Bean>();
    bean->id = target.id;
    bean->class_name = target.class_name;
    return tree_.add(std::move(bean));
  }

  void read_meta(const XmlElement& meta) {
    for (const XmlElement& element : meta.children) {
      const std::string name = element.name == "name" ? "jobName" : element.name;
      const ItemId item = report_.add("meta/" + element.name, element.text, element.line);
      if (trim(element.text).empty())
        report_.taken(item, "it is empty");
      else
        made({"metadata", "CrawlMetadata"}).properties.push_back(property_of(name, text_value(element.text), item));
    }
  }

  void read_part(const XmlElement& element, const std::string& name) {
    const std::string path = "controller/" + name;
    if (name == "scope") return read_scope(element, path);
    if (name == "http-headers") return read_headers(element, path);
    if (name == "robots-honoring-policy") return read_robots(element, path);
    if (name == "uri-canonicalization-rules") return read_key_rules(element, path);
    if (name == "pre-fetch-processors" || name == "fetch-processors" || name == "extract-processors")
      return read_processors(element, path, fetching_);
    if (name == "write-processors" || name == "post-processors") return read_processors(element, path, writing_);
    if (name == "loggers") return read_processors(element, path, others_);
    if (element.name == "newObject") {
      add_object(element, path);
      return;
    }
    if (name == "settings-directory") settings_folder_ = trim(element.text);
    const std::string property = property_name(name);
    const ItemId item = report_.add(path, element.text, element.line);
    if (trim(element.text).empty() && element.children.empty())
      report_.taken(item, "it is empty");
    else
      made(moved_to(kController, property))
          .properties.push_back(property_of(property, read_value(element, path, item), item));
  }

  Bean& add_object(const XmlElement& element, const std::string& path) {
    Bean& bean = tree_.add(read_object(element, path));
    move_settings(bean);
    return bean;
  }

  std::unique_ptr<Bean> read_object(const XmlElement& element, const std::string& path) {
    auto bean = std::make_unique<Bean>();
    bean->id = attribute(element, "name");
    bean->class_name = attribute(element, "class");
    bean->item = report_.add(path, kind_of(bean->class_name), element.line);
    kinds_[bean->id] = bean->kind();
    for (const XmlElement& child : element.children) add_property(*bean, child, path);
    return bean;
  }

  void add_property(Bean& bean, const XmlElement& element, const std::string& path) {
    const std::string name = attribute(element, "name");
    if (name.empty()) return;
    const std::string place = path + "/" + name;
    BeanProperty property;
    property.name = property_name(name);
    if (element.name == "newObject") {
      property.value.kind = BeanValue::Kind::bean;
      property.value.bean = read_object(element, place);
      property.item = property.value.bean->item;
    } else {
      property.item = report_.add(place, element.text, element.line);
      property.value = read_value(element, place, property.item);
    }
    if (name == "list-logic") property.value.text = to_lower(property.value.text) == "and" ? "false" : "true";
    const bool is_empty = (property.value.is_text() && property.value.text.empty()) ||
                          (property.value.is_list() && property.value.items.empty());
    if (is_empty && property.name != "rules")
      report_.taken(property.item, "it is empty");
    else
      bean.properties.push_back(std::move(property));
  }

  BeanValue read_value(const XmlElement& element, const std::string& path, ItemId item) {
    if (!is_list_of_texts(element) && element.name != "map") return text_value(element.text);
    BeanValue value;
    value.kind = BeanValue::Kind::list;
    for (const XmlElement& child : element.children) {
      BeanValue one;
      if (child.name == "newObject") {
        one.kind = BeanValue::Kind::bean;
        one.bean = read_object(child, path + "/" + attribute(child, "name"));
        one.item = one.bean->item;
      } else {
        one = text_value(child.text);
        one.item = report_.add_part(item, fmt::format("{}[{}]", path, value.items.size()), child.text, child.line);
      }
      value.items.push_back(std::move(one));
    }
    return value;
  }

  // Settings that another bean has in Heritrix 3, and policies that are named by their classes.
  void move_settings(Bean& bean) {
    const std::string kind(bean.kind());
    std::vector<BeanProperty> kept, moved;
    for (BeanProperty& property : bean.properties) {
      const bool goes = !moved_to(kind, property.name).id.empty() || is_policy(property.name);
      (goes ? moved : kept).push_back(std::move(property));
    }
    bean.properties = std::move(kept);
    // `bean` may have gone elsewhere when others are added; it is not needed any more.
    for (BeanProperty& property : moved) {
      if (is_policy(property.name))
        add_policy(property);
      else
        made(moved_to(kind, property.name)).properties.push_back(std::move(property));
    }
  }

  static bool is_policy(std::string_view property) {
    return property == "queueAssignmentPolicy" || property == "costPolicy" || property == "uriIncludedStructure";
  }

  void add_policy(const BeanProperty& property) {
    auto policy = std::make_unique<Bean>();
    policy->id = property.name;
    policy->class_name = property.value.text;
    policy->item = property.item;
    tree_.add(std::move(policy));
  }

  void read_scope(const XmlElement& element, const std::string& path) {
    const std::string kind = kind_of(attribute(element, "class"));
    std::unique_ptr<Bean> scope = read_object(element, path);
    auto sequence = std::make_unique<Bean>();
    sequence->id = "scope";
    sequence->class_name = "DecideRuleSequence";
    sequence->item = scope->item;
    for (BeanProperty& property : scope->properties) {
      if (property.name == "seedsfile") {
        move_seeds(std::move(property));
      } else if (property.name == "decideRules" && property.value.bean) {
        report_.taken(property.value.bean->item, "scope.rules");
        for (BeanProperty& inner : property.value.bean->properties) sequence->properties.push_back(std::move(inner));
      } else {
        sequence->properties.push_back(std::move(property));
      }
    }
    if (const std::string_view rule = seed_rule_of_scope(kind); !rule.empty() && sequence->find("rules") == nullptr)
      add_rules_of_old_scope(*sequence, rule);
    tree_.add(std::move(sequence));
  }

  void move_seeds(BeanProperty file) {
    auto source = std::make_unique<Bean>();
    source->class_name = "ConfigFile";
    source->properties.push_back(property_of("path", std::move(file.value)));
    BeanValue value;
    value.kind = BeanValue::Kind::bean;
    value.bean = std::move(source);
    made({"seeds", "TextSeedModule"}).properties.push_back(property_of("textSource", std::move(value), file.item));
  }

  // Scopes of the first kind have numbers and filters instead of rules.
  void add_rules_of_old_scope(Bean& scope, std::string_view seed_rule) {
    BeanValue rules;
    rules.kind = BeanValue::Kind::list;
    const auto add = [&](std::string_view kind, std::string_view number, std::string_view order_name) {
      auto rule = std::make_unique<Bean>();
      rule->class_name = kind;
      const BeanProperty* const stated = scope.find(order_name);
      if (!order_name.empty() && stated == nullptr) return;
      if (stated != nullptr)
        rule->properties.push_back(property_of(number, text_value(stated->value.text), stated->item));
      BeanValue one;
      one.kind = BeanValue::Kind::bean;
      one.bean = std::move(rule);
      rules.items.push_back(std::move(one));
    };
    add("RejectDecideRule", "", "");
    add(seed_rule, "", "");
    add("TooManyHopsDecideRule", "maxHops", "maxLinkHops");
    add("TransclusionDecideRule", "maxTransHops", "maxTransHops");
    std::erase_if(scope.properties,
                  [](const BeanProperty& one) { return one.name == "maxLinkHops" || one.name == "maxTransHops"; });
    scope.properties.push_back(property_of("rules", std::move(rules)));
  }

  void read_headers(const XmlElement& element, const std::string& path) {
    report_.taken(report_.add(path, "", element.line), "section fetch");
    for (const XmlElement& child : element.children) {
      const std::string name = attribute(child, "name");
      const ItemId item = report_.add(path + "/" + name, child.text, child.line);
      Bean& metadata = made({"metadata", "CrawlMetadata"});
      if (name == "user-agent")
        add_user_agent(metadata, trim(child.text), item);
      else if (name == "from")
        metadata.properties.push_back(property_of("operatorFrom", text_value(child.text), item));
    }
  }

  // "Mozilla/5.0 (compatible; heritrix/1.14 +http://me.org/)": the page in it is the contact.
  void add_user_agent(Bean& metadata, std::string_view agent, ItemId item) {
    std::string text(agent);
    if (const size_t plus = text.find("+http"); plus != std::string::npos) {
      const size_t end = std::min(text.find_first_of(" );", plus), text.size());
      metadata.properties.push_back(
          property_of("operatorContactUrl", text_value(text.substr(plus + 1, end - plus - 1)), item));
      text.replace(plus + 1, end - plus - 1, "@OPERATOR_CONTACT_URL@");
    }
    metadata.properties.push_back(property_of("userAgentTemplate", text_value(text), item));
  }

  void read_robots(const XmlElement& element, const std::string& path) {
    auto policy = read_object(element, path);
    report_.taken(policy->item, "section robots");
    std::string type = policy->text("type", "classic");
    const BeanProperty* const stated = policy->find("type");
    if (stated != nullptr)
      made({"metadata", "CrawlMetadata"})
          .properties.push_back(property_of("robotsPolicyName", text_value(type), stated->item));
    const std::string_view kind = type == "custom"                   ? "CustomRobotsPolicy"
                                  : type.starts_with("most-favored") ? "MostFavoredRobotsPolicy"
                                                                     : "";
    for (BeanProperty& property : policy->properties) {
      if (property.name == "userAgents") property.name = "candidateUserAgents";
      if (property.name == "masquerade") property.name = "shouldMasquerade";
      if (kind.empty() && property.name != "type")
        report_.taken(property.item, fmt::format("it does not count with the policy {}", type));
    }
    if (kind.empty()) return;
    std::erase_if(policy->properties, [](const BeanProperty& property) { return property.name == "type"; });
    policy->id = type;
    policy->class_name = kind;
    tree_.add(std::move(policy));
  }

  void read_key_rules(const XmlElement& element, const std::string& path) {
    const ItemId item = report_.add(path, "", element.line);
    auto policy = std::make_unique<Bean>();
    policy->id = "canonicalizationPolicy";
    policy->class_name = "RulesCanonicalizationPolicy";
    policy->item = item;
    policy->properties.push_back(property_of("rules", read_value(element, path, item), item));
    tree_.add(std::move(policy));
  }

  void read_processors(const XmlElement& element, const std::string& path, std::vector<std::string>& chain) {
    report_.taken(report_.add(path, "", element.line), "each by itself");
    for (const XmlElement& child : element.children) {
      const std::string name = attribute(child, "name");
      if (child.name != "newObject") continue;
      add_object(child, path + "/" + name);
      chain.push_back(name);
    }
  }

  void add_chain(std::string_view id, std::string_view kind, const std::vector<std::string>& names) {
    BeanValue list;
    list.kind = BeanValue::Kind::list;
    for (const std::string& name : names) {
      BeanValue reference;
      reference.kind = BeanValue::Kind::reference;
      reference.text = name;
      list.items.push_back(std::move(reference));
    }
    auto chain = std::make_unique<Bean>();
    chain->id = id;
    chain->class_name = kind;
    chain->properties.push_back(property_of("processors", std::move(list)));
    tree_.add(std::move(chain));
  }

  // settings/org/example/settings.xml: what holds for example.org and the hosts below it.
  void read_host(const std::string& folder, const std::string& file) {
    std::string site;
    for (const std::string_view label : split(file, '/'))
      if (!label.ends_with(".xml")) site = site.empty() ? std::string(label) : fmt::format("{}.{}", label, site);
    const std::string path = folder + "/" + file;
    const ItemId item = report_.add(path, site, 0);
    const auto text = read_(path);
    const auto root = text ? read_xml(*text) : Result<XmlElement>(std::unexpected(text.error()));
    if (!root || site.empty())
      return report_.without(
          item, root ? "it belongs to no host" : root.error().message + ": write a sheet (docs/sheets.md)");
    BeanValue map;
    map.kind = BeanValue::Kind::map;
    collect(*root, path, map);
    report_.taken(item, "a sheet for that site");
    add_sheet(site, item, std::move(map));
  }

  // Objects of any depth, by the names that order.xml has for them.
  void collect(const XmlElement& element, const std::string& path, BeanValue& map) {
    const std::string object = attribute(element, "name");
    const auto kind = kinds_.find(object);
    for (const XmlElement& child : element.children) {
      const std::string name = attribute(child, "name");
      if (!child.children.empty() || name.empty() || object.empty()) {
        collect(child, object.empty() ? path : path + "/" + object, map);
        continue;
      }
      BeanValue value = text_value(child.text);
      value.item = report_.add(fmt::format("{}/{}/{}", path, object, name), child.text, child.line);
      if (kind == kinds_.end()) {
        report_.without(value.item, "order.xml has no object of that name");
        continue;
      }
      const std::string property = property_name(name);
      const OrderTarget target = moved_to(kind->second, property);
      map.keys.push_back(fmt::format("{}.{}", target.id.empty() ? std::string_view(object) : target.id, property));
      map.items.push_back(std::move(value));
    }
  }

  void add_sheet(const std::string& site, ItemId item, BeanValue map) {
    auto sheet = std::make_unique<Bean>();
    sheet->id = site;
    sheet->class_name = "Sheet";
    sheet->item = item;
    sheet->properties.push_back(property_of("map", std::move(map)));
    tree_.add(std::move(sheet));
    auto association = std::make_unique<Bean>();
    association->class_name = "SurtPrefixesSheetAssociation";
    association->item = item;
    for (const std::string_view name : {"surtPrefixes", "targetSheetNames"}) {
      BeanValue list;
      list.kind = BeanValue::Kind::list;
      list.items.push_back(text_value(site));
      association->properties.push_back(property_of(name, std::move(list)));
    }
    tree_.add(std::move(association));
  }

  ImportReport& report_;
  const ReadBeside& read_;
  const ListBeside& list_;
  BeanTree tree_;
  std::map<std::string, std::string, std::less<>> kinds_;  // objects by their names
  std::vector<std::string> fetching_, writing_, others_;
  std::string settings_folder_;
};

}  // namespace

BeanTree read_order(const XmlElement& root, ImportReport& report, const ReadBeside& read, const ListBeside& list) {
  OrderReader reader(report, read, list);
  reader.read_file(root);
  return reader.take();
}

}  // namespace caddis::heritrix
