// Names of fields in a query that are no field of a capture: members that some indexes have in their lines, or misspelt ones.
// It sees the lines at which the query looks, and tells which of the names none of them has. One thread at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "caddis/cdx/query.h"

namespace caddis::cdx {

class UnknownFields {
 public:
  // From fl=, filter= and collapse=.
  explicit UnknownFields(const Query& query);
  // Has the query tell its lines, of those that may be shown; they outlive it together. Null: all its names are known.
  static std::shared_ptr<UnknownFields> watch(Query& query);

  void see(const Capture& capture);
  // Returns the names that no line had so far, "nosuch, bogus". Empty if there was no line.
  std::string told() const;

 private:
  std::vector<std::string> names_;  // without those that a line had
  bool has_seen_ = false;
};

}  // namespace caddis::cdx
