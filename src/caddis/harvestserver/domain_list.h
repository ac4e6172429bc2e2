// A list of domains as people upload it: a name a line, or CSV whose first line names its columns.
//
//   domain,seeds,max_bytes,max_objects,template,comments
//   a.example,"http://a.example/ http://a.example/news",500000000,,default,"A library, with news"
//
// Columns stand behind commas, semicolons or tabs; which, the first line says. Cells in quotation marks may hold all of them,
// and ends of lines (RFC 4180). Lines that begin with '#' are remarks.
//
// Pure, any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::harvestserver {

struct ListedDomain {
  int64_t line = 0;   // in which it begins, from 1 on
  std::string name;   // domain_name_of's
  std::string given;  // as it is written
  std::string seeds;  // a line each; empty: those of every new domain
  std::string template_name, comments;
  std::optional<int64_t> max_bytes, max_objects;

  bool has_more() const {
    return !seeds.empty() || !template_name.empty() || !comments.empty() || max_bytes || max_objects;
  }
};

struct WrongLine {
  int64_t line = 0;
  std::string text, why;
};

struct DomainList {
  std::vector<ListedDomain> domains;  // each name once: what is said first holds
  std::vector<WrongLine> wrong;
};

// ErrorCode::parse if the first line names a column that there is not, or one twice.
Result<DomainList> read_domain_list(std::string_view text);

}  // namespace caddis::harvestserver
