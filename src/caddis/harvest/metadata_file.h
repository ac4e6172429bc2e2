// The metadata file of a job: a WARC file with what documents the harvest, kept beside what it brought. Names and order of the
// records are those of NetarchiveSuite, so that its readers find what they look for:
//
//   warcinfo
//   metadata://ORGANISATION/crawl/setup/{aliases,duplicatereductionjobs}?majorversion=1&minorversion=0&harvestid=…
//   metadata://ORGANISATION/crawl/{setup,reports,logs}/FILE?heritrixVersion=…&harvestid=…&jobid=…
//   metadata://ORGANISATION/crawl/index/cdx?majorversion=2&minorversion=0&harvestid=…&jobid=…&filename=WARC
//
// Files of any size are copied piece by piece. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/base/random.h"
#include "caddis/collection/launch.h"
#include "caddis/io/files.h"

namespace caddis::harvest {

struct MetadataSource {
  int64_t job = 0, harvest = 0, run = 0;
  std::string organisation;              // "archive.example"
  std::string host, ip;                  // this machine's, if the crawl's own files do not tell theirs
  std::string setup;                     // the folder with the files of the job (job_files.h)
  std::vector<std::string> setup_files;  // those of them that are there
  collection::Launch launch;
};

// "12-metadata-1.warc.gz"
std::string metadata_name(int64_t job);
// Writes it to `path`. `scratch`: a folder of its own for what is put together on the way; it is made, and stays.
Result<void> write_metadata_file(io::Files& files, const std::string& path, const std::string& scratch,
                                 const MetadataSource& source, WallTime now, Random& random);

}  // namespace caddis::harvest
