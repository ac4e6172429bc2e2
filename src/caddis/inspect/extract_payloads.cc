#include "caddis/inspect/extract_payloads.h"

#include <memory>

#include "caddis/base/time_format.h"
#include "caddis/inspect/file_names.h"
#include "caddis/io/content_decoder.h"
#include "caddis/io/memory_budget.h"
#include "caddis/warc/payload.h"
#include "caddis/warc/payload_reader.h"
#include "caddis/warc/reader.h"
#include "fmt/format.h"

namespace caddis::inspect {
namespace {

bool has_payload(warc::RecordType type) {
  return type == warc::RecordType::response || type == warc::RecordType::resource ||
         type == warc::RecordType::conversion;
}

class Extraction {
 public:
  Extraction(io::Files& files, const RecordFilter& filter, const ExtractOptions& options)
      : files_(files), filter_(filter), options_(options) {}

  Result<ExtractReport> run(const std::string& archive) {
    TRY(const auto file, files_.open_read(archive));
    const warc::FileSource source(*file);
    warc::Reader reader(source);
    for (;;) {
      TRY(warc::Record* const record, reader.next());
      for (const warc::Finding& finding : reader.take_findings()) options_.report(finding);
      if (record == nullptr) return report_;
      if (has_payload(record->type()) && !record->header().target_uri().empty()) TRY_VOID(extract(*record));
      if (options_.progress) options_.progress(record->length());
    }
  }

 private:
  Result<void> extract(warc::Record& record) {
    // The filter looks at the head that the payload's reader keeps.
    warc::PayloadReader payload(record);
    TRY_VOID(payload.read_head());
    const warc::HttpHead head(payload.http_head());
    RecordFacts facts;
    facts.http_head = payload.http_head();
    facts.status = head.status();
    facts.mime = bare_mime(warc::is_http(record.header()) ? head.get("Content-Type") : record.header().content_type());
    if (!filter_.matches(record, facts)) return {};
    TRY(const std::string name, free_name(record.header()));
    const std::string path = io::join_path(options_.folder, name),
                      part = path + "#part";  // no URL is given such a name
    TRY(const auto out, files_.open_append(part));
    TRY_VOID(out->truncate(0));  // an earlier attempt may have died here
    const std::string_view coding = options_.decode ? head.get("Content-Encoding") : std::string_view();
    TRY(const uint64_t size, write(payload, coding, *out));
    TRY_VOID(record.finish());
    if (!decoded_.empty())
      options_.report({record.offset(), warc::Level::error, "decode-limit",
                       fmt::format("{} is left out: {}", record.header().target_uri(), decoded_),
                       "extract it without --decode"});
    if (!record.complete() || !decoded_.empty()) {
      ++report_.left_out;
      return files_.remove(part);
    }
    TRY_VOID(files_.rename(part, path));
    ++report_.files;
    report_.bytes += size;
    options_.written(name, record.header());
    return {};
  }

  Result<uint64_t> write(warc::PayloadReader& payload, std::string_view coding, io::File& out) {
    constexpr size_t kPiece = 256 * 1024;
    // For the windows of br and zstd, as in replay.
    constexpr uint64_t kWindows = 96 << 20;
    static io::MemoryBudget windows(kWindows);
    io::ContentDecoder decoder(coding, &windows);
    decoded_.clear();
    const auto buffer = std::make_unique_for_overwrite<char[]>(kPiece);
    uint64_t size = 0;
    std::string_view input;
    for (bool last = false; !decoder.ended();) {
      if (input.empty() && !last) {
        TRY(input, payload.next());
        last = input.empty();
      }
      const size_t written = decoder.decode(input, last, {buffer.get(), kPiece});
      TRY_VOID(out.append({buffer.get(), written}));
      size += written;
      if (decoder.out_of_memory()) decoded_ = "its coding needs more memory than is allowed";
      if (options_.decode && size > options_.max_decoded)
        decoded_ = fmt::format("it decodes to more than {} bytes", options_.max_decoded);
      if (!decoded_.empty()) break;
    }
    return size;
  }

  // A folder of that name may be a file already: then it gets a tilde.
  Result<std::string> free_name(const warc::Header& header) {
    const std::string wanted = file_name_of(header.target_uri());
    std::string folder;
    size_t begin = 0;
    for (size_t slash; (slash = wanted.find('/', begin)) != std::string::npos; begin = slash + 1) {
      folder = io::join_path(folder, wanted.substr(begin, slash - begin));
      while (is_file(folder)) folder += '~';
    }
    TRY_VOID(files_.make_dirs(io::join_path(options_.folder, folder)));
    const std::string name = io::join_path(folder, wanted.substr(begin));
    if (!is_taken(name)) return name;
    const auto date = header.date();
    const std::string dated = name + "~" + (date ? timestamp14(*date) : "undated");
    for (uint64_t number = 1;; ++number) {
      std::string free = number == 1 ? dated : fmt::format("{}~{}", dated, number);
      if (!is_taken(free)) return free;
    }
  }

  bool is_taken(const std::string& name) { return files_.exists(io::join_path(options_.folder, name)); }
  bool is_file(const std::string& name) {
    const std::string path = io::join_path(options_.folder, name);
    return files_.exists(path) && !files_.is_directory(path);
  }

  io::Files& files_;
  const RecordFilter& filter_;
  const ExtractOptions& options_;
  ExtractReport report_;
  std::string decoded_;  // why the payload at hand cannot be decoded; empty if it can
};

}  // namespace

Result<ExtractReport> extract_payloads(io::Files& files, const std::string& archive, const RecordFilter& filter,
                                       const ExtractOptions& options) {
  return Extraction(files, filter, options).run(archive);
}

}  // namespace caddis::inspect
