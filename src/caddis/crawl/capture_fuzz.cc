// A server's bytes as a capture: whatever they are, both digests of the records hold for who checks the archive.
#include <algorithm>
#include <cstdint>
#include <string>

#include "caddis/archive/capture.h"
#include "caddis/base/check.h"
#include "caddis/http/recorder.h"
#include "caddis/io/digest.h"
#include "caddis/io/memory_files.h"
#include "caddis/warc/check.h"

using namespace caddis;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  io::MemoryFiles files;
  io::SpoolFolder folder(files, "spool");
  http::ResponseRecorder recorder(folder, http::Limits{.max_body = 5000, .max_head = 2000, .memory = 1000}, "GET");
  CADDIS_CHECK(recorder.feed({reinterpret_cast<const char*>(data), size}).has_value());
  const auto end = recorder.wants_more() ? http::ResponseRecorder::End::closed : http::ResponseRecorder::End::complete;
  const http::FetchResult recorded = recorder.finish(end);
  if (!recorded) return 0;

  const std::string block = io::digest_label(recorded->block_digest),
                    payload = io::digest_label(recorded->payload_digest);
  const archive::HttpCapture capture{"http://h.example/",
                                     WallTime(),
                                     "192.0.2.1",
                                     "GET / HTTP/1.1\r\n\r\n",
                                     recorded->response,
                                     block,
                                     payload,
                                     {},  // not truncated: what is stored is what was digested
                                     {},
                                     {},
                                     recorded->head_size,
                                     false,
                                     {}};
  SeededRandom random(1);
  archive::Records records{io::Spool(folder, 1 << 20)};
  CADDIS_CHECK(archive::write_http_capture(capture, archive::RecordForm(), random, records).has_value());
  const std::string bytes = *records.bytes.to_string(1 << 20);
  const auto checked = warc::check_file(warc::MemorySource(bytes), [](const warc::Finding& finding) {
    CADDIS_CHECK(finding.level == warc::Level::info);
  });
  CADDIS_CHECK(checked.has_value() && checked->digests == 4);
  return 0;
}
