// crawler-beans.cxml of Heritrix 3 as a tree of beans, with the overrides in it applied.
//
//   beans      = bean*                              ; ids, classes, properties as attributes and elements, lists, maps
//   overrides  = PropertyOverrideConfigurer         ; "metadata.jobName=x", "scope.rules[2].maxHops=3", as text or props
//   expression = "#{systemEnvironment['X'] ?: 'y'}" ; stands for y; "${x:y}" likewise
//
// Everything that the file states is an item of the report. What is wrong with an override is told there, too; only a file
// that is no XML, or of another kind, is an error.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/heritrix/bean.h"
#include "caddis/heritrix/import_report.h"
#include "caddis/heritrix/xml_document.h"

namespace caddis::heritrix {

// Reads a file beside the one that is imported, by the name it is given there.
using ReadBeside = std::function<Result<std::string>(const std::string& name)>;

// `root` is the element <beans>. Files that it imports are read, too, to a bounded depth.
BeanTree read_beans(const XmlElement& root, ImportReport& report, const ReadBeside& read);

}  // namespace caddis::heritrix
