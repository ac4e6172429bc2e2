#include "caddis/store/seen_salvage.h"

#include "caddis/store/seen_run.h"

namespace caddis::store {

// Read twice: a run has to know beforehand how many values it will hold.
Result<SalvagedRun> salvage_run(io::Files& files, const std::string& folder, SeenState::Run damaged, uint64_t number) {
  TRY(const auto run, SeenRun::open(files, folder, damaged.number, damaged.values));
  SalvagedRun salvaged{.run = {.number = number, .values = 0}};
  SeenRunScan count(run, SeenRunScan::Damaged::salvaged);
  while (true) {
    TRY(const auto values, count.next());
    if (values.empty()) break;
    salvaged.run.values += values.size();
  }
  salvaged.damaged_blocks = count.damaged_blocks();
  salvaged.damaged_values = count.damaged_values();
  TRY(const auto writer, SeenRunWriter::create(files, folder, number, salvaged.run.values));
  SeenRunScan scan(run, SeenRunScan::Damaged::salvaged);
  while (true) {
    TRY(const auto values, scan.next());
    if (values.empty()) break;
    TRY_VOID(writer->add(values));
  }
  TRY_VOID(writer->finish());
  return salvaged;
}

}  // namespace caddis::store
