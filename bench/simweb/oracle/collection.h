// The files of a collection, and which crawl each of them is of.
//
// A crawl is one launch: a folder in `crawls`, however often it was resumed. The warcinfo record with which a WARC file
// of Caddis begins names its launch. Files that name none are of the only crawl there is, where there is one; where
// there are several they are taken for one more, without a name.
#pragma once

#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace simweb {

struct CollectionFile {
  std::string path, crawl;
};
struct CollectionFiles {
  std::vector<CollectionFile> archives, logs;
  std::vector<CollectionFile> outcome_logs;  // by protocol and by fate, in JSON
};

// archive/*.warc[.gz], or those in the folder itself, crawls/*/logs/crawl.log, and beside it http.jsonl, dns.jsonl,
// failures.jsonl and not-crawled.jsonl, if all of them are there, with all of their files. `more_logs` lie elsewhere. Only
// those of one crawl, where `only` names it.
caddis::Result<CollectionFiles> find_collection_files(caddis::io::Files& files, const std::string& folder,
                                                      const std::vector<std::string>& more_logs = {},
                                                      const std::string& only = {});

}  // namespace simweb
