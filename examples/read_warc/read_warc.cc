// Lists what a WARC file holds: the type and the URL of every record.   read_warc FILE
#include <caddis/io/files.h>
#include <caddis/warc/reader.h>

#include <iostream>

caddis::Result<void> list(const char* path) {
  TRY(const auto file, caddis::io::real_files().open_read(path));
  const caddis::warc::FileSource source(*file);
  caddis::warc::Reader reader(source);
  for (;;) {
    TRY(caddis::warc::Record * record, reader.next());
    if (record == nullptr) return {};
    std::cout << record->header().get("WARC-Type") << ' ' << record->header().target_uri() << '\n';
  }
}

int main(int argc, char** argv) {
  const auto listed = list(argc > 1 ? argv[1] : "");
  if (!listed) std::cerr << "read_warc: " << listed.error().message << '\n';
  return listed ? 0 : 1;
}
