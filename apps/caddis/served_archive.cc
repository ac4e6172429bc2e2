#include "served_archive.h"

#include <fmt/format.h>

#include <utility>

#include "caddis/access/user_store.h"
#include "caddis/base/clock.h"
#include "caddis/base/random.h"
#include "caddis/control/control_client.h"
#include "caddis/io/files.h"
#include "caddis/pages/pages.h"
#include "caddis/viewing/group_names.h"
#include "live_archive.h"
#include "replay_site.h"
#include "tell.h"

namespace caddis::cli {
namespace {

class KeptBody final : public http::BodySource {
 public:
  KeptBody(std::shared_ptr<const ServedArchive> archive, std::unique_ptr<http::BodySource> body)
      : archive_(std::move(archive)), body_(std::move(body)) {}
  Result<bool> next(std::string& piece) override { return body_->next(piece); }

 private:
  const std::shared_ptr<const ServedArchive> archive_;  // outlives the body
  const std::unique_ptr<http::BodySource> body_;
};

}  // namespace

http::ServerResponse keep_archive(http::ServerResponse response, std::shared_ptr<const ServedArchive> archive) {
  if (response.source) response.source = std::make_unique<KeptBody>(std::move(archive), std::move(response.source));
  return response;
}

ArchiveOpener::ArchiveOpener(const ServeOptions& options, const aio::Endpoint& at, replay::Standing standing)
    : options_(options),
      at_(at),
      secret_(SeededRandom(system_seed()).uuid()),
      memory_(std::make_shared<replay::WaybackMemory>(secret_, system_clock(), std::move(standing))),
      pool_(io::real_files(), system_clock(), options.launch, options.sources) {}

Result<replay::Origins> ArchiveOpener::origins_of(const std::vector<std::string>& collections) const {
  replay::ServeNames names = options_.names;
  names.are_keyed = !options_.access.users.empty();
  if (at_.address == "::1") names.local = "localhost";
  return replay::Origins::create(std::move(names), collections, secret_);
}

Result<replay::WaybackOptions> ArchiveOpener::wayback_options() const {
  replay::WaybackOptions made;
  made.memory = memory_;
  made.is_frameless = options_.is_frameless;
  TRY(made.limits, answer_limits(options_.limits));
  if (!options_.theme.empty()) {
    TRY(auto theme, pages::read_theme(io::real_files(), options_.theme));
    TRY(made.pages, pages::Pages::create(std::move(theme)));
  }
  if (!options_.rules.empty()) {
    TRY(const std::string text, io::real_files().read_all(options_.rules, 16 << 20));
    auto rules = replay::FuzzyRules::parse(text);
    if (!rules) return pass(rules.error(), options_.rules);
    made.fuzzy = *std::move(rules);
  }
  return made;
}

Result<void> ArchiveOpener::open_indexes() {
  if (options_.indexes.listen.empty() && options_.indexes.folder.empty()) return {};
  if (options_.indexes.listen.empty() || options_.indexes.folder.empty())
    return fail(ErrorCode::config,
                "--index-data and --index-listen go together: where the indexes are, and where lines come in");
  if (!options_.launch.empty())
    return fail(ErrorCode::config, "--launch shows one launch alone: it cannot be used with --index-data");
  TRY_VOID(io::real_files().make_dirs(options_.indexes.folder));
  if (indexes_ == nullptr)
    indexes_ = std::make_unique<cdxserver::IndexFolder>(io::real_files(), system_clock(), options_.indexes.folder,
                                                        cdx::CaptureStoreOptions());
  return {};
}

// Opens the index of the collection's name, whose captures it shows beside its own.
Result<void> ArchiveOpener::add_index(replay::Collection& collection) {
  if (indexes_ == nullptr) return {};
  const auto served = indexes_->find_or_make(collection.name());
  if (!served) return pass(served.error(), "the index of " + collection.path());
  // They hold at the index's own access points; the pages go by the rules of the collection.
  if ((*served)->access->rules({}) != "[]")
    return fail(ErrorCode::config,
                fmt::format("the index {} has access rules of its own, by which the pages of {} would not go: write "
                            "them into its access.yaml (caddis access import), and delete them there",
                            collection.name(), collection.path()));
  collection.index().add_source((*served)->store);
  return {};
}

Result<std::shared_ptr<const ServedArchive>> ArchiveOpener::open(const replay::CollectionIdentities& wanted) {
  TRY_VOID(open_indexes());
  const auto prepare = [this](replay::Collection& collection) {
    collection.index().tell_broken_lines_to(broken_lines_);
    collection.originals().tell_broken_lines_to(broken_lines_);
    return add_index(collection);
  };
  TRY(auto collections, pool_.open(wanted, prepare));
  if (rules_ == nullptr) {
    TRY(words_, replay::aggregate_words(io::real_files(), options_.aggregates.members, options_.aggregates.metadata));
  }
  // Names are right if they were so in the beginning.
  const auto absent = rules_ == nullptr ? replay::AbsentMembers::are_refused : replay::AbsentMembers::are_left_out;
  TRY_VOID(replay::add_aggregates(collections, options_.aggregates.members, absent, words_));
  TRY(auto wayback, wayback_options());
  std::vector<std::string> names;
  for (const auto& collection : collections) names.push_back(collection->name());
  TRY(auto origins, origins_of(names));
  auto archive = std::make_shared<ServedArchive>();
  archive->base = origins.base();
  archive->broken_lines = broken_lines_;
  TRY(archive->rules,
      replay::ServedRules::open(io::real_files(), system_clock(), options_.access_rules, collections, rules_));
  wayback.rules = archive->rules;
  archive->wayback = std::make_unique<replay::Wayback>(io::real_files(), std::move(collections), std::move(origins),
                                                       control::ask, std::move(wayback));
  rules_ = archive->rules;
  tell_groups_of_nobody(*archive);
  return archive;
}

// A users file that cannot be read is told elsewhere.
void ArchiveOpener::tell_groups_of_nobody(const ServedArchive& archive) {
  access::UserStore store(io::real_files(), options_.access.users);
  if (options_.access.users.empty() || !store.refresh()) return;
  const auto users = store.users();
  const auto is_user = [&](const std::string& name) { return users->find_user(name) != nullptr; };
  std::vector<std::string> names(1);  // the rules of the server have none
  for (const auto& collection : archive.wayback->collections()) names.push_back(collection->name());
  for (const std::string& name : names) {
    const viewing::RuleStore* const rules = archive.rules->store(name);
    if (rules == nullptr) continue;
    for (const std::string& group : viewing::groups_of_nobody(rules->rules()->list(), is_user)) {
      if (!told_groups_.insert(rules->path() + '\n' + group).second) continue;
      tell(
          fmt::format("caddis serve: {} names the group '{}', but no user of {} is in it, and no role has this name "
                      "(viewer, curator, operator and admin are roles)\n",
                      rules->path(), group, options_.access.users));
    }
  }
}

Result<std::unique_ptr<LiveArchive>> ArchiveOpener::open_live(const ServedArchive& beside) const {
  const std::string name(replay::kLive);
  for (const auto& collection : beside.wayback->collections())
    if (collection->name() == name)
      return fail(ErrorCode::config,
                  fmt::format("--live: the collection {} has the name under which the live web is shown; rename its "
                              "folder",
                              collection->path()));
  TRY(auto wayback, wayback_options());
  wayback.is_live = true;
  // Its keys and lists are not those of the archive.
  wayback.memory = std::make_shared<replay::WaybackMemory>(secret_, system_clock(), replay::Standing());
  TRY(auto origins, origins_of(std::vector<std::string>(1, name)));
  return std::make_unique<LiveArchive>(std::move(wayback), std::move(origins));
}

}  // namespace caddis::cli
