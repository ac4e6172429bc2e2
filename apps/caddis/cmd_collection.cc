// caddis collection init|set|show|list|add|reindex. Indexes are made as `caddis index add` makes them.
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/counted.h"
#include "caddis/base/time_format.h"
#include "caddis/base/visible.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/cdx/index_meta.h"
#include "caddis/cdx/indexer.h"
#include "caddis/cdx/zipnum.h"
#include "caddis/collection/archive_folders.h"
#include "caddis/collection/folders.h"
#include "caddis/collection/layout.h"
#include "caddis/collection/metadata.h"
#include "caddis/io/files.h"
#include "caddis/replay/collection.h"
#include "caddis/wacz/package.h"
#include "collection_commands.h"
#include "index_commands.h"
#include "tell.h"

namespace caddis::cli {
namespace {

using collection::Layout;

struct AddedFiles {
  std::string collection;
  std::vector<std::string> inputs;
  bool links = false, moves = false;
};

Result<void> check_collection(const std::string& folder) {
  if (replay::is_collection(io::real_files(), folder)) return {};
  return fail(ErrorCode::not_found,
              folder + ": no collection (a folder with archive/ or indexes/); 'caddis collection init' makes one");
}

// ---- metadata

struct NewCollection {
  std::string folder, title, description;
};

struct Changes {
  std::string collection;
  std::vector<std::string> fields;  // NAME=VALUE
};

// Two that set fields at once would not see each other's.
Result<void> change_fields(const Layout& layout, const std::vector<collection::Metadata::Field>& fields) {
  IndexLock lock;
  TRY_VOID(lock.take(collection::metadata_file(layout)));
  return collection::change_metadata(io::real_files(), layout, fields);
}

Result<int> set_fields(const Changes& changes) {
  TRY_VOID(check_collection(changes.collection));
  std::vector<collection::Metadata::Field> fields;
  for (const std::string& one : changes.fields) {
    const size_t end = one.find('=');
    if (end == std::string::npos)
      return fail(ErrorCode::config, "'" + one + "': NAME=VALUE is wanted, and NAME= takes a field away");
    fields.emplace_back(one.substr(0, end), one.substr(end + 1));
  }
  TRY_VOID(change_fields(Layout(changes.collection), fields));
  return 0;
}

Result<int> show_fields(const std::string& folder) {
  TRY_VOID(check_collection(folder));
  TRY(const auto metadata, collection::read_metadata(io::real_files(), Layout(folder)));
  for (const auto& [name, value] : metadata.fields()) fmt::print("{}\t{}\n", visible(name), visible(value));
  return 0;
}

// ---- init

Result<int> init(const NewCollection& wanted) {
  const std::string& folder = wanted.folder;
  io::Files& files = io::real_files();
  if (replay::is_collection(files, folder)) return fail(ErrorCode::conflict, folder + " is a collection already");
  for (const std::string& inner : Layout(folder).folders()) TRY_VOID(files.make_dirs(inner));
  std::vector<collection::Metadata::Field> fields;
  if (!wanted.title.empty()) fields.emplace_back("title", wanted.title);
  if (!wanted.description.empty()) fields.emplace_back("description", wanted.description);
  if (const auto set = fields.empty() ? Result<void>() : change_fields(Layout(folder), fields); !set)
    return fail(set.error().code,
                set.error().message + "; the collection was made without it: 'caddis collection set' adds it");
  fmt::print("{0}: put archives into it with 'caddis collection add {0} FILE…', or crawl with --collection {0}\n",
             folder);
  return 0;
}

// ---- list

// Archive files in the folders of a collection, the name in an index first.
Result<std::map<std::string, std::string>> archives_in(const Layout& layout) {
  io::Files& files = io::real_files();
  std::map<std::string, std::string> found;
  for (const std::string& folder : collection::archive_folders(files, layout)) {
    if (!files.is_directory(folder)) continue;
    TRY(const auto archives, cdx::find_archives(files, folder));
    for (const std::string& path : archives)
      if (!path.ends_with(collection::kOpenSuffix)) found.emplace(path.substr(folder.size() + 1), path);
  }
  return found;
}

Result<void> tell_collection(const std::string& folder) {
  io::Files& files = io::real_files();
  TRY(const auto archives, archives_in(Layout(folder)));
  uint64_t bytes = 0;
  for (const auto& [name, path] : archives) {
    TRY(const auto file, files.open_read(path));
    TRY(const uint64_t size, file->size());
    bytes += size;
  }
  cdx::CaptureIndex index(files, system_clock(), folder);
  TRY(const auto size, index.size());
  fmt::print("{}\t{}{}\t{}\t{}\n", folder, size.exact ? "" : "about ", counted(size.captures, "capture"),
             counted(archives.size(), "file"), format_size(static_cast<long long>(bytes)));
  for (const std::string& problem : index.problems()) tell(fmt::format("caddis collection: {}: {}\n", folder, problem));
  return {};
}

Result<int> list(const std::string& folder) {
  io::Files& files = io::real_files();
  if (!files.is_directory(folder)) return fail(ErrorCode::not_found, folder + ": no such folder");
  std::vector<std::string> found;
  if (replay::is_collection(files, folder)) {
    found.push_back(folder);
  } else {
    TRY(const auto entries, files.list(folder));
    for (const auto& entry : entries)
      if (entry.is_directory && replay::is_collection(files, io::join_path(folder, entry.name)))
        found.push_back(io::join_path(folder, entry.name));
  }
  for (const std::string& one : found) TRY_VOID(tell_collection(one));
  if (found.empty()) tell(fmt::format("caddis collection: there is none in {}\n", folder));
  return 0;
}

// ---- add

// Where each archive is, and where it goes.
using Places = std::vector<std::pair<std::string, std::string>>;

// Before anything is done.
Result<Places> places_of(const AddedFiles& options) {
  io::Files& files = io::real_files();
  const Layout layout(options.collection);
  Places places;
  std::set<std::string> names;
  for (const std::string& input : options.inputs) {
    TRY(const auto found, cdx::find_archives(files, input));
    for (const std::string& path : found) {
      const std::string name(io::base_name(path));
      if (wacz::is_package_name(name))
        return fail(
            ErrorCode::config,
            fmt::format("{} is a package: 'caddis serve' shows it as it is, and 'caddis wacz extract {} FOLDER' "
                        "makes a collection of it, whose archive/ can be added",
                        path, path));
      if (!cdx::is_archive_name(name) || name.ends_with(collection::kOpenSuffix))
        return fail(ErrorCode::config, path + ": no whole WARC or ARC file by its name (.warc, .arc, .gz, .zst)");
      // A symbolic link stands for its file.
      std::error_code error;
      const std::string real = std::filesystem::canonical(path, error).string();
      if (error) return fail(ErrorCode::io, path + ": " + error.message());
      if (options.moves && std::filesystem::is_symlink(path, error))
        return fail(ErrorCode::config, path + " is a symbolic link: name the file itself, " + real);
      const std::string to = io::join_path(layout.archive(), name);
      if (files.exists(to) || !names.insert(name).second)
        return fail(
            ErrorCode::conflict,
            fmt::format("{}: there is a file of that name in {} already; nothing was added", path, layout.archive()));
      places.emplace_back(real, to);
    }
  }
  if (places.empty()) return fail(ErrorCode::not_found, "no WARC or ARC files there");
  return places;
}

Result<int> add(const AddedFiles& options) {
  io::Files& files = io::real_files();
  TRY_VOID(check_collection(options.collection));
  const Layout layout(options.collection);
  TRY_VOID(files.make_dirs(layout.archive()));
  // Two that add at once would not see each other's files.
  IndexLock placing;
  TRY_VOID(placing.take(layout.archive()));
  TRY(const Places places, places_of(options));
  // Without any index it is served as its files are: with one, only what stands in it.
  const bool is_indexed = cdx::CaptureIndex(files, system_clock(), options.collection).has_sources();
  std::vector<std::string> added;
  for (const auto& [from, to] : places) {
    // A name that no server takes for an archive until it is whole. What a kill has left may be a second name of an original.
    const std::string part = to + ".part";
    if (files.exists(part)) TRY_VOID(files.remove(part));
    TRY_VOID(collection::clone_file(files, from, part, options.links || options.moves));
    TRY_VOID(files.rename(part, to));
    added.push_back(to);
  }
  TRY_VOID(files.sync_dir(layout.archive()));
  if (!is_indexed) {
    TRY(const auto all, archives_in(layout));
    added.clear();
    for (const auto& [name, path] : all) added.push_back(path);
  }
  const auto code = index_into(layout, added, "");
  if (!code)
    return pass(code.error(), "the files are in " + layout.archive() + ", and 'caddis collection reindex " +
                                  options.collection + "' indexes them; why that was not done");
  // A file that is moved is taken away when it is in the index.
  if (options.moves && *code == 0)
    for (const auto& [from, to] : places) TRY_VOID(files.remove(from));
  if (options.moves && *code != 0)
    tell("caddis collection: since not all is sound, the files were left where they were, too\n");
  return *code;
}

// ---- reindex

Result<void> add_names_in(const std::string& index, std::set<std::string>& names) {
  io::Files& files = io::real_files();
  std::shared_ptr<cdx::LineSource> lines;
  if (cdx::is_zipnum_name(index)) {
    TRY(lines, cdx::ZipNumLines::open(files, index, url::KeyPolicy::ia_surt()));
  } else {
    TRY(auto file, cdx::SortedFile::open(files, index));
    lines = std::make_shared<cdx::FileLines>(std::move(file));
  }
  TRY(const auto cursor, lines->seek(""));
  while (!cursor->at_end()) {
    if (const auto capture = lines->parse(cursor->line()); capture && !capture->filename.empty())
      names.insert(capture->filename);
    TRY_VOID(cursor->next());
  }
  return {};
}

// The files that other indexes of the collection have: those of crawls and of --auto-index.
Result<std::set<std::string>> indexed_elsewhere(const Layout& layout) {
  io::Files& files = io::real_files();
  std::set<std::string> names;
  if (!files.is_directory(layout.indexes())) return names;
  TRY(const auto entries, files.list(layout.indexes()));
  for (const auto& entry : entries) {
    const std::string path = io::join_path(layout.indexes(), entry.name);
    const bool is_index = collection::is_index_name(entry.name) || cdx::is_zipnum_name(entry.name);
    if (!entry.is_directory && is_index && path != layout.added_index()) TRY_VOID(add_names_in(path, names));
  }
  return names;
}

Result<int> reindex(const std::string& folder) {
  io::Files& files = io::real_files();
  TRY_VOID(check_collection(folder));
  const Layout layout(folder);
  const std::string index = layout.added_index(), fresh = index + ".new";
  TRY_VOID(files.make_dirs(layout.indexes()));
  IndexLock lock;
  TRY_VOID(lock.take(index));
  TRY(const auto others, indexed_elsewhere(layout));
  TRY(const auto archives, archives_in(layout));
  std::vector<std::string> wanted;
  for (const auto& [name, path] : archives) {
    // An index may have the name without its folder, if that is no other file's.
    const std::string base(io::base_name(name));
    if (others.contains(name) || (others.contains(base) && !archives.contains(base))) continue;
    TRY_VOID(files.open_read(path));
    wanted.push_back(path);
  }
  for (const std::string& rest : {fresh, fresh + ".meta"})
    if (files.exists(rest)) TRY_VOID(files.remove(rest));
  if (archives.empty() && files.exists(index))
    return fail(ErrorCode::not_found,
                fmt::format("there is no archive file in {}, but {} names some: is a disk missing? "
                            "Nothing was changed",
                            layout.archive(), index));
  if (wanted.empty()) {
    for (const std::string& old : {index, index + ".meta"})
      if (files.exists(old)) TRY_VOID(files.remove(old));
    fmt::print("{}: no file is there that another index has not\n", folder);
    return 0;
  }
  TRY(const int code, index_into(layout, wanted, fresh));
  for (const char* const end : {".meta", ""})
    if (files.exists(fresh + end)) TRY_VOID(files.rename(fresh + end, index + end));
  TRY_VOID(files.sync_dir(layout.indexes()));
  return code;
}

void finish(const Result<int>& done, int& exit_code) {
  if (done) {
    exit_code = *done;
    return;
  }
  tell(fmt::format("caddis collection: {}\n", done.error().message));
  exit_code = done.error().code == ErrorCode::io ? 1 : 2;
}

}  // namespace

void add_collection_commands(CLI::App& app, int& exit_code) {
  CLI::App* group = app.add_subcommand("collection", "The folders of collections: made, listed, filled, indexed");
  group->require_subcommand(1);
  const auto made = std::make_shared<NewCollection>();
  CLI::App* command = group->add_subcommand("init", "Make the folders of a new collection");
  command->alias("create");
  command->add_option("collection", made->folder, "Its folder")->required();
  command->add_option("--title", made->title, "Its title, which stands on pages in the place of the folder's name");
  command->add_option("--description", made->description, "A text about it, for its page");
  command->callback([made, &exit_code] { finish(init(*made), exit_code); });

  const auto changes = std::make_shared<Changes>();
  command = group->add_subcommand("set", "Set title, description and further fields that the collection's page shows");
  command->add_option("collection", changes->collection, "Its folder")->required();
  command->add_option("field", changes->fields, "'title=News of 2020'; without a value, the field is taken away")
      ->required()
      ->type_name("NAME=VALUE");
  command->callback([changes, &exit_code] { finish(set_fields(*changes), exit_code); });

  const auto folder = std::make_shared<std::string>();
  command = group->add_subcommand("show", "Show the fields of a collection, each with its value");
  command->add_option("collection", *folder, "Its folder")->required();
  command->callback([folder, &exit_code] { finish(show_fields(*folder), exit_code); });

  const auto listed = std::make_shared<std::string>(".");
  command = group->add_subcommand("list", "List the collections in a folder, with their captures and archive files");
  command->add_option("folder", *listed, "The folder of collections, or a collection")->capture_default_str();
  command->callback([listed, &exit_code] { finish(list(*listed), exit_code); });

  const auto added = std::make_shared<AddedFiles>();
  command = group->add_subcommand("add", "Put WARC and ARC files into a collection, and index them");
  command->add_option("collection", added->collection, "Its folder")->required();
  command->add_option("path", added->inputs, "Files, and folders searched downwards")->required();
  auto* const links =
      command->add_flag("--link", added->links, "Link them (a second name for the same bytes) if that is possible");
  command->add_flag("--move", added->moves, "Take them away from where they were, when they are indexed")
      ->excludes(links);
  command->callback([added, &exit_code] { finish(add(*added), exit_code); });

  command = group->add_subcommand(
      "reindex", "Make indexes/index.cdxj anew, of all archive files in it that no other index of it has");
  command->add_option("collection", *folder, "Its folder")->required();
  command->callback([folder, &exit_code] { finish(reindex(*folder), exit_code); });
}

}  // namespace caddis::cli
