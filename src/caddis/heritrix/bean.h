// Beans as a configuration file states them: the tree that readers of cxml and of order.xml build, and the importer walks.
//
// Every bean, property, entry of a map and item of a list is an item of the report. Beans that are referred to by name
// are found in the tree that owns them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/heritrix/import_report.h"

namespace caddis::heritrix {

struct Bean;

struct BeanValue {
  enum class Kind { none, text, reference, bean, list, map };

  Kind kind = Kind::none;
  std::string text;               // a text, or the name of the bean that is referred to
  std::unique_ptr<Bean> bean;     // one that is written here
  std::vector<BeanValue> items;   // of a list; values of a map
  std::vector<std::string> keys;  // of a map
  ItemId item = kNoItem;          // as an item of a list or an entry of a map

  bool is_text() const { return kind == Kind::text; }
  bool is_list() const { return kind == Kind::list; }
  bool is_map() const { return kind == Kind::map; }
};

struct BeanProperty {
  std::string name;
  BeanValue value;
  ItemId item = kNoItem;
};

struct Bean {
  std::string id, class_name;
  std::vector<BeanProperty> properties;
  ItemId item = kNoItem;

  // The class without its package: "FetchHTTP".
  std::string_view kind() const;
  // Null if it is not stated.
  const BeanProperty* find(std::string_view property) const;
  BeanProperty* find(std::string_view property);
  // The text of a property without blanks around it, or `otherwise`.
  std::string text(std::string_view property, std::string_view otherwise = {}) const;
};

class BeanTree {
 public:
  // A bean at the top of the file.
  Bean& add(std::unique_ptr<Bean> bean);
  // By its id, wherever it stands; null if there is none.
  const Bean* find(std::string_view id) const;
  Bean* find(std::string_view id);
  // The first one of a class.
  const Bean* find_kind(std::string_view kind) const;
  // The bean that a value is, or refers to; null if it is none.
  const Bean* follow(const BeanValue& value) const;
  // The items of a list, also of one that stands elsewhere and is referred to; null if it is none.
  const BeanValue* list(const BeanValue& value) const;
  // All beans, those inside others behind these.
  void each(const std::function<void(const Bean&)>& visit) const;
  const std::vector<std::unique_ptr<Bean>>& beans() const { return beans_; }

 private:
  std::vector<std::unique_ptr<Bean>> beans_;
};

// Lists that stand by themselves (util:list, java.util.ArrayList) are beans of this kind with the property kItems.
inline constexpr std::string_view kListBean = "ArrayList";
inline constexpr std::string_view kItems = "items";

}  // namespace caddis::heritrix
