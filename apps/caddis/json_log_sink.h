// Lines of the logs in JSON (docs/formats/logs.md) on their way to the reader. One thread.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/logs/json_column.h"
#include "caddis/logs/json_line.h"
#include "caddis/logs/log_filter.h"
#include "caddis/logs/log_groups.h"
#include "log_sink.h"

namespace caddis::cli {

struct JsonLogView {
  logs::FilterOptions filter;
  std::string fields, group_by;  // names, commas between them
  std::optional<uint64_t> last;
  bool count = false, json = false;
};

class JsonLogSink final : public LogSink {
 public:
  static Result<std::unique_ptr<JsonLogSink>> create(const JsonLogView& view);

  std::optional<uint64_t> lines_from_end() const override;
  void add(std::string_view text) override;
  void release() override;
  void finish(size_t top) override;
  bool has_any() const override { return has_any_; }

 private:
  JsonLogSink(logs::LogFilter filter, std::vector<logs::JsonColumn> fields, std::vector<logs::JsonColumn> groups)
      : filter_(std::move(filter)), fields_(std::move(fields)), by_(std::move(groups)), groups_(by_.size()) {}
  void show_or_keep(std::string_view text);
  void show(std::string_view text);
  void count();
  void append_values(const std::vector<std::string>& values);
  void end_line();
  void flush();

  logs::LogFilter filter_;
  std::vector<logs::JsonColumn> fields_, by_;
  logs::LogGroups groups_;
  bool counts_ = false, as_json_ = false, has_any_ = false;
  std::optional<uint64_t> last_;
  std::deque<std::string> kept_;
  logs::JsonLine line_;  // the one at hand
  std::string key_, room_, text_;
  uint64_t unreadable_ = 0;
};

}  // namespace caddis::cli
