#include "log_output.h"

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "warc_tools.h"

namespace caddis::cli {
namespace {

constexpr size_t kBuffer = 64 << 10;

using logs::LogField;

const std::vector<LogField> kColumns = {LogField::time,  LogField::status, LogField::size,   LogField::url,
                                        LogField::hops,  LogField::via,    LogField::mime,   LogField::thread,
                                        LogField::fetch, LogField::digest, LogField::source, LogField::annotations,
                                        LogField::extra};

std::string annotations_json(std::string_view all) {
  std::string list = "[";
  while (!all.empty()) {
    if (list.size() > 1) list += ',';
    append_json_string(list, logs::take_annotation(all));
  }
  return list + "]";
}

// A member that the line does not say is left out.
void add_member(JsonObject& object, LogField field, std::string_view value) {
  if (value.empty() || value == "-") return;
  if (field == LogField::annotations) {
    object.add_raw(name_of(field), annotations_json(value));
  } else if (const auto number = logs::is_number(field) ? parse_int(value) : std::nullopt) {
    object.add(name_of(field), *number);
  } else {
    object.add(name_of(field), value);
  }
}

}  // namespace

LogOutput::LogOutput(std::vector<LogField> fields, bool as_json) : fields_(std::move(fields)), as_json_(as_json) {
  if (as_json_ && fields_.empty()) fields_ = kColumns;
}

void LogOutput::end_line() {
  text_ += '\n';
  if (text_.size() >= kBuffer) flush();
}

void LogOutput::flush() {
  if (text_.empty()) return;
  put(text_);
  if (std::fflush(stdout) != 0) std::quick_exit(1);  // the reader has gone
  text_.clear();
}

void LogOutput::add_verbatim(std::string_view text) {
  text_ += text;
  end_line();
}

void LogOutput::add_json(const logs::LogLine& line) {
  JsonObject object;
  for (const LogField field : fields_) add_member(object, field, value_of(line, field));
  text_ += object.finish();
}

void LogOutput::add(const logs::LogLine& line) {
  if (as_json_) {
    add_json(line);
  } else {
    for (size_t i = 0; i < fields_.size(); ++i) text_.append(i == 0 ? "" : "\t").append(value_of(line, fields_[i]));
  }
  end_line();
}

void LogOutput::add_groups(const logs::LogGroups& groups, size_t top) {
  std::vector<logs::LogGroups::Group> rows = groups.largest(top);
  if (groups.fields().empty()) rows.assign(1, {{}, groups.all()});  // also if there is no line
  for (const auto& group : rows) {
    if (as_json_) {
      JsonObject object;
      for (size_t i = 0; i < group.values.size(); ++i) add_member(object, groups.fields()[i], group.values[i]);
      text_ += object.add("lines", group.sums.lines).add("bytes", group.sums.bytes).finish();
    } else {
      for (const std::string& value : group.values) text_.append(value).append(1, '\t');
      text_.append(std::to_string(group.sums.lines)).append(1, '\t').append(std::to_string(group.sums.bytes));
    }
    end_line();
  }
}

}  // namespace caddis::cli
