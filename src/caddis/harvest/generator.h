// Makes the jobs of a harvest whose date has come. Configurations are read in pieces, and each piece becomes jobs in one
// transaction, with the place up to which the harvest has come: so memory is that of a piece, whatever the harvest has, and a
// generation that was broken off goes on where it was, without a job twice.
//
// Any thread; a harvest is claimed by whoever generates it, so that none is generated twice at the same time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/harvest/domains.h"
#include "caddis/harvest/expectation.h"
#include "caddis/harvest/job_splitter.h"
#include "caddis/sql/database.h"

namespace caddis::harvest {

struct GeneratorSettings {
  ExpectationSettings expectation;
  SplitSettings split;
  size_t piece = 10'000;                           // configurations
  int64_t alias_validity = int64_t{365} * 86'400;  // seconds after an alias was confirmed
  bool waits_for_harvesters = true;                // a selective harvest whose channel nobody serves
  int64_t harvester_silence = 1800;                // seconds after which nobody counts on a harvester
  int64_t claim = 300;                             // seconds that a piece may take
  int64_t max_silence = 1800, max_idle = 1800;     // of crawls, in seconds (noResponseTimeout, inactivityTimeout)
  std::string contact;                             // under which site owners reach the archive
  int64_t earlier_jobs = 200;                      // of the harvest, whose payloads are not stored again; 0: none
};

struct Generated {
  int64_t jobs = 0, configurations = 0, left_out = 0;  // left out: without live seeds, or with a limit of 0
  int64_t missed = 0;                                  // dates of the schedule
};

// By what somebody generates a harvest, and why it was due then: people may ask for another run while its jobs are made.
struct Claim {
  int64_t until = 0;      // generating_until, by which they have it
  int64_t asked = 0;      // when somebody had asked for the run; 0 if nobody had
  bool is_extra = false;  // it takes the place of no date
};

class Generator {
 public:
  // Both must outlive it.
  Generator(sql::Database& database, const Clock& clock, GeneratorSettings settings)
      : database_(database), clock_(clock), settings_(std::move(settings)) {}

  // The numbers of the harvests whose date has come, and which nobody generates.
  Result<std::vector<int64_t>> due() const;
  // Generates one of them. Nothing if it is not due any more, waits for something, or was deactivated meanwhile. If it fails, the
  // harvest is deactivated, and says why.
  Result<std::optional<Generated>> generate(int64_t definition) const;

 private:
  int64_t now() const;
  // Returns nothing if it is not due, or somebody else has it.
  Result<std::optional<Claim>> claim(int64_t definition) const;
  Result<std::optional<Generated>> generate_claimed(int64_t definition, Claim claim) const;

  sql::Database& database_;
  const Clock& clock_;
  const GeneratorSettings settings_;
};

}  // namespace caddis::harvest
