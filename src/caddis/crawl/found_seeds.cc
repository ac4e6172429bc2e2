#include "caddis/crawl/found_seeds.h"

#include <string>

#include "caddis/crawl/meta_rows.h"
#include "caddis/crawl/statistics.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/url/public_form.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {

void FoundSeeds::on_final(visit::VisitResult& result) {
  // The row of a seed that people have named stays: it says where may be connected to.
  for (const std::string& seed : result.new_seeds)
    if (statistics_.seeds().add(url::public_form(seed))) rows_.put(std::string(kSeedRow) + seed, kFoundSeed);
  for (const std::string& range : result.new_ranges)
    rows_.put(std::string(kRangeRow) + range, result.disposition.lease.host);
}

}  // namespace caddis::crawl
