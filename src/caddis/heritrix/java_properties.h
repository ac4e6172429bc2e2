// Lines of a Java property list ("key=value"), as `simpleOverrides` has them: java.util.Properties.load.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace caddis::heritrix {

struct JavaProperty {
  std::string key, value;
  size_t line = 0;  // from 0, in the text
};

// In the order of the text. Comments (# and !), continued lines and escapes are as in Java; any text is a property list.
std::vector<JavaProperty> read_java_properties(std::string_view text);

}  // namespace caddis::heritrix
