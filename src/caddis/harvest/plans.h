// The things that harvests refer to by name: schedules, channels, lists of crawler traps for all harvests, fields of a site's own.
//
// Functions of a transaction.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/harvest/edit.h"
#include "caddis/harvest/schedule.h"
#include "caddis/sql/connection.h"

namespace caddis::harvest {

// All of them: edition 0 is a new one, which gets 1.
struct NamedSchedule {
  int64_t id = 0;
  std::string name;
  Schedule schedule;
  std::string comments;
  int64_t edition = 0;
};
Result<std::vector<NamedSchedule>> list_schedules(sql::Connection& connection);
Result<NamedSchedule> find_schedule(sql::Connection& connection, std::string_view name);
Result<NamedSchedule> find_schedule(sql::Connection& connection, int64_t id);
Result<void> save_schedule(sql::Connection& connection, const NamedSchedule& schedule, const Edit& edit);

// The way from harvests to harvesters: a harvester takes jobs of its channels alone.
struct Channel {
  int64_t id = 0;
  std::string name;
  bool is_snapshot = false;  // for snapshot harvests; else for selective ones and events
  bool is_default = false;   // of its kind
  std::string comments;
  int64_t edition = 0;
};
Result<std::vector<Channel>> list_channels(sql::Connection& connection);
Result<Channel> find_channel(sql::Connection& connection, std::string_view name);
// There is one default of each kind; a new one takes the place of the old. ErrorCode::conflict if there would be none.
Result<void> save_channel(sql::Connection& connection, const Channel& channel, const Edit& edit);

struct TrapList {
  int64_t id = 0;
  std::string name, description, traps;
  bool is_active = true;
  int64_t edition = 0;
};
Result<std::vector<TrapList>> list_trap_lists(sql::Connection& connection);
Result<void> save_trap_list(sql::Connection& connection, const TrapList& list, const Edit& edit);

struct ExtendedField {
  int64_t id = 0;
  std::string name;
  std::string target;  // "domain", "harvest"
  std::string kind;    // "text", "flag", "number", "date", "note", "choice"
  std::vector<std::string> choices;
  std::string default_value;
  bool is_mandatory = false;
  int64_t most_length = 1000, place = 0, edition = 0;
};
struct ExtendedValue {
  std::string name, value;
};
// The fields of domains, or of harvests; without a target all.
Result<std::vector<ExtendedField>> list_fields(sql::Connection& connection, std::string_view target);
Result<void> save_field(sql::Connection& connection, const ExtendedField& field, const Edit& edit);
// The values of all fields, with defaults for those that nobody has set.
Result<std::vector<ExtendedValue>> values_of(sql::Connection& connection, std::string_view target, int64_t object);
// ErrorCode::config if a value is not of its field's kind, or a mandatory one is missing. `name`: of the object.
Result<void> save_values(sql::Connection& connection, std::string_view target, int64_t object, std::string_view name,
                         const std::vector<ExtendedValue>& values, const Edit& edit);

// `target`: of a field; empty for all else.
Result<void> remove_plan(sql::Connection& connection, std::string_view kind, std::string_view name, const Edit& edit,
                         std::string_view target = {});

// Puts in what an archive begins with, if there is none: two channels, four schedules (hourly, daily, weekly, monthly), and
// the template "default" (domains of the seeds).
Result<void> put_in_first_plans(sql::Connection& connection, const Edit& edit);

}  // namespace caddis::harvest
