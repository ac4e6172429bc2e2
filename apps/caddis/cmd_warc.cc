// caddis warc ls|cat; the other commands of `caddis warc` are cmd_warc_*.cc
#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "caddis/base/json_text.h"
#include "caddis/cdx/indexer.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/line_form.h"
#include "caddis/io/files.h"
#include "caddis/warc/payload.h"
#include "caddis/warc/reader.h"
#include "commands.h"
#include "fmt/format.h"
#include "tell.h"
#include "warc_tools.h"

namespace caddis::cli {
namespace {

using warc::Finding;
using warc::Level;
using warc::Record;

constexpr uint64_t kMaxPayload = 8ULL << 30;

// ---- ls

std::string_view type_name(const Record& record) {
  if (record.is_arc() && record.type() == warc::RecordType::warcinfo) return "arc_header";
  const std::string_view type = record.header().get("WARC-Type");
  return type.empty() ? "unknown" : type;
}

void add_text(JsonObject& line, std::string_view name, std::string_view value) {
  if (value.empty()) {
    line.add_null(name);
  } else {
    line.add(name, value);
  }
}

std::string record_json(const std::string& file, const Record& record, int status) {
  const warc::Header& header = record.header();
  JsonObject line;
  line.add("file", file).add("offset", record.offset()).add("length", record.length()).add("type", type_name(record));
  add_text(line, "id", header.get("WARC-Record-ID"));
  add_text(line, "uri", header.target_uri());
  add_text(line, "date", header.get("WARC-Date"));
  add_text(line, "content_type", header.content_type());
  if (status > 0) {
    line.add("status", status);
  } else {
    line.add_null("status");
  }
  add_text(line, "payload_digest", header.payload_digest());
  add_text(line, "refers_to_uri", header.bare_uri("WARC-Refers-To-Target-URI"));
  return line.finish() + "\n";
}

std::string record_text(const Record& record, int status) {
  const warc::Header& header = record.header();
  return fmt::format("{:>12} {:>10} {:<12} {:>3} {:<20} {}\n", record.offset(), record.length(), type_name(record),
                     status > 0 ? std::to_string(status) : "-", header.get("WARC-Date"),
                     header.target_uri().empty() ? header.get("WARC-Filename") : header.target_uri());
}

// The status of an HTTP response, from the first bytes of its block.
Result<int> http_status(Record& record) {
  const warc::RecordType type = record.type();
  if (!warc::is_http(record.header()) || type == warc::RecordType::request) return 0;
  std::string front;
  constexpr size_t kStatusLine = 512;
  while (front.size() < kStatusLine && front.find('\n') == std::string::npos) {
    TRY(const std::string_view piece, record.read_block());
    if (piece.empty()) break;
    front += piece.substr(0, kStatusLine);
  }
  return warc::HttpHead(front).status();
}

Result<bool> list_file(const std::string& path, bool json) {
  TRY(const auto file, io::real_files().open_read(path));
  const warc::FileSource source(*file);
  warc::Reader reader(source);
  bool sound = true;
  const auto complain_of = [&] {
    for (const Finding& finding : reader.take_findings()) {
      if (finding.level != Level::error) continue;
      sound = false;
      fmt::print(stderr, "{}", finding_text(path, finding));
    }
  };
  for (;;) {
    TRY(Record * record, reader.next());
    if (record == nullptr) break;
    TRY(const int status, http_status(*record));
    TRY_VOID(record->finish());
    put(json ? record_json(path, *record, status) : record_text(*record, status));
    complain_of();
  }
  complain_of();
  return sound;
}

// As other tools write them, in the order of the file.
Result<bool> list_lines(const std::string& path, cdx::LineForm form, cdx::LostFields& lost) {
  TRY(const auto indexed,
      cdx::index_archive(io::real_files(), path, io::base_name(path), [&](std::string_view line) -> Result<void> {
        TRY(const cdx::Capture capture, cdx::parse_line(line));
        put(cdx::line_in(form, capture, lost) + "\n");
        return {};
      }));
  for (const std::string& problem : indexed.problems) tell(fmt::format("caddis: {}: {}\n", path, problem));
  return !indexed.is_damaged && indexed.foreign.empty();
}

// ---- cat

struct CatOptions {
  std::string file;
  uint64_t offset = 0;
  bool payload = false, block = false, headers = false, decode = false;
};

void put_headers(const Record& record) {
  const warc::Header& header = record.header();
  put(fmt::format("{}\r\n", header.version()));
  for (size_t i = 0; i < header.size(); ++i) put(fmt::format("{}: {}\r\n", header[i].name, header[i].value));
  put("\r\n");
}

Result<bool> cat_record(Record& record, const CatOptions& options) {
  if (options.payload) {
    TRY(const warc::Payload payload, warc::read_payload(record, kMaxPayload));
    std::string problem = payload.problem;
    put(options.decode ? warc::decode_payload(payload, kMaxPayload, &problem) : payload.entity);
    if (!problem.empty()) fmt::print(stderr, "caddis: {}: record at {}: {}\n", options.file, record.offset(), problem);
    return problem.empty();
  }
  if (!options.block) put_headers(record);
  if (options.headers) return true;
  for (;;) {
    TRY(const std::string_view piece, record.read_block());
    if (piece.empty()) break;
    put(piece);
  }
  if (!options.block) put("\r\n\r\n");
  return record.complete();
}

Result<bool> cat_all(const CatOptions& options, const io::File& file) {
  const warc::FileSource source(file);
  warc::Reader reader(source);
  bool sound = true;
  for (;;) {
    TRY(Record * record, reader.next());
    if (record == nullptr) break;
    TRY(const bool complete, cat_record(*record, options));
    sound &= complete;
  }
  for (const Finding& finding : reader.take_findings()) {
    if (finding.level != Level::error) continue;
    sound = false;
    fmt::print(stderr, "{}", finding_text(options.file, finding));
  }
  return sound;
}

Result<bool> cat_file(const CatOptions& options, bool one) {
  TRY(const auto file, io::real_files().open_read(options.file));
  if (!one) return cat_all(options, *file);
  TRY(warc::SingleRecord record, warc::read_record_at(*file, options.offset));
  TRY(const bool complete, cat_record(*record, options));
  if (!complete && !options.payload) fmt::print(stderr, "caddis: {}: the record is damaged or cut\n", options.file);
  return complete;
}

// ---- the parser's side

struct ListOptions {
  std::vector<std::string> files;
  bool json = false, cdx = false;
  std::string form;  // of index lines; empty: records are listed
};

Result<int> list(const ListOptions& options) {
  TRY(const auto files, archives_at(options.files));
  std::optional<cdx::LineForm> form;
  if (options.cdx) form = cdx::LineForm::cdx11;
  if (!options.form.empty()) {
    TRY(form, cdx::parse_line_form(options.form));
  }
  if (form && *form != cdx::LineForm::cdxj) put(cdx::legend_of(*form) + "\n");
  cdx::LostFields lost;
  int code = 0;
  for (const std::string& file : files) {
    const auto sound = form ? list_lines(file, *form, lost) : list_file(file, options.json);
    if (!sound) complain(file, sound.error());
    if (!sound || !*sound) code = 1;
  }
  const std::string words = form ? cdx::lost_in_words(*form, lost) : "";
  if (!words.empty()) tell(fmt::format("caddis: {}\n", words));
  return code;
}

void add_ls(CLI::App& warc, int& exit_code) {
  const auto options = std::make_shared<ListOptions>();
  CLI::App* ls = warc.add_subcommand("ls", "List the records of WARC and ARC files");
  ls->add_option("FILE", options->files, kArchiveFiles)->required();
  CLI::Option* json = ls->add_flag("--json", options->json, "One JSON object a line");
  CLI::Option* cdx = ls->add_flag("--cdx", options->cdx, "The same as --format cdx11")->excludes(json);
  ls->add_option("--format", options->form,
                 "Lines of an index in place of records, as other tools write them: " + std::string(cdx::kLineForms))
      ->type_name("FORM")
      ->excludes(json)
      ->excludes(cdx);
  ls->callback([options, &exit_code] {
    const auto listed = list(*options);
    if (!listed) complain("", listed.error());
    exit_code = listed ? *listed : 1;
  });
}

void add_cat(CLI::App& warc, int& exit_code) {
  const auto options = std::make_shared<CatOptions>();
  CLI::App* cat = warc.add_subcommand("cat", "Print records: one by its offset, or all");
  cat->add_option("FILE", options->file, "A WARC or ARC file, plain, gzip or zstd")->required();
  CLI::Option* offset = cat->add_option("--offset", options->offset, "Where the record begins, as ls and indexes say");
  CLI::Option* payload = cat->add_flag("--payload", options->payload,
                                       "Only the payload: of HTTP messages the body, without transfer coding");
  CLI::Option* block = cat->add_flag("--block", options->block, "Only the block, as it is");
  CLI::Option* headers = cat->add_flag("--headers", options->headers, "Only the record's header");
  cat->add_flag("--decode", options->decode, "With --payload: without content coding (gzip, br, ...) as well")
      ->needs(payload);
  payload->excludes(block)->excludes(headers);
  block->excludes(headers);
  cat->callback([options, offset, &exit_code] {
    const auto complete = cat_file(*options, offset->count() > 0);
    if (!complete) complain(options->file, complete.error());
    if (!complete || !*complete) exit_code = 1;
  });
}

}  // namespace

void add_warc_commands(CLI::App& app, int& exit_code) {
  CLI::App* warc = app.add_subcommand("warc", "Look into WARC and ARC files, check, pack and convert them");
  warc->require_subcommand(1);
  add_ls(*warc, exit_code);
  add_cat(*warc, exit_code);
  add_warc_check(*warc, exit_code);
  add_warc_stats(*warc, exit_code);
  add_warc_filter(*warc, exit_code);
  add_warc_extract(*warc, exit_code);
  add_warc_recompress(*warc, exit_code);
  add_warc_convert(*warc, exit_code);
  add_warc_dedup(*warc, exit_code);
  add_warc_break_out(*warc, exit_code);
}

}  // namespace caddis::cli
