#include "caddis/crawl/found_seeds.h"

#include <string>

#include "caddis/crawl/meta_rows.h"
#include "caddis/crawl/seed_rows.h"
#include "caddis/crawl/statistics.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/url/public_form.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {

void FoundSeeds::on_final(visit::VisitResult& result) {
  // The row of a seed that people have named stays: it says where may be connected to.
  for (const std::string& seed : result.new_seeds) {
    // A store that cannot be read has failed elsewhere, too: then nothing is committed any more.
    const auto known = seeds_.origin(seed);
    if (!known || *known) continue;
    seeds_.put(seed, kFoundSeed);
    statistics_.seeds().add(url::public_form(seed));
  }
  for (const std::string& range : result.new_ranges)
    rows_.put(std::string(kRangeRow) + range, result.disposition.lease.host);
}

}  // namespace caddis::crawl
