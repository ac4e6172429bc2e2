// A configuration of Heritrix as one of Caddis: crawl.yaml, the seeds and lists that it names, and a report of every item.
//
//   TRY(Imported imported, import_configuration(source, "/home/me/crawl"));
//   TRY_VOID(write_import(files, "/home/me/crawl", imported));
//
// Pure but for what `source` reads beside the file. Any thread.
#pragma once

#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/heritrix/bean_file.h"
#include "caddis/heritrix/import.h"
#include "caddis/heritrix/import_report.h"
#include "caddis/heritrix/imported_settings.h"
#include "caddis/heritrix/order_file.h"

namespace caddis::io {
class Files;
}  // namespace caddis::io

namespace caddis::heritrix {

struct ImportSource {
  std::string name;  // for people: the path of the file
  std::string text;
  ReadBeside read;
  ListBeside list;
};
// A file on a disk, with what lies beside it.
Result<ImportSource> import_source_of_file(io::Files& files, const std::string& path);

struct Imported {
  ImportedSettings settings;
  ImportReport report;
  std::vector<ImportedFile> files;  // crawl.yaml first, import.txt last
  // The reason why no crawl would start with crawl.yaml as it stands; empty if all is well.
  std::string open_question;
};

// crawler-beans.cxml, or order.xml. `folder` is the whole path that the files will have, since crawl.yaml names them by it.
// ErrorCode::parse for what is no XML, ErrorCode::config for another kind of file.
Result<Imported> import_configuration(const ImportSource& source, const std::string& folder);

// Makes the folder, and writes all files. ErrorCode::conflict if one of them is there; then none is written.
Result<void> write_import(io::Files& files, const std::string& folder, const Imported& imported);

}  // namespace caddis::heritrix
