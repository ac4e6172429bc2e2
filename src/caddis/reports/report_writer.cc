#include "caddis/reports/report_writer.h"

#include "caddis/reports/csv_writer.h"
#include "caddis/reports/json_writer.h"
#include "caddis/reports/text_writer.h"

namespace caddis::reports {
namespace {

constexpr size_t kPiece = 256 * 1024;

struct FormatWords {
  Format format;
  std::string_view name, ending, media_type;
};
constexpr std::array<FormatWords, 3> kWords = {
    {{Format::text, "text", "txt", "text/plain; charset=utf-8"},
     {Format::json, "json", "json", "application/json"},
     {Format::csv, "csv", "csv", "text/csv; charset=utf-8; header=present"}}};

const FormatWords& words_of(Format format) { return kWords[static_cast<size_t>(format)]; }

}  // namespace

std::optional<Format> format_named(std::string_view name) {
  for (const FormatWords& words : kWords)
    if (words.name == name) return words.format;
  return std::nullopt;
}

std::string_view ending_of(Format format) { return words_of(format).ending; }

std::string_view media_type_of(Format format) { return words_of(format).media_type; }

void ReportWriter::begin() {
  if (has_begun_) return;
  has_begun_ = true;
  begin_text();
}

Result<void> ReportWriter::add(const Row& row) {
  begin();
  row_text(row);
  if (text_.size() < kPiece) return {};
  const auto taken = out_(text_);
  text_.clear();
  return taken;
}

Result<void> ReportWriter::end() {
  begin();
  end_text();
  const auto taken = out_(text_);
  text_.clear();
  return taken;
}

std::unique_ptr<ReportWriter> make_writer(Format format, const Report& report, Out out) {
  switch (format) {
    case Format::text:
      return std::make_unique<TextWriter>(report, std::move(out));
    case Format::json:
      return std::make_unique<JsonWriter>(report, std::move(out));
    case Format::csv:
      return std::make_unique<CsvWriter>(report, std::move(out));
  }
  return nullptr;
}

Result<std::string> write(Format format, const Report& report, size_t most, bool* is_cut) {
  std::string all;
  const auto writer = make_writer(format, report, [&](std::string_view bytes) -> Result<void> {
    all += bytes;
    return {};
  });
  size_t rows = 0;
  bool cut = false;
  const auto written = report.rows([&](const Row& row) -> Result<void> {
    if (rows++ < most) return writer->add(row);
    cut = true;
    return fail(ErrorCode::limit, "");
  });
  if (!written && !cut) return std::unexpected(written.error());
  if (is_cut != nullptr) *is_cut = cut;
  if (cut) writer->tell_cut();
  TRY_VOID(writer->end());
  return all;
}

}  // namespace caddis::reports
