#include "caddis/replay/collection.h"

#include <algorithm>
#include <iterator>

#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/flat_json.h"
#include "caddis/cdx/indexer.h"
#include "caddis/collection/archive_folders.h"
#include "caddis/replay/collection_paths.h"
#include "caddis/replay/collection_pool.h"
#include "caddis/sources/folder_records.h"
#include "caddis/wacz/datapackage.h"
#include "caddis/wacz/package.h"
#include "caddis/wacz/package_files.h"

namespace caddis::replay {
namespace {

constexpr uint64_t kPagesRead = 4 << 20;  // of a list of pages; how many the rest holds is estimated

// A name that can stand in an address: what would end or begin something else there becomes '-'.
std::string address_name(std::string_view path) {
  while (path.ends_with('/')) path.remove_suffix(1);
  std::string name(io::base_name(path));
  for (const char* const ending : {".gz", ".warc", ".arc", ".wacz"})
    if (name.ends_with(ending)) name.resize(name.size() - std::string_view(ending).size());
  for (char& c : name)
    if (!is_alnum(c) && c != '-' && c != '_' && c != '.') c = '-';
  return name.empty() || name == "." || name == ".." || name == "-" ? "collection" : name;
}

std::optional<Page> parse_page(std::string_view line) {
  Page page;
  cdx::FlatJson json(line);
  while (json.next()) {
    if (json.name() == "url")
      page.url = json.text();
    else if (json.name() == "title")
      page.title = json.text();
    else if (json.name() == "ts") {
      const auto time = parse_w3c_date(json.text());
      if (time) page.timestamp = timestamp14(*time);
    }
  }
  return json.error().empty() && !page.url.empty() ? std::optional(std::move(page)) : std::nullopt;
}

using Titles = std::map<std::string, std::string, std::less<>>;

void add_page(std::string_view line, PageList& list, Titles& titles) {
  // The first line describes the list and has no url.
  auto page = parse_page(line);
  if (!page) return;
  ++list.count;
  if (!page->title.empty() && !page->timestamp.empty())
    titles.insert_or_assign(page->timestamp + ' ' + page->url, page->title);
  if (list.first.size() < Collection::kListedPages) list.first.push_back(*std::move(page));
}

Result<PageList> read_pages(const io::File& file, uint64_t size) {
  PageList list;
  std::string text(std::min(size, kPagesRead), '\0');
  TRY(const size_t got, file.read_at(0, text.data(), text.size()));
  text.resize(got);
  list.exact = got == size;
  if (!list.exact) text.resize(text.rfind('\n') + 1);
  auto titles = std::make_shared<Titles>();
  for (const std::string_view line : split(text, '\n')) add_page(line, list, *titles);
  list.titles = std::move(titles);
  if (!list.exact && !text.empty())
    list.count = static_cast<uint64_t>(static_cast<double>(list.count) * static_cast<double>(size) /
                                       static_cast<double>(text.size()));
  return list;
}

std::vector<cdx::CaptureIndex*> indexes_of(const std::vector<std::shared_ptr<Collection>>& members) {
  std::vector<cdx::CaptureIndex*> indexes;
  for (const auto& member : members) indexes.push_back(&member->index());
  return indexes;
}

// A package says what it is, or not: it is served all the same.
collection::Metadata words_of_package(io::Files& files, const std::string& path) {
  collection::Metadata words;
  const auto text = files.read_all(io::join_path(path, wacz::kDataPackage), wacz::kLargestDescription);
  if (!text) return words;
  const auto package = wacz::parse_datapackage(*text);
  if (!package) return words;
  words.set("title", package->title);
  words.set("description", package->description);
  return words;
}

// In one below `folder`, which is served by itself, with its rules of access.
bool lies_in_a_collection(io::Files& files, const std::string& folder, const std::string& file) {
  for (std::string place = io::parent_path(file); place.size() > folder.size(); place = io::parent_path(place))
    if (is_collection(files, place)) return true;
  return false;
}

}  // namespace

Collection::Collection(io::Files& files, const Clock& clock, std::string name, std::string path,
                       std::string index_folder)
    : files_(files),
      clock_(clock),
      name_(std::move(name)),
      layout_(std::move(path)),
      index_(files, clock, std::move(index_folder)) {
  const auto places = [this](std::string_view name) { return own_places(name); };
  records_.push_back(std::make_shared<sources::FolderRecords>(files_, places));
}

Collection::Collection(Collection& whole, std::shared_ptr<const cdx::CaptureFilter> filter)
    : files_(whole.files_),
      clock_(whole.clock_),
      view_{&whole, filter, {}, {}},
      name_(whole.name_),
      layout_(whole.layout_),
      index_(whole.index_, std::move(filter)) {}

Collection::Collection(std::string name, std::vector<std::shared_ptr<Collection>> members, Words words)
    : files_(members.front()->files_),
      clock_(members.front()->clock_),
      view_{nullptr, nullptr, std::move(members), std::move(words)},
      name_(std::move(name)),
      layout_(""),
      index_(indexes_of(view_.members)) {}

std::unique_ptr<Collection> collection_in_memory(io::Files& files, const Clock& clock, std::string name,
                                                 std::string title, std::shared_ptr<sources::RecordSource> records) {
  std::unique_ptr<Collection> collection(new Collection(files, clock, std::move(name), "", ""));
  collection->opening_.words.emplace().set("title", std::move(title));
  collection->records_.clear();
  if (records != nullptr) collection->records_.push_back(std::move(records));
  return collection;
}

std::unique_ptr<Collection> Collection::join(std::string name, std::vector<std::shared_ptr<Collection>> members,
                                             Words words) {
  return std::unique_ptr<Collection>(new Collection(std::move(name), std::move(members), std::move(words)));
}

std::unique_ptr<Collection> Collection::seen_through(std::shared_ptr<const cdx::CaptureFilter> filter) {
  return std::unique_ptr<Collection>(new Collection(*this, std::move(filter)));
}

bool Collection::may_speak_of(std::string_view text) const {
  if (!view_.members.empty())
    return std::ranges::all_of(view_.members, [&](const auto& member) { return member->may_speak_of(text); });
  if (!view_.filter) return true;
  const auto is_hidden = [&](std::string_view word) {
    return word.find(':') != std::string_view::npos && view_.filter->hides_anything_of(word);
  };
  for (std::string_view word : split(text, ' ')) {
    while (!word.empty() && std::string_view("<([\"'").contains(word.front())) word.remove_prefix(1);
    // A sign at its end may be the sentence's or the URL's.
    if (is_hidden(word)) return false;
    while (!word.empty() && std::string_view(",.;:)]>\"'").contains(word.back())) {
      word.remove_suffix(1);
      if (is_hidden(word)) return false;
    }
  }
  return true;
}

Result<std::unique_ptr<Collection>> Collection::open(io::Files& files, const Clock& clock, const std::string& path,
                                                     const std::string& launch) {
  if (wacz::is_package_name(path) && !files.is_directory(path)) {
    if (launch.empty()) return open_package(files, clock, path);
    return fail(ErrorCode::config, path + ": a package has no launches");
  }
  const bool folder = files.is_directory(path);
  auto collection = std::unique_ptr<Collection>(new Collection(
      files, clock, address_name(path), folder ? path : io::parent_path(path), folder ? path : std::string()));
  if (!launch.empty()) {
    TRY_VOID(collection->limit_to(launch));
  } else if (!folder) {
    collection->opening_.words.emplace();
    TRY_VOID(collection->index_archives(path));
  } else if (!collection->index_.has_sources()) {
    const collection::Layout& layout = collection->layout_;
    const bool lies_elsewhere = files.exists(io::join_path(path, sources::kSourceFile));
    if (!files.is_directory(layout.archive()) && lies_elsewhere) return collection;
    if (!files.is_directory(layout.archive())) {
      TRY_VOID(collection->index_archives(path));
      return collection;
    }
    for (const std::string& place : collection::archive_folders(files, layout))
      if (files.is_directory(place)) TRY_VOID(collection->index_archives(place));
  }
  return collection;
}

// As a folder whose files lie in the package.
Result<std::unique_ptr<Collection>> Collection::open_package(io::Files& files, const Clock& clock,
                                                             const std::string& path) {
  TRY(auto inside, wacz::PackageFiles::open(files, path));
  io::Files& seen = *inside;
  auto collection = std::unique_ptr<Collection>(new Collection(seen, clock, address_name(path), path, path));
  collection->package_ = std::move(inside);
  collection->opening_.words = words_of_package(seen, path);
  if (!collection->index_.has_sources()) TRY_VOID(collection->index_archives(collection->layout_.archive()));
  return collection;
}

Result<void> Collection::limit_to(const std::string& launch) {
  const auto all = launches();
  const bool has_folder = std::ranges::find(all, launch, &collection::Launch::name) != all.end();
  // A harvest's archive has the indexes of its jobs, and not the folders of their crawls.
  const std::string index = layout_.index_of(launch);
  const bool has_index =
      launch.find('/') == std::string::npos && index != layout_.added_index() && files_.exists(index);
  if (!has_folder && !has_index)
    return fail(ErrorCode::not_found, path() + ": there is no launch '" + launch +
                                          "'; its launches are the folders in crawls/ and the indexes in indexes/");
  launch_ = launch;
  unlimited_ = std::make_unique<cdx::CaptureIndex>(files_, clock_, path());
  index_.limit_to(launch);
  return {};
}

Result<void> Collection::index_archives(const std::string& where) {
  TRY(auto archives, cdx::find_archives(files_, where));
  if (where == path())
    std::erase_if(archives, [&](const std::string& file) { return lies_in_a_collection(files_, where, file); });
  for (const std::string& path : archives) {
    const std::string name(io::base_name(path));
    const auto indexed = cdx::index_archive(files_, path, name, [&](std::string_view line) -> Result<void> {
      index_.add_line(line);
      return {};
    });
    // One among others is left out; one alone is nothing to serve.
    if (!indexed && path == where) return pass(indexed.error(), path);
    if (!indexed) {
      log_warn("replay", "{} is left out: {}", path, indexed.error().message);
      opening_.problems.push_back(name + ": " + indexed.error().message);
      continue;
    }
    if (!indexed->foreign.empty() && path == where)
      return fail(ErrorCode::unsupported, path + ": there is nothing to replay: " + indexed->foreign);
    if (!indexed->foreign.empty()) log_warn("replay", "{} is left out: {}", path, indexed->foreign);
    for (const std::string& problem : indexed->problems) log_warn("replay", "{}: {}", path, problem);
    indexed_[name] = path;
  }
  return {};
}

std::vector<std::string> Collection::own_places(std::string_view filename) const {
  if (const auto known = indexed_.find(filename); known != indexed_.end())
    return std::vector<std::string>(1, known->second);
  return collection::places_of_archive(files_, layout_, filename);
}

Result<collection::Metadata> Collection::metadata() const {
  if (!view_.members.empty()) return view_.words ? view_.words() : collection::Metadata();
  if (view_.whole != nullptr) return view_.whole->metadata();
  return opening_.words ? *opening_.words : collection::read_metadata(files_, layout_);
}

std::string Collection::heading() const {
  const auto words = metadata();
  return !words || words->title().empty() ? name_ : std::string(words->title());
}

Result<std::unique_ptr<io::File>> Collection::open_archive(const cdx::Capture& capture) const {
  if (!view_.members.empty()) return view_.members.at(capture.member - 1)->open_archive(capture);
  if (view_.whole != nullptr) return view_.whole->open_archive(capture);
  return sources::RecordSources(records_).open(capture);
}

void Collection::add_sources(const sources::OpenSources& more) {
  records_.insert(records_.end(), more.records.begin(), more.records.end());
  for (const auto& index : more.indexes) (unlimited_ ? *unlimited_ : index_).add_source(index);
}

std::vector<std::string> Collection::problems() {
  if (view_.whole != nullptr) return view_.whole->problems();
  std::vector<std::string> all = opening_.problems;
  for (const auto& member : view_.members)
    for (const std::string& problem : member->problems()) all.push_back(member->name() + ": " + problem);
  if (!view_.members.empty()) return all;
  std::ranges::move(index_.problems(), std::back_inserter(all));
  return all;
}

std::shared_ptr<const PageList> Collection::pages_as_seen() const {
  const auto all = view_.whole->pages();
  auto seen = std::make_shared<PageList>();
  seen->titles = all->titles;
  const auto asker = view_.filter->ask();
  for (const Page& page : all->first)
    if (page.timestamp.empty() ? !view_.filter->hides_anything_of(page.url) : asker->shows(page.url, page.timestamp))
      seen->first.push_back(page);
  // How many of the others are hidden is not known, and not told.
  seen->exact = all->exact && all->first.size() == all->count;
  seen->count = seen->exact ? seen->first.size() : all->count;
  return seen;
}

std::shared_ptr<const PageList> Collection::pages_of_members() const {
  auto joined = std::make_shared<PageList>();
  for (const auto& member : view_.members) {
    const auto own = member->pages();
    for (const Page& page : own->first)
      if (joined->first.size() < kListedPages) joined->first.push_back(page);
    joined->count += own->count;
    joined->exact = joined->exact && own->exact;
  }
  return joined;
}

std::shared_ptr<const PageList> Collection::pages() const {
  if (!view_.members.empty()) return pages_of_members();
  if (view_.whole != nullptr) return pages_as_seen();
  const std::lock_guard lock(pages_mutex_);
  const std::string path = layout_.page_list();
  if (!files_.exists(path)) return std::make_shared<PageList>();
  auto list = [&]() -> Result<std::shared_ptr<const PageList>> {
    TRY(const auto file, files_.open_read(path));
    TRY(const uint64_t size, file->size());
    if (size == pages_.size) return pages_.list;
    TRY(auto read, read_pages(*file, size));
    pages_.size = size;
    return std::make_shared<const PageList>(std::move(read));
  }();
  if (list)
    pages_.list = *std::move(list);
  else
    log_warn("replay", "{}: {}", path, list.error().message);
  return pages_.list;
}

std::vector<collection::Launch> Collection::launches() const {
  if (!view_.members.empty()) return {};
  auto found = collection::launch_folders(files_, layout_).value_or(std::vector<collection::Launch>());
  std::ranges::reverse(found);
  return found;
}

bool is_collection(io::Files& files, const std::string& path) {
  const collection::Layout layout(path);
  return files.is_directory(layout.archive()) || files.is_directory(layout.indexes()) ||
         files.exists(io::join_path(path, sources::kSourceFile));
}

Result<void> refuse_equal_names(const std::vector<std::string>& paths) {
  std::map<std::string, std::string> known;
  for (const std::string& path : paths) {
    const auto [other, is_new] = known.emplace(address_name(path), path);
    if (!is_new)
      return fail(ErrorCode::config, other->second + " and " + path + " would both be the collection '" + other->first +
                                         "': give one of them another name");
  }
  return {};
}

Result<std::vector<std::string>> collections_in(io::Files& files, const std::string& folder) {
  if (is_collection(files, folder)) return std::vector(1, folder);
  TRY(const auto entries, files.list(folder));
  std::vector<std::string> paths;
  bool has_archives = false;
  for (const auto& entry : entries) {
    const std::string inner = io::join_path(folder, entry.name);
    if (entry.is_directory && is_collection(files, inner)) paths.push_back(inner);
    if (!entry.is_directory && wacz::is_package_name(entry.name)) paths.push_back(inner);
    has_archives = has_archives || (!entry.is_directory && cdx::is_archive_name(entry.name));
  }
  if (has_archives) paths.push_back(folder);
  return paths;
}

Result<std::vector<std::string>> collection_paths(io::Files& files, const std::string& path) {
  if (!files.exists(path)) return fail(ErrorCode::not_found, path + ": no such file or folder");
  if (!files.is_directory(path)) return std::vector(1, path);
  TRY(auto paths, collections_in(files, path));
  if (paths.empty())
    return fail(ErrorCode::not_found, path +
                                          ": no collection (a folder with archive/ or indexes/), no folder of "
                                          "collections, no WARC, ARC or WACZ files");
  return paths;
}

Result<std::vector<std::shared_ptr<Collection>>> open_collections(io::Files& files, const Clock& clock,
                                                                  const std::string& path, const std::string& launch,
                                                                  const std::string& sources) {
  TRY(const auto paths, collection_paths(files, path));
  return CollectionPool(files, clock, launch, sources).open(collection_identities(files, paths), {});
}

}  // namespace caddis::replay
