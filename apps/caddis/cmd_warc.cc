// caddis warc ls|cat|check
#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "caddis/base/counted.h"
#include "caddis/base/json_text.h"
#include "caddis/base/time_format.h"
#include "caddis/io/files.h"
#include "caddis/warc/check.h"
#include "caddis/warc/payload.h"
#include "caddis/warc/reader.h"
#include "commands.h"
#include "fmt/format.h"

namespace caddis::cli {
namespace {

using warc::Finding;
using warc::Level;
using warc::Record;

constexpr uint64_t kMaxPayload = 8ULL << 30;

void put(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) std::_Exit(1);  // the reader has gone
}

void complain(const std::string& file, const Error& error) {
  fmt::print(stderr, "caddis: {}: {}\n", file, error.message);
}

std::string finding_text(const std::string& file, const Finding& finding) {
  std::string text = fmt::format("{}:{}: {}: {} [{}]\n", file, finding.offset, to_string(finding.level),
                                 finding.message, finding.code);
  if (!finding.repair.empty()) text += fmt::format("    to repair: {}\n", finding.repair);
  return text;
}

std::string finding_json(const std::string& file, const Finding& finding) {
  JsonObject line;
  line.add("file", file).add("offset", finding.offset).add("level", to_string(finding.level)).add("code", finding.code);
  line.add("message", finding.message).add("repair", finding.repair);
  return line.finish() + "\n";
}

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

// ---- check

struct Totals {
  uint64_t files = 0;
  warc::CheckSummary sum;
};

void check_one(const std::string& path, bool json, Totals& totals) {
  ++totals.files;
  const auto report = [&](const Finding& finding) {
    put(json ? finding_json(path, finding) : finding_text(path, finding));
  };
  const auto run = [&]() -> Result<warc::CheckSummary> {
    TRY(const auto file, io::real_files().open_read(path));
    return warc::check_file(warc::FileSource(*file), report);
  };
  const auto summary = run();
  if (!summary) {
    ++totals.sum.errors;
    report({0, Level::error, "unreadable", summary.error().message, "check the path and its permissions"});
    return;
  }
  totals.sum.records += summary->records;
  totals.sum.bytes += summary->bytes;
  totals.sum.digests += summary->digests;
  totals.sum.warnings += summary->warnings;
  totals.sum.errors += summary->errors;
  if (!json) {
    put(fmt::format("{}: {}: {}, {} of blocks, {} verified, {}, {}\n", path,
                    summary->errors == 0 ? "sound" : "NOT SOUND", counted(summary->records, "record"),
                    format_size(static_cast<long long>(summary->bytes)), counted(summary->digests, "digest"),
                    counted(summary->errors, "error"), counted(summary->warnings, "warning")));
  }
}

void put_totals(const Totals& totals) {
  JsonObject line;
  line.add("summary", true)
      .add("files", totals.files)
      .add("records", totals.sum.records)
      .add("bytes", totals.sum.bytes);
  line.add("digests", totals.sum.digests).add("warnings", totals.sum.warnings).add("errors", totals.sum.errors);
  put(line.finish() + "\n");
}

// ---- the parser's side

void add_ls(CLI::App& warc, int& exit_code) {
  struct Options {
    std::vector<std::string> files;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* ls = warc.add_subcommand("ls", "List the records of WARC and ARC files");
  ls->add_option("FILE", options->files, "WARC or ARC files, plain or gzip")->required();
  ls->add_flag("--json", options->json, "One JSON object a line");
  ls->callback([options, &exit_code] {
    for (const std::string& file : options->files) {
      const auto sound = list_file(file, options->json);
      if (!sound) complain(file, sound.error());
      if (!sound || !*sound) exit_code = 1;
    }
  });
}

void add_cat(CLI::App& warc, int& exit_code) {
  const auto options = std::make_shared<CatOptions>();
  CLI::App* cat = warc.add_subcommand("cat", "Print records: one by its offset, or all");
  cat->add_option("FILE", options->file, "A WARC or ARC file, plain or gzip")->required();
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

void add_check(CLI::App& warc, int& exit_code) {
  struct Options {
    std::vector<std::string> files;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* check = warc.add_subcommand(
      "check", "Verify structure, checksums, digests and fields; the exit code is 1 if something is damaged");
  check->add_option("FILE", options->files, "WARC or ARC files, plain or gzip")->required();
  check->add_flag("--json", options->json, "Print a JSON object for each finding, and a summary as the last");
  check->callback([options, &exit_code] {
    Totals totals;
    for (const std::string& file : options->files) check_one(file, options->json, totals);
    if (options->json) put_totals(totals);
    if (totals.sum.errors > 0) exit_code = 1;
  });
}

}  // namespace

void add_warc_commands(CLI::App& app, int& exit_code) {
  CLI::App* warc = app.add_subcommand("warc", "Look into WARC and ARC files");
  warc->require_subcommand(1);
  add_ls(*warc, exit_code);
  add_cat(*warc, exit_code);
  add_check(*warc, exit_code);
}

}  // namespace caddis::cli
