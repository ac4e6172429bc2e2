#include "caddis/url/step_kinds.h"

#include <algorithm>
#include <string>
#include <vector>

#include "caddis/base/strings.h"

namespace caddis::url {

using enum StepStage;

std::span<const StepKind> step_kinds() {
  static const StepKind kKinds[] = {
      {"whatwg-parse", "", parse, &steps::whatwg_parse, nullptr},
      {"lenient-parse", "", parse, &steps::lenient_parse, nullptr},
      {"outback-parse", "", parse, &steps::outback_parse, nullptr},

      {"strip-fragment", "", parts, &steps::strip_fragment, nullptr},
      {"unescape-repeatedly", "", parts, &steps::unescape, nullptr},
      {"normalize-host-idna2003", "", parts, &steps::normalize_host, nullptr},
      {"normalize-path", "", parts, &steps::normalize_path, nullptr},
      {"escape", "", parts, &steps::escape, nullptr},
      {"normalize-escapes", "", parts, &steps::normalize_escapes, nullptr},
      {"strip-userinfo", "", parts, &steps::strip_userinfo, nullptr},
      {"strip-default-port", "", parts, &steps::strip_default_port, nullptr},
      {"https-as-http", "", parts, &steps::https_as_http, nullptr},
      {"host-alias", "", parts, nullptr, steps::make_host_alias},
      {"strip-www", "", parts, &steps::strip_www, nullptr},
      {"strip-www-n", "strip-host-wwwn", parts, &steps::strip_www_n, nullptr},
      {"lowercase-parts", "", parts, &steps::lowercase_parts, nullptr},
      {"strip-session-ids", "", parts, &steps::strip_session_ids, nullptr},
      {"strip-path-session-ids", "", parts, &steps::strip_path_session_ids, nullptr},
      {"strip-extra-slashes", "", parts, &steps::strip_extra_slashes, nullptr},
      {"index-document", "", parts, nullptr, steps::make_index_document},
      {"strip-trailing-slash", "trailing-slash", parts, &steps::strip_trailing_slash, nullptr},
      {"strip-query-session-ids", "", parts, &steps::strip_query_session_ids, nullptr},
      {"strip-parameters", "", parts, nullptr, steps::make_strip_parameters},
      {"sort-query", "sort-query-strip-empty", parts, &steps::sort_query, nullptr},
      {"lowercase-unicode", "", parts, &steps::lowercase_unicode, nullptr},
      {"outback-host", "", parts, &steps::outback_host, nullptr},
      {"outback-query", "", parts, &steps::outback_query, nullptr},
      {"outback-escapes", "", parts, &steps::outback_escapes, nullptr},
      {"outback-path", "", parts, &steps::outback_path, nullptr},
      {"outback-session-ids", "", parts, &steps::outback_session_ids, nullptr},
      {"strip-empty-query", "", parts, &steps::strip_empty_query, nullptr},
      {"blank-to-plus", "", parts, &steps::blank_to_plus, nullptr},

      {"write-url", "", write, &steps::write_url, nullptr, KeyForm::url},
      {"write-ssurt", "", write, &steps::write_ssurt, nullptr, KeyForm::ssurt},
      {"write-surt-key", "", write, &steps::write_surt_key, nullptr, KeyForm::surt},
      {"write-host-path", "", write, &steps::write_host_path, nullptr, KeyForm::host_path},
      {"write-outback-key", "", write, &steps::write_outback_key, nullptr, KeyForm::outback},

      {"lowercase", "", text, &steps::lowercase, nullptr},
      {"heritrix-strip-userinfo", "", text, &steps::heritrix_strip_userinfo, nullptr},
      {"heritrix-strip-www", "", text, &steps::heritrix_strip_www, nullptr},
      {"heritrix-strip-wwwn", "strip-wwwn", text, &steps::heritrix_strip_wwwn, nullptr},
      {"heritrix-strip-session-ids", "", text, &steps::heritrix_session_ids, nullptr},
      {"heritrix-strip-cfids", "", text, &steps::heritrix_cfids, nullptr},
      {"fixup-query", "", text, &steps::fixup_query, nullptr},
      {"regex", "", text, nullptr, steps::make_regex},
  };
  return kKinds;
}

const StepKind* find_step(std::string_view name) {
  const auto has_name = [name](const StepKind& kind) {
    return kind.name == name || (!name.empty() && kind.other_name == name);
  };
  const auto kinds = step_kinds();
  const auto found = std::ranges::find_if(kinds, has_name);
  return found == kinds.end() ? nullptr : &*found;
}

std::unexpected<Error> no_such_step(std::string_view name) {
  std::vector<std::string> names;
  for (const StepKind& kind : step_kinds()) names.emplace_back(kind.name);
  std::string message = "there is no step '" + std::string(name) + "'";
  const std::string nearest = nearest_name(name, names);
  if (!nearest.empty()) return fail(ErrorCode::config, message + "; did you mean '" + nearest + "'?");
  message += "; there are";
  for (const std::string& known : names) message.append(known == names.front() ? " " : ", ").append(known);
  return fail(ErrorCode::config, std::move(message));
}

}  // namespace caddis::url
