// Indexes archive files that are put into the folders of served collections, every now and then (cdx/auto_index.h).
#pragma once

#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "served_archive.h"

namespace caddis::cli {

// Looks until somebody asks to stop; `every` between two looks. What is found and what fails is logged.
aio::Task<void> index_new_files(aio::Loop& loop, aio::Blocking& workers, const CurrentArchive& current, Duration every);

}  // namespace caddis::cli
