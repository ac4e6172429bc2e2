#include "caddis/cdx/line_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "caddis/base/counted.h"
#include "caddis/base/strings.h"
#include "caddis/cdx/cdx_letters.h"
#include "caddis/cdx/index_meta.h"
#include "caddis/cdx/journal.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/line_sorter.h"
#include "caddis/cdx/sorted_file.h"

namespace caddis::cdx {
namespace {

struct Form {
  LineForm form;
  std::string_view name;
  size_t fields;  // of CDX
};
constexpr Form kForms[] = {
    {LineForm::cdxj, "cdxj", 0},    {LineForm::cdx9, "cdx9", 9},    {LineForm::cdx10, "cdx10", 10},
    {LineForm::cdx11, "cdx11", 11}, {LineForm::cdx14, "cdx14", 14},
};

const Form& known(LineForm form) { return *std::ranges::find(kForms, form, &Form::form); }
std::string_view letters_of(LineForm form) { return cdx_letters(known(form).fields); }

struct LetteredField {
  char letter;
  std::string_view name;
};
// Fields that some form of CDX has no place for.
constexpr LetteredField kNotInAll[] = {
    {'M', "robotflags"}, {'S', "length"}, {'1', "orig.length"}, {'2', "orig.offset"}, {'3', "orig.filename"},
};

bool is_cdxj_line(std::string_view line) {
  const size_t first = line.find(' ');
  const size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
  return second != std::string_view::npos && second + 1 < line.size() && line[second + 1] == '{';
}

// The first line that is no header; empty if there is none.
Result<std::string> first_line(SortedFile& file) {
  std::string line;
  TRY_VOID(file.read_line(file.begin(), line));
  return line;
}

// Gives each line of an index that is no header, the last one also without line end.
Result<void> each_line_of(SortedFile& file, const std::function<Result<void>(std::string_view line)>& use) {
  std::string line;
  for (uint64_t at = file.begin(); at < file.size();) {
    TRY(at, file.read_line(at, line));
    if (line.empty() || line.front() == ' ' || line.front() == '!') continue;
    TRY_VOID(use(line));
  }
  return {};
}

Result<uint64_t> finish(LineSorter& sorter, const std::string& output, LineForm form) {
  auto written = sorter.finish();
  if (!written) return pass(std::move(written).error(), "writing " + output);
  return *written - (form == LineForm::cdxj ? 0 : 1);
}

}  // namespace

Result<LineForm> parse_line_form(std::string_view name) {
  for (const Form& form : kForms)
    if (form.name == name) return form.form;
  return fail(ErrorCode::config, fmt::format("'{}' is no form of index lines: {}", name, kLineForms));
}

std::string_view name_of(LineForm form) { return known(form).name; }

std::string legend_of(LineForm form) {
  if (form == LineForm::cdxj) return "";
  std::string legend = " CDX";
  for (const char letter : letters_of(form)) legend += std::string(" ") + letter;
  return legend;
}

std::string lost_in_words(LineForm form, const LostFields& lost) {
  std::string fields;
  for (const auto& [name, lines] : lost)
    fields += (fields.empty() ? "" : ", ") + fmt::format("{} ({})", name, counted(lines, "line"));
  return fields.empty() ? "" : fmt::format("{} has no place for {}", name_of(form), fields);
}

std::string line_in(LineForm form, const Capture& capture, LostFields& lost) {
  if (form == LineForm::cdxj) return cdxj_line(capture);
  const std::string_view letters = letters_of(form);
  for (const LetteredField& one : kNotInAll)
    if (!letters.contains(one.letter) && !(capture.*member_for_letter(one.letter)).empty())
      ++lost[std::string(one.name)];
  for (const auto& [name, json] : capture.extra) ++lost[name];
  return cdx_line(capture, letters);
}

Result<void> check_line_form(io::Files& files, const std::string& index, LineForm form) {
  if (!files.exists(index)) return {};
  TRY(const auto file, SortedFile::open(files, index));
  TRY(const std::string line, first_line(*file));
  const std::string legend = legend_of(form);
  const bool is_same = form == LineForm::cdxj ? file->header().empty() && (line.empty() || is_cdxj_line(line))
                                              : trim(file->header()) == trim(legend) || file->size() == 0;
  if (is_same) return {};
  return fail(ErrorCode::conflict,
              fmt::format("{} has lines of another form than {}: name another file, or write it anew with caddis index "
                          "convert --format {} --output FILE",
                          index, name_of(form), name_of(form)));
}

Result<uint64_t> sort_in_form(io::Files& files, const std::vector<std::string>& inputs, const std::string& output,
                              LineForm form, size_t memory) {
  LineSorter sorter(files, output, memory);
  // It begins with a blank, and so stands before all captures.
  if (form != LineForm::cdxj) TRY_VOID(sorter.add(legend_of(form)));
  TRY_VOID(each_capture_line(files, inputs, [&](std::string_view line) { return sorter.add(line); }));
  return finish(sorter, output, form);
}

Result<uint64_t> convert_index(io::Files& files, const std::string& index, LineForm form, const ConvertOptions& options,
                               LostFields& lost) {
  if (!files.exists(index)) return fail(ErrorCode::not_found, index + ": no such file");
  if (files.exists(options.output))
    return fail(ErrorCode::conflict, options.output + " is there already: name another file, or remove it");
  const IndexMeta meta = read_index_meta(files, index);
  if (!meta.policy) return fail(ErrorCode::conflict, index + ": " + meta.problem);
  TRY(const auto file, SortedFile::open(files, index));
  LineSorter sorter(files, options.output, options.memory);
  if (form != LineForm::cdxj) TRY_VOID(sorter.add(legend_of(form)));
  uint64_t lines = 0;
  TRY_VOID(each_line_of(*file, [&](std::string_view line) -> Result<void> {
    const bool is_by_legend = !file->header().empty() && !is_cdxj_line(line);
    const auto capture = is_by_legend ? parse_cdx_line(line, file->header()) : parse_line(line);
    if (!capture) return pass(capture.error(), fmt::format("{}: {}", index, line.substr(0, 200)));
    if (options.progress && ++lines % 65536 == 0) options.progress(lines);
    return sorter.add(line_in(form, *capture, lost));
  }));
  TRY_VOID(write_index_meta(files, options.output, *meta.policy, std::vector<uint64_t>()));
  return finish(sorter, options.output, form);
}

}  // namespace caddis::cdx
