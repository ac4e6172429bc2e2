// A collection told in words: title, description and further fields, in metadata.yaml of its folder
// (docs/formats/collection.md). It is the file that pywb reads, too.
//
// Any thread; one process at a time writes.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/collection/layout.h"
#include "caddis/io/files.h"

namespace caddis::collection {

class Metadata {
 public:
  using Field = std::pair<std::string, std::string>;

  // In the order of the file; no value is empty.
  const std::vector<Field>& fields() const { return fields_; }
  // Empty if there is none.
  std::string_view get(std::string_view name) const;
  std::string_view title() const { return get("title"); }
  std::string_view description() const { return get("description"); }
  // An empty value takes the field away.
  void set(std::string_view name, std::string value);

 private:
  std::vector<Field> fields_;
};

std::string metadata_file(const Layout& layout);

// Empty if there is no such file. A list of texts is one field, with commas; what is built of more is left out.
// ErrorCode::config, which names file and line, if it cannot be read.
Result<Metadata> read_metadata(io::Files& files, const Layout& layout);
// The same of any file of this form.
Result<Metadata> read_metadata(io::Files& files, const std::string& path);

// Sets these fields, and leaves the others. Durable when it returns. ErrorCode::config if a name cannot be one, or the file has
// what would be lost.
Result<void> change_metadata(io::Files& files, const Layout& layout, const std::vector<Metadata::Field>& changes);

}  // namespace caddis::collection
