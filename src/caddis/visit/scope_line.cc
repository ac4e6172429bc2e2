#include "caddis/visit/scope_line.h"

#include "caddis/logs/json_line_writer.h"

namespace caddis::visit {

void append_link_line(std::string& lines, const logs::JsonFields& fields, const LinkLine& link) {
  using enum logs::JsonField;
  logs::JsonLineWriter line(lines, fields);
  line.add_time(time, link.at);
  line.add(url, link.url);
  line.add(status, link.word);
  line.add(hops, link.hops);
  line.add(via, link.via);
  line.add(seed, link.seed);
  line.add(rule, link.rule);
  line.add(key, link.key);
  line.end();
}

}  // namespace caddis::visit
