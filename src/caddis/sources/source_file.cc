// Each entry is a map whose first name says its kind; the rest is read by one table of names for a kind.
#include "caddis/sources/source_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/settings/yaml_tree.h"
#include "caddis/sources/folder_records.h"
#include "caddis/sources/memento.h"
#include "caddis/sources/memento_records.h"
#include "caddis/sources/path_index.h"
#include "caddis/sources/web_records.h"
#include "caddis/url/url.h"

namespace caddis::sources {
namespace {

using settings::YamlNode;
using settings::YamlTree;

constexpr uint64_t kLargestFile = 1 << 20;

struct Entry {
  std::string_view file;
  const YamlNode& node;

  std::unexpected<Error> refuse(const YamlNode& where, const std::string& reason) const {
    return fail(ErrorCode::config, fmt::format("{}:{}: {}", file, where.line(), reason));
  }
  const YamlNode* find(std::string_view name) const {
    for (size_t i = 0; i < node.entries(); ++i)
      if (node.name(i).text() == name) return &node.value(i);
    return nullptr;
  }
  // Empty if it is not there.
  Result<std::string> text(std::string_view name) const {
    const YamlNode* const value = find(name);
    if (value == nullptr || value->is_null()) return std::string();
    if (!value->is_scalar()) return refuse(*value, fmt::format("'{}' is a text", name));
    return value->text();
  }
  Result<void> knows(std::initializer_list<std::string_view> names) const {
    for (size_t i = 0; i < node.entries(); ++i) {
      const std::string& name = node.name(i).text();
      if (std::ranges::find(names, name) != names.end()) continue;
      std::string known;
      for (const std::string_view one : names) known += (known.empty() ? "" : ", ") + std::string(one);
      return refuse(node.name(i), fmt::format("'{}' is not known here; these are: {}", name, known));
    }
    return {};
  }
  Result<void> read_timeout(Duration& into) const {
    TRY(const std::string value, text("timeout"));
    if (value.empty()) return {};
    const auto duration = parse_duration(value);
    if (!duration || *duration <= Duration::zero())
      return refuse(*find("timeout"), fmt::format("'{}' is no time: 5s is", value));
    into = *duration;
    return {};
  }
  // An address of http or https without a user, which would stand in messages and lists.
  Result<std::string> address(std::string_view name, bool is_folder) const {
    TRY(std::string value, text(name));
    if (value.empty()) return value;
    const auto url = url::Url::parse(value);
    if (!url || !url->is_http())
      return refuse(*find(name), fmt::format("'{}': an address of http or https is wanted", value));
    if (url->has_userinfo()) return refuse(*find(name), fmt::format("'{}': an address with a user is not taken", name));
    if (is_folder && !value.ends_with('/')) value += '/';
    return value;
  }
};

std::string within(std::string_view file_name, const std::string& path) {
  return path.starts_with('/') ? path : io::join_path(io::parent_path(std::string(file_name)), path);
}

Result<ArchivePlace> parse_s3(const Entry& entry) {
  ArchivePlace place;
  place.kind = ArchivePlace::Kind::s3;
  TRY_VOID(entry.knows({"s3", "endpoint", "region", "style", "credentials", "profile", "timeout"}));
  TRY(std::string address, entry.text("s3"));
  if (!address.starts_with("s3://"))
    return entry.refuse(*entry.find("s3"), "a place of S3 is written s3://BUCKET/FOLDER/");
  address.erase(0, 5);
  const size_t slash = std::min(address.find('/'), address.size());
  place.bucket.bucket = address.substr(0, slash);
  if (slash < address.size()) place.place = address.substr(slash + 1);
  if (place.bucket.bucket.empty())
    return entry.refuse(*entry.find("s3"), "a place of S3 is written s3://BUCKET/FOLDER/");
  if (!place.place.empty() && !place.place.ends_with('/')) place.place += '/';
  TRY(place.bucket.endpoint, entry.address("endpoint", false));
  TRY(const std::string region, entry.text("region"));
  if (!region.empty()) place.bucket.region = region;
  TRY(const std::string style, entry.text("style"));
  if (!style.empty() && style != "path" && style != "host")
    return entry.refuse(*entry.find("style"), fmt::format("'{}' is no style: path and host are", style));
  // Amazon's servers are asked by the name of the bucket, others as they are set up most often.
  place.bucket.is_host_style = style.empty() ? place.bucket.endpoint.empty() : style == "host";
  TRY(const std::string credentials, entry.text("credentials"));
  if (!credentials.empty()) place.credentials = within(entry.file, credentials);
  TRY(const std::string profile, entry.text("profile"));
  if (!profile.empty()) place.profile = profile;
  TRY_VOID(entry.read_timeout(place.timeout));
  return place;
}

Result<ArchivePlace> parse_archive(const Entry& entry) {
  if (!entry.node.is_map()) return entry.refuse(entry.node, "a place is written as 'folder: PATH', 'web: ADDRESS' …");
  if (entry.find("s3") != nullptr) return parse_s3(entry);
  ArchivePlace place;
  if (entry.find("folder") != nullptr) {
    TRY_VOID(entry.knows({"folder"}));
    TRY(const std::string path, entry.text("folder"));
    place.place = within(entry.file, path);
  } else if (entry.find("path-index") != nullptr) {
    TRY_VOID(entry.knows({"path-index", "timeout"}));
    TRY(const std::string path, entry.text("path-index"));
    place.kind = ArchivePlace::Kind::path_index;
    place.place = within(entry.file, path);
  } else if (entry.find("web") != nullptr) {
    TRY_VOID(entry.knows({"web", "timeout"}));
    place.kind = ArchivePlace::Kind::web;
    TRY(place.place, entry.address("web", true));
  } else {
    return entry.refuse(entry.node, "a place of archive files is a folder, a path-index, web or s3");
  }
  if (place.place.empty()) return entry.refuse(entry.node, "an empty place");
  TRY_VOID(entry.read_timeout(place.timeout));
  return place;
}

cdx::Dialect guessed_dialect(std::string_view address) {
  if (address.find("/cdx/search/cdx") != std::string_view::npos) return cdx::Dialect::internet_archive;
  const bool is_pywb = address.ends_with("/cdx") || address.ends_with("/index") || address.ends_with("-index");
  return is_pywb ? cdx::Dialect::pywb : cdx::Dialect::outback;
}

Result<RemoteIndexOptions> parse_index(const Entry& entry) {
  using Kind = RemoteIndexOptions::Kind;
  if (!entry.node.is_map())
    return entry.refuse(entry.node, "an index is written as 'cdx: ADDRESS', 'timemap: ADDRESS' …");
  TRY_VOID(entry.knows({"cdx", "timemap", "timegate", "name", "timeout", "dialect", "most", "mementos"}));
  RemoteIndexOptions index;
  for (const auto& [name, kind] :
       {std::pair(std::string_view("cdx"), Kind::cdx), {"timemap", Kind::timemap}, {"timegate", Kind::timegate}}) {
    if (entry.find(name) == nullptr) continue;
    if (!index.address.empty()) return entry.refuse(entry.node, "an index is one of cdx, timemap and timegate");
    index.kind = kind;
    TRY(index.address, entry.address(name, false));
  }
  if (index.address.empty()) return entry.refuse(entry.node, "an index is one of cdx, timemap and timegate");
  TRY(index.name, entry.text("name"));
  if (index.name.empty()) index.name = std::string(url::Url::parse(index.address)->host());
  TRY_VOID(entry.read_timeout(index.timeout));
  TRY(index.mementos, entry.address("mementos", true));
  if (index.kind != Kind::cdx && index.mementos.empty()) index.mementos = origin_of(index.address) + '/';
  index.dialect = guessed_dialect(index.address);
  TRY(const std::string dialect, entry.text("dialect"));
  if (dialect == "pywb")
    index.dialect = cdx::Dialect::pywb;
  else if (dialect == "internet-archive")
    index.dialect = cdx::Dialect::internet_archive;
  else if (dialect == "outbackcdx")
    index.dialect = cdx::Dialect::outback;
  else if (!dialect.empty())
    return entry.refuse(*entry.find("dialect"),
                        fmt::format("'{}' is no dialect: pywb, internet-archive and outbackcdx are", dialect));
  TRY(const std::string most, entry.text("most"));
  const auto number = most.empty() ? std::optional<int64_t>(10'000) : parse_int(most);
  if (!number || *number < 1 || *number > 1'000'000)
    return entry.refuse(*entry.find("most"), fmt::format("'{}' is no number of captures: 1 to 1000000 are", most));
  index.most = static_cast<uint64_t>(*number);
  return index;
}

template <class T>
Result<void> parse_list(const Entry& root, std::string_view name, Result<T> (*parse)(const Entry&),
                        std::vector<T>& into) {
  const YamlNode* const list = root.find(name);
  if (list == nullptr || list->is_null()) return {};
  if (!list->is_sequence()) return root.refuse(*list, fmt::format("'{}' is a list", name));
  for (const YamlNode* const item : list->items()) {
    TRY(auto one, parse({root.file, *item}));
    into.push_back(std::move(one));
  }
  return {};
}

}  // namespace

Result<SourceList> parse_sources(std::string_view text, std::string_view file_name) {
  const auto tree = YamlTree::parse(text, {10'000, 1'000'000});
  if (!tree)
    return fail(ErrorCode::config, fmt::format("{}:{}: {}", file_name, tree.error().line, tree.error().reason));
  SourceList list;
  const Entry root{file_name, tree->root()};
  if (root.node.is_null()) return list;
  if (!root.node.is_map()) return root.refuse(root.node, "'archives:' and 'indexes:' are wanted here");
  TRY_VOID(root.knows({"version", "archives", "indexes"}));
  TRY(const std::string version, root.text("version"));
  if (!version.empty() && version != "1")
    return root.refuse(*root.find("version"), fmt::format("version '{}' is not known: 1 is", version));
  TRY_VOID(parse_list(root, "archives", &parse_archive, list.archives));
  TRY_VOID(parse_list(root, "indexes", &parse_index, list.indexes));
  return list;
}

std::shared_ptr<remote::WebClient> SourceOpener::client() {
  if (client_ == nullptr) client_ = std::make_shared<remote::WebClient>(clock_, files_, folder_);
  return client_;
}

Result<std::shared_ptr<RecordSource>> SourceOpener::open_place(const ArchivePlace& place) {
  if (place.kind == ArchivePlace::Kind::folder) return std::make_shared<FolderRecords>(files_, place.place);
  WebPlaceOptions options;
  options.timeout = place.timeout;
  if (place.kind == ArchivePlace::Kind::path_index) {
    options.name = place.place;
    auto web = std::make_shared<WebPlace>(client(), std::move(options));
    TRY(auto index, PathIndex::open(files_, place.place, std::move(web)));
    return index;
  }
  if (place.kind == ArchivePlace::Kind::web) {
    options.name = remote::shown_address(place.place);
    auto web = std::make_shared<WebPlace>(client(), std::move(options));
    return std::make_shared<WebRecords>(std::move(web), place.place);
  }
  options.name = fmt::format("s3://{}/{}", place.bucket.bucket, place.place);
  options.region = place.bucket.region;
  options.credentials = remote::s3_credentials_of_environment();
  if (!place.credentials.empty()) {
    options.read_credentials = [&files = files_, path = place.credentials, profile = place.profile] {
      return remote::read_s3_credentials(files, path, profile);
    };
    TRY(options.credentials, options.read_credentials());
  }
  auto web = std::make_shared<WebPlace>(client(), std::move(options));
  return std::make_shared<S3Records>(std::move(web), place.bucket, place.place);
}

Result<OpenSources> SourceOpener::open(const std::string& path) {
  OpenSources open;
  if (!files_.exists(path)) return open;
  TRY(const std::string text, files_.read_all(path, kLargestFile));
  TRY(const SourceList list, parse_sources(text, path));
  for (const ArchivePlace& place : list.archives) {
    TRY(auto opened, open_place(place));
    open.records.push_back(std::move(opened));
  }
  for (const RemoteIndexOptions& index : list.indexes) {
    open.indexes.push_back(std::make_shared<RemoteIndex>(client(), index));
    if (index.mementos.empty()) continue;
    MementoOptions mementos;
    mementos.name = index.name;
    mementos.prefixes.push_back(index.mementos);
    mementos.timeout = std::max<Duration>(index.timeout, mementos.timeout);
    open.records.push_back(std::make_shared<MementoRecords>(client(), std::move(mementos)));
  }
  return open;
}

}  // namespace caddis::sources
