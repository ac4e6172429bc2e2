#include "caddis/harvestserver/harvest_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "caddis/harvest/testing.h"
#include "caddis/harvestserver/tally.h"
#include "caddis/io/memory_files.h"

namespace caddis::harvestserver {
namespace {

using sql::Connection;
using ::testing::AllOf;
using ::testing::HasSubstr;

class MetricsOf : public harvest::ArchiveTest {};
CADDIS_ON_BOTH_DATABASES(MetricsOf);

TEST_P(MetricsOf, AnArchiveWithJobsAndHarvesters) {
  create({"a.example", "b.example"});
  snapshot("all", {});
  ASSERT_TRUE(generate("all").value());
  harvest::HarvesterState one;
  one.name = "north";
  one.free_bytes = 5000;
  done([&](Connection& c) { return harvest::hear_of_harvester(c, one, now()); });
  clock.advance(std::chrono::hours(1));
  one.name = "south";
  done([&](Connection& c) { return harvest::hear_of_harvester(c, one, now()); });
  io::MemoryFiles files;
  const ServerSettings settings;
  Store store = Store::open(files, "/data").value();
  UnpackedJobs unpacked(files, "/data/unpacked");
  const Parts parts{database(), files, clock, settings, store, unpacked, "", ""};
  parts.tally->generation_millis = 1500;
  parts.tally->failed_requests = 2;
  const auto waiting = harvest_metrics(parts);
  ASSERT_TRUE(waiting) << waiting.error().message;
  EXPECT_THAT(*waiting, AllOf(HasSubstr("caddis_harvest_jobs{state=\"NEW\"} 1\n"),
                              HasSubstr("caddis_harvest_waiting_jobs{channel=\"SNAPSHOT\"} 1\n"),
                              HasSubstr("caddis_harvest_waiting_jobs{channel=\"FOCUSED\"} 0\n"),
                              HasSubstr("caddis_harvest_oldest_waiting_seconds{channel=\"SNAPSHOT\"} 3600\n"),
                              HasSubstr("caddis_harvest_oldest_waiting_seconds{channel=\"FOCUSED\"} 0\n")));
  EXPECT_THAT(*waiting,
              AllOf(HasSubstr("caddis_harvest_harvesters{state=\"alive\"} 1\n"),
                    HasSubstr("caddis_harvest_harvesters{state=\"lost\"} 1\n"),
                    HasSubstr("caddis_harvest_harvester_free_bytes{harvester=\"south\"} 5000\n"),
                    HasSubstr("caddis_harvest_domains 2\n"), HasSubstr("caddis_harvest_generation_seconds_total 1.5\n"),
                    HasSubstr("caddis_harvest_failed_requests_total 2\n")));
  run_next({});
  const auto done = harvest_metrics(parts);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_THAT(*done, AllOf(HasSubstr("caddis_harvest_jobs{state=\"DONE\"} 1\n"),
                           HasSubstr("caddis_harvest_waiting_jobs{channel=\"SNAPSHOT\"} 0\n")));
}

}  // namespace
}  // namespace caddis::harvestserver
