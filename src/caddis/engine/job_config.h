// The configuration of a job: read, checked, written, compared with its profile; and imported, if it is one of Heritrix.
//
// Any thread. Modules that a configuration loads are loaded into this process, too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/config/remarks.h"
#include "caddis/config/settings.h"
#include "caddis/engine/job_folder.h"
#include "caddis/engine/job_world.h"
#include "caddis/io/files.h"

namespace caddis::engine {

struct ConfigFindings {
  std::vector<std::string> errors;  // no crawl begins with them
  // Warnings among them: no crawl begins with these either, but they may be written on the way to a whole configuration.
  std::vector<config::Remark> remarks;
  bool is_good() const { return errors.empty(); }
};

// The settings of the file that a crawl is begun with: crawl.yaml, or the one that an import has made.
std::string settings_file_of(const JobFolder& folder);
Result<config::Settings> load_settings_of(io::Files& files, const JobFolder& folder);

ConfigFindings check_config(const JobWorld& world, const std::string& yaml_file);
// All for which no crawl could begin.
std::vector<std::string> obstacles_in(const ConfigFindings& findings);
// The same of a text that is to become the job's crawl.yaml.
Result<ConfigFindings> check_text(const JobWorld& world, const JobFolder& folder, std::string_view yaml);

// Imports crawler-beans.cxml anew into the folder `imported`. Returns what job.log has to say of it.
Result<std::vector<std::string>> import_cxml(io::Files& files, const JobFolder& folder);

struct ConfigDifference {
  std::string profile;             // the one that is extended; empty: the defaults
  std::vector<std::string> lines;  // "-politeness.delay = 3s", "+politeness.delay = 10s"
};
Result<ConfigDifference> compare_with_profile(io::Files& files, const JobFolder& folder);

// crawl.yaml of a job that extends `base` (a profile, or "./file"; may be empty) with these seeds.
std::string new_config(std::string_view base, const std::vector<std::string>& urls);

}  // namespace caddis::engine
