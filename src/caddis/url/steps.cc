// Steps on the parts of a URL parsed by the WHATWG standard.
#include "caddis/url/steps.h"

#include "caddis/url/ip.h"
#include "caddis/url/session_ids.h"
#include "caddis/url/surt.h"

namespace caddis::url {

void read_parts(Draft& draft, const Url& url) {
  draft.scheme = url.scheme();
  if (url.has_userinfo()) {
    draft.userinfo = url.username();
    if (!url.password().empty()) draft.userinfo.append(":").append(url.password());
  }
  if (url.has_host()) draft.host = url.hostname();
  draft.port = url.port();
  draft.path = url.pathname();
  if (url.has_query()) draft.query = url.search().empty() ? "" : url.search().substr(1);
  if (url.has_fragment()) draft.fragment = url.hash().empty() ? "" : url.hash().substr(1);
}

namespace steps {
namespace {

Result<void> parse(Draft& draft) {
  TRY(const Url url, Url::parse(draft.text));
  read_parts(draft, url);
  return {};
}

Result<void> drop_fragment(Draft& draft) {
  draft.fragment.reset();
  return {};
}

Result<void> drop_userinfo(Draft& draft) {
  draft.userinfo.clear();
  return {};
}

Result<void> drop_session_ids(Draft& draft) {
  drop_path_parameter(draft.path);
  cut_aspx_segments(draft.path);
  if (draft.query && drop_query_parameters(*draft.query) && draft.query->empty()) draft.query.reset();
  return {};
}

Result<void> drop_empty_query(Draft& draft) {
  if (draft.query && draft.query->empty()) draft.query.reset();
  return {};
}

void append_path_query_fragment(std::string& out, const Draft& draft) {
  out += draft.path;
  if (draft.query) out.append("?").append(*draft.query);
  if (draft.fragment) out.append("#").append(*draft.fragment);
}

Result<void> write(Draft& draft) {
  std::string out = draft.scheme + ":";
  if (draft.host) {
    out += "//";
    if (!draft.userinfo.empty()) out.append(draft.userinfo).append("@");
    out += *draft.host;
    if (!draft.port.empty()) out.append(":").append(draft.port);
  } else if (draft.path.starts_with("//")) {
    out += "/.";
  }
  append_path_query_fragment(out, draft);
  draft.text = std::move(out);
  return {};
}

// com,example,www,//8080:http@user:pass:/path?query: sorts by domain, then by port and scheme.
Result<void> write_sortable(Draft& draft) {
  if (!draft.host) return write(draft);
  std::string out;
  if (draft.host->starts_with('[') || ends_in_a_number(*draft.host)) {
    out = *draft.host;
  } else {
    out = surt_host(*draft.host) + ",";
  }
  out += "//";
  if (!draft.port.empty()) out.append(draft.port).append(":");
  out += draft.scheme;
  if (!draft.userinfo.empty()) {
    out.append("@").append(draft.userinfo);
  }
  out += ":";
  append_path_query_fragment(out, draft);
  draft.text = std::move(out);
  return {};
}

}  // namespace

const Step whatwg_parse{"whatwg-parse", parse};
const Step strip_fragment{"strip-fragment", drop_fragment};
const Step strip_userinfo{"strip-userinfo", drop_userinfo};
const Step strip_session_ids{"strip-session-ids", drop_session_ids};
const Step strip_empty_query{"strip-empty-query", drop_empty_query};
const Step write_url{"write-url", write};
const Step write_ssurt{"write-ssurt", write_sortable};

}  // namespace steps
}  // namespace caddis::url
