// One line of a crawl.log: Caddis's, Heritrix's, and Heritrix's with what its DeDuplicator adds
// (docs/formats/crawl-log.md).
//
//   time status size url hops via mime thread begin+ms digest source annotations [{"contentSize":…}]
//
// Views into the line that was parsed, which has to stay; nothing is copied. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace caddis::logs {

class LogLine {
 public:
  static constexpr size_t kFields = 12;
  enum Field : uint8_t { time, status_code, size, url, hops, via, mime, thread, fetch, digest, source, annotations };

  // Returns false if the text has not all fields. Annotations may be missing; blanks may stand in them.
  bool parse(std::string_view text);

  // As it stands there; "-" for an empty one.
  std::string_view field(Field name) const { return fields_[name]; }
  // Empty instead of "-".
  std::string_view known(Field name) const { return fields_[name] == "-" ? std::string_view() : fields_[name]; }
  // The JSON object behind the fields; empty if there is none.
  std::string_view json() const { return json_; }

  // Returns nothing if it is no number.
  std::optional<int> status() const;
  // Head and body of what was captured, if the line tells: by an annotation (content-size:N) or its JSON. Otherwise what
  // its third field has, which is the body alone in logs of Heritrix. 0 where nothing was captured.
  uint64_t bytes() const;
  // One of the annotations begins so.
  bool has_annotation(std::string_view beginning) const;

 private:
  std::array<std::string_view, kFields> fields_;
  std::string_view json_;
};

// Takes the first annotation from the front of `rest`, and what parts it from the next. Commas within quotes do not part
// them: duplicate:"file,offset,timestamp".
std::string_view take_annotation(std::string_view& rest);

// The capture that a revisit stands for, as an annotation names it: "revisitOf:20261121004500100:http://h/a%2Cb".
struct RepeatedCapture {
  std::string date;  // digits
  std::string url;
};
std::optional<RepeatedCapture> repeated_capture(const LogLine& line);

// Where the capture lies that a duplicate stands for, as the DeDuplicator of NetarchiveSuite notes it:
// duplicate:"file,offset,timestamp", or without the timestamp before its version 5. It has found the payload at the URL of
// the line, or at one like it, which it then names: equivalentURL:"http://h/".
struct DuplicateOrigin {
  std::string_view filename, url;
  uint64_t offset = 0;
  std::string_view timestamp;  // 14 or 17 digits; empty if it does not tell
};
std::optional<DuplicateOrigin> duplicate_origin(const LogLine& line);

// The host of a URL as logs have it, "a.example" for "http://user@a.example:8080/x" and for "dns:a.example"; "file:"
// for files of this machine. Empty if there is none.
std::string_view host_of(std::string_view url);

}  // namespace caddis::logs
