// Sheets of Heritrix 3 with their associations, and settings of hosts of Heritrix 1, as sheets of Caddis.
#pragma once

#include <string>
#include <vector>

#include "caddis/heritrix/import.h"
#include "caddis/settings/sheet.h"

namespace caddis::heritrix {

struct ImportedSheet {
  settings::Sheet sheet;
  ItemId item = kNoItem;  // of the association
};

// Returns the sheets that an association names. They are added to the settings when these are whole.
std::vector<ImportedSheet> import_sheets(Import& import);

}  // namespace caddis::heritrix
