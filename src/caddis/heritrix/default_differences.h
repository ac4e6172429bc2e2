// Defaults of Heritrix that differ from Caddis's in what a crawl does.
#pragma once

#include "caddis/heritrix/bean.h"
#include "caddis/heritrix/import_report.h"
#include "caddis/heritrix/imported_settings.h"

namespace caddis::heritrix {

// Tells of those that the file leaves as they are.
void tell_defaults(const BeanTree& tree, const ImportedSettings& settings, ImportReport& report);

}  // namespace caddis::heritrix
