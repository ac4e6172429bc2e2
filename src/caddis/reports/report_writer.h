// The three forms of a report: text as Heritrix writes it, JSON (RFC 8259), and CSV (RFC 4180). Rows are written as
// they come; nothing of them is kept.
//
//   const auto writer = make_writer(Format::csv, report, out);
//   TRY_VOID(report.rows([&](const Row& row) { return writer->add(row); }));
//   TRY_VOID(writer->end());
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/reports/report.h"

namespace caddis::reports {

enum class Format : uint8_t { text, json, csv };
inline constexpr std::array<Format, 3> kFormats = {Format::text, Format::json, Format::csv};
// "text", "json", "csv"; nothing for another word.
std::optional<Format> format_named(std::string_view name);
// "txt", "json", "csv"
std::string_view ending_of(Format format);
// "text/csv; charset=utf-8"
std::string_view media_type_of(Format format);

// Takes the bytes, a piece of some rows at a time.
using Out = std::function<Result<void>(std::string_view bytes)>;

class ReportWriter {
 public:
  ReportWriter(const Report& report, Out out) : report_(report), out_(std::move(out)) {}
  virtual ~ReportWriter() = default;
  Result<void> add(const Row& row);
  // There are more rows than are added: JSON says so at its end.
  void tell_cut() { is_cut_ = true; }
  // Call once, behind the last row.
  Result<void> end();

 protected:
  const Report& report() const { return report_; }
  bool is_cut() const { return is_cut_; }
  // Each appends to `text_`.
  virtual void begin_text() = 0;
  virtual void row_text(const Row& row) = 0;
  virtual void end_text() {}

  std::string text_;

 private:
  void begin();

  const Report& report_;
  const Out out_;
  bool has_begun_ = false, is_cut_ = false;
};

// The report must outlive the writer.
std::unique_ptr<ReportWriter> make_writer(Format format, const Report& report, Out out);
// The whole of a report, or its first `most` rows. `is_cut`: whether there were more.
Result<std::string> write(Format format, const Report& report, size_t most, bool* is_cut = nullptr);

}  // namespace caddis::reports
