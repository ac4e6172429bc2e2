// order.xml of Heritrix 1 as a tree of beans, as Heritrix 3 would have them: the same importer goes on from there.
//
//   crawl-order = meta controller
//   controller  = (string / integer / long / boolean / float / text / stringList / newObject / map)*
//
// Settings of hosts (settings/org/example/settings.xml) become sheets with associations. The paths in the report are those
// of Heritrix 1: "controller/frontier/delay-factor".
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "caddis/heritrix/bean.h"
#include "caddis/heritrix/bean_file.h"
#include "caddis/heritrix/import_report.h"
#include "caddis/heritrix/xml_document.h"

namespace caddis::heritrix {

// The files of settings of hosts below a folder beside the file, as "org/example/settings.xml".
using ListBeside = std::function<std::vector<std::string>(const std::string& folder)>;

// `root` is the element <crawl-order>.
BeanTree read_order(const XmlElement& root, ImportReport& report, const ReadBeside& read, const ListBeside& list);

}  // namespace caddis::heritrix
