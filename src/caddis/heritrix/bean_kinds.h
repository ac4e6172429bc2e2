// The classes of beans that Heritrix, NetarchiveSuite and CrawlRSS have: the role that each plays, and what plays it in
// Caddis.
#pragma once

#include <span>
#include <string_view>

#include "caddis/heritrix/import_report.h"

namespace caddis::heritrix {

struct BeanKind {
  std::string_view class_name;  // without its package
  // The name under which settings of Caddis know its properties: the bean's id in Heritrix's default profile.
  std::string_view role;
  Fate fate = Fate::taken;
  std::string_view said;
};

std::span<const BeanKind> bean_kinds();
// Null if there is none.
const BeanKind* find_bean_kind(std::string_view class_name);

// Returns the words about all classes of a known project, by its package; empty if it is unknown.
std::string_view package_words(std::string_view class_name);

}  // namespace caddis::heritrix
