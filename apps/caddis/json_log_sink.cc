#include "json_log_sink.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "caddis/base/counted.h"
#include "caddis/base/json_text.h"
#include "tell.h"
#include "warc_tools.h"

namespace caddis::cli {
namespace {

constexpr size_t kBuffer = 64 << 10;

}  // namespace

Result<std::unique_ptr<JsonLogSink>> JsonLogSink::create(const JsonLogView& view) {
  if (!view.filter.annotations.empty())
    return fail(ErrorCode::config, "--annotation goes with crawl.log: these lines have fields (--where FIELD=VALUE)");
  TRY(auto filter, logs::LogFilter::create(view.filter));
  std::vector<logs::JsonColumn> fields, groups;
  if (!view.fields.empty()) {
    TRY(fields, logs::parse_json_columns(view.fields));
  }
  if (!view.group_by.empty()) {
    TRY(groups, logs::parse_json_columns(view.group_by));
  }
  std::unique_ptr<JsonLogSink> sink(new JsonLogSink(std::move(filter), std::move(fields), std::move(groups)));
  sink->counts_ = view.count || !view.group_by.empty();
  sink->as_json_ = view.json;
  sink->last_ = view.last;
  return sink;
}

std::optional<uint64_t> JsonLogSink::lines_from_end() const {
  // Headers, which may stand among them, are left out where fields are shown: a file begins with one.
  constexpr uint64_t kHeaders = 16;
  if (!last_ || !filter_.is_empty() || counts_) return std::nullopt;
  return *last_ == 0 ? 0 : *last_ + kHeaders;
}

void JsonLogSink::add(std::string_view text) {
  if (text.empty()) return;
  if (!counts_ && filter_.is_empty() && fields_.empty()) {
    has_any_ = has_any_ || !text.starts_with("{\"log\":");
    return show_or_keep(text);
  }
  if (!line_.parse(text)) {
    ++unreadable_;
  } else if (!line_.is_header() && filter_.matches(line_)) {
    has_any_ = true;
    counts_ ? count() : show_or_keep(text);
  }
}

void JsonLogSink::count() {
  key_.clear();
  for (const logs::JsonColumn& column : by_) key_.append(value_of(line_, column, room_)).push_back('\0');
  const int64_t bytes = line_.number("received").value_or(line_.number("body_size").value_or(0));
  groups_.add(key_, bytes > 0 ? static_cast<uint64_t>(bytes) : 0);
}

void JsonLogSink::show_or_keep(std::string_view text) {
  if (!last_) return show(text);
  kept_.emplace_back(text);
  if (kept_.size() > *last_) kept_.pop_front();
}

// The line at hand is parsed already, unless lines are shown as they are.
void JsonLogSink::show(std::string_view text) {
  if (fields_.empty()) {
    text_ += text;
  } else if (as_json_) {
    JsonObject object;
    for (const logs::JsonColumn& column : fields_) {
      if (column.kind != logs::JsonColumn::Kind::member)
        object.add(column.name, value_of(line_, column, room_));
      else if (const std::string_view raw = line_.raw(column.name); !raw.empty())
        object.add_raw(column.name, raw);
    }
    text_ += object.finish();
  } else {
    for (size_t i = 0; i < fields_.size(); ++i)
      text_.append(i == 0 ? "" : "\t").append(value_of(line_, fields_[i], room_));
  }
  end_line();
}

void JsonLogSink::end_line() {
  text_ += '\n';
  if (text_.size() >= kBuffer) flush();
}

void JsonLogSink::flush() {
  if (text_.empty()) return;
  put(text_);
  if (std::fflush(stdout) != 0) std::quick_exit(1);  // the reader has gone
  text_.clear();
}

void JsonLogSink::release() {
  last_.reset();
  for (const std::string& text : kept_)
    if (fields_.empty() || line_.parse(text)) show(text);
  kept_.clear();
  flush();
}

void JsonLogSink::append_values(const std::vector<std::string>& values) {
  for (const std::string& value : values) text_.append(value).append(1, '\t');
}

void JsonLogSink::finish(size_t top) {
  if (counts_) {
    auto rows = groups_.largest(top);
    if (by_.empty()) rows.assign(1, {{}, groups_.all()});  // also if there is no line
    for (const auto& group : rows) {
      if (as_json_) {
        JsonObject object;
        for (size_t i = 0; i < group.values.size(); ++i) object.add(by_[i].name, group.values[i]);
        text_ += object.add("lines", group.sums.lines).add("bytes", group.sums.bytes).finish();
      } else {
        append_values(group.values);
        text_.append(std::to_string(group.sums.lines)).append(1, '\t').append(std::to_string(group.sums.bytes));
      }
      end_line();
    }
  }
  release();
  if (unreadable_ > 0)
    tell(fmt::format("caddis log: {} no JSON object, and were left out\n",
                     counted(unreadable_, "line is", "lines are")));
}

}  // namespace caddis::cli
