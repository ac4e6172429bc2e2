// Where an element ends whose content is not markup.
#pragma once

#include <cstddef>
#include <string_view>

namespace caddis::html {

// Whether `name` (lower case, not empty) stands at `at` as the whole name of a tag.
bool is_end_tag_name(std::string_view source, size_t at, std::string_view name);

// The position of the `</` that ends the script beginning at `from`, or the end of the source. Within `<!--` … `-->` a
// `<script>` hides the next `</script>` (HTML Standard, 13.2.5.4 and 13.2.5.15 to 31).
size_t find_script_end(std::string_view source, size_t from, std::string_view name);

}  // namespace caddis::html
