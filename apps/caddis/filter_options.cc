#include "filter_options.h"

#include <CLI/CLI.hpp>

namespace caddis::cli {

void add_filter_options(CLI::App& command, inspect::FilterOptions& options) {
  command.add_option("--type", options.types, "Records of this type: response, request, metadata, …")->expected(1);
  command.add_option("--url", options.urls, "Records in whose URL this regular expression is found")->expected(1);
  command.add_option("--status", options.statuses, "HTTP responses with this status: 200, 4xx or 200-299")->expected(1);
  command.add_option("--mime", options.mimes, "Records whose payload has this media type: text/html or image/*")
      ->expected(1);
  command.add_option("--from", options.from, "Records of this time or later: a timestamp of 4 to 14 digits");
  command.add_option("--to", options.to, "Records of this time or earlier");
  command
      .add_option("--header", options.headers,
                  "'Name: REGEX': the expression is found in this field of the record or of its HTTP message")
      ->expected(1);
  command.add_flag("--not", options.inverted, "Those that do not match");
  command.footer(
      "An option may be given several times; then one of its values is enough (of --header, all must hold).");
}

}  // namespace caddis::cli
