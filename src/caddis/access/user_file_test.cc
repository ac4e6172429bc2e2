#include "caddis/access/user_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "caddis/access/audit_log.h"
#include "caddis/access/user_store.h"
#include "caddis/base/time_format.h"
#include "caddis/io/memory_files.h"
#include "support/testdata.h"

namespace caddis::access {
namespace {

// The golden bytes of docs/formats/users.md.
const std::string kHash = "scrypt:15:8:1:" + std::string(32, '0') + ":" + std::string(64, '1');
const std::string kDigest = "digest:" + std::string(32, '2') + ":" + std::string(64, '3');
const std::string kGolden =
    "caddis-users 1\n"
    "user alice admin " +
    kHash +
    "\n"
    "user bob viewer " +
    kHash + " " + kDigest +
    "\n"
    "token 0123456789ab bob viewer 2027-01-01T00:00:00Z " +
    std::string(64, '4') +
    " the wall board\n"
    "token 0123456789ac alice operator never " +
    std::string(64, '5') + "\n";

TEST(UserFile, ReadsWhatItWrites) {
  const auto read = UserFile::parse(kGolden);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->to_text(), kGolden);
  ASSERT_EQ(read->users.size(), 2u);
  EXPECT_EQ(read->find_user("alice")->role, Role::admin);
  EXPECT_TRUE(read->find_user("bob")->digest);
  EXPECT_EQ(read->tokens[0].purpose, "the wall board");
  EXPECT_EQ(rfc3339(*read->tokens[0].expires), "2027-01-01T00:00:00Z");
  EXPECT_FALSE(read->tokens[1].expires);
  EXPECT_EQ(read->find_user("carol"), nullptr);
}

TEST(UserFile, SaysWhichLineIsWrong) {
  const std::string head = "caddis-users 1\n", alice = "user alice admin " + kHash + "\n";
  for (const std::string& wrong :
       {std::string(), head.substr(0, 5), std::string("caddis-users 2\n"), head + "\n", head + alice + alice,
        head + "user al:ice admin " + kHash + "\n", head + "user alice root " + kHash + "\n",
        head + "user alice none " + kHash + "\n", head + "user alice admin secret\n",
        head + alice + "token 0123456789ab bob viewer never " + std::string(64, '4') + "\n",
        head + alice + "token 0123456789ab alice viewer tomorrow " + std::string(64, '4') + "\n",
        head + alice + "token 0123456789ab alice viewer never " + std::string(64, '4') + "  two\n",
        head + alice + "x"}) {
    const auto read = UserFile::parse(wrong);
    ASSERT_FALSE(read.has_value()) << wrong;
    EXPECT_TRUE(read.error().message.starts_with("line ")) << read.error().message;
  }
}

class Store : public ::testing::Test {
 protected:
  Result<void> add(std::string_view name, Role role) {
    return store_.change([&](UserFile& file) -> Result<void> {
      TRY(User user, make_user(name, role, "a password", false));
      return add_user(file, std::move(user));
    });
  }

  io::MemoryFiles files_;
  UserStore store_{files_, "/d/users"};
};

TEST_F(Store, KeepsUsersAndSeesThoseOfOthers) {
  ASSERT_TRUE(store_.refresh().has_value());
  EXPECT_TRUE(store_.users()->users.empty());
  ASSERT_TRUE(add("alice", Role::admin).has_value());
  EXPECT_NE(store_.users()->find_user("alice"), nullptr);
  UserStore other(files_, "/d/users");
  ASSERT_TRUE(other.refresh().has_value());
  EXPECT_EQ(*other.users(), *store_.users());
  ASSERT_TRUE(add("bob", Role::viewer).has_value());
  EXPECT_EQ(other.users()->find_user("bob"), nullptr);
  ASSERT_TRUE(other.refresh().has_value());
  EXPECT_NE(other.users()->find_user("bob"), nullptr);
}

TEST_F(Store, RefusesWhatCannotBe) {
  ASSERT_TRUE(add("alice", Role::admin).has_value());
  EXPECT_EQ(add("alice", Role::viewer).error().code, ErrorCode::conflict);
  EXPECT_EQ(add("a b", Role::viewer).error().code, ErrorCode::config);
  const auto remove = [](UserFile& file) { return remove_user(file, "alice"); };
  EXPECT_EQ(store_.change(remove).error().code, ErrorCode::conflict) << "the last admin";
  const auto demote = [](UserFile& file) { return set_role(file, "alice", Role::viewer); };
  EXPECT_EQ(store_.change(demote).error().code, ErrorCode::conflict);
  ASSERT_TRUE(add("bob", Role::admin).has_value());
  EXPECT_TRUE(store_.change(remove).has_value());
}

TEST_F(Store, NamesWhoHoldsItsLock) {
  UserStore other(files_, "/d/users");
  const auto changed = other.change([&](UserFile&) -> Result<void> {
    const auto refused = add("carol", Role::viewer);
    EXPECT_FALSE(refused.has_value());
    if (refused) return {};
    EXPECT_EQ(refused.error().code, ErrorCode::conflict);
    const std::string& said = refused.error().message;
    EXPECT_NE(said.find("locked by process " + std::to_string(::getpid()) + ", a change of the users"), said.npos)
        << said;
    EXPECT_NE(said.find("try again in a moment"), said.npos) << said;
    return {};
  });
  EXPECT_TRUE(changed.has_value());
}

TEST_F(Store, StandsIfTheFileIsDamaged) {
  ASSERT_TRUE(add("alice", Role::admin).has_value());
  ASSERT_TRUE(files_.write_atomically("/d/users", "caddis-users 1\nuser").has_value());
  const auto refreshed = store_.refresh();
  ASSERT_FALSE(refreshed.has_value());
  EXPECT_NE(refreshed.error().message.find("/d/users"), std::string::npos);
  EXPECT_NE(store_.users()->find_user("alice"), nullptr);
}

// The folder of a server that runs as another user, whose files root changes.
class StoreOfAnotherUser : public ::testing::Test {
 protected:
  static constexpr uid_t kUser = 12345, kGroup = 54321;

  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "only root gives files to others";
    give(kUser, kGroup, folder_ / "");
  }
  static void give(uid_t user, gid_t group, const std::string& path) {
    ASSERT_EQ(::chown(path.c_str(), user, group), 0) << path;
  }
  void add(std::string_view name) {
    const auto done = store_.change([&](UserFile& file) -> Result<void> {
      TRY(User user, make_user(name, Role::admin, "a password", false));
      return add_user(file, std::move(user));
    });
    ASSERT_TRUE(done.has_value()) << done.error().message;
  }
  void expect_owner(std::string_view name, uid_t user, gid_t group) {
    struct stat status;
    ASSERT_EQ(::stat((folder_ / name).c_str(), &status), 0) << name;
    EXPECT_EQ(status.st_uid, user) << name;
    EXPECT_EQ(status.st_gid, group) << name;
    EXPECT_EQ(status.st_mode & 0777, 0600u) << name;
  }

  const caddis::testing::TempDir folder_;
  UserStore store_{io::real_files(), folder_ / "users"};
};

TEST_F(StoreOfAnotherUser, NewFilesAreThoseOfTheFolder) {
  add("alice");
  expect_owner("users", kUser, kGroup);
  expect_owner("users.lock", kUser, kGroup);
  AuditLog(io::real_files(), folder_ / "audit.log").write({});
  expect_owner("audit.log", kUser, kGroup);
}

TEST_F(StoreOfAnotherUser, AFileStaysItsOwners) {
  add("alice");
  give(kUser + 1, kGroup + 1, folder_ / "users");
  // An earlier change of root's died here.
  ASSERT_TRUE(io::real_files().write_atomically(folder_ / "users.tmp", "caddis-users"));
  add("bob");
  expect_owner("users", kUser + 1, kGroup + 1);
  EXPECT_NE(store_.users()->find_user("alice"), nullptr);
}

TEST_F(StoreOfAnotherUser, AnAuditLogIsThatOfTheOneBefore) {
  const std::string path = folder_ / "audit.log";
  AuditLog log(io::real_files(), path);
  log.write({});
  give(kUser + 1, kGroup + 1, path);
  ASSERT_EQ(::truncate(path.c_str(), (64 << 20) + 1), 0);
  log.write({});
  expect_owner("audit.log.1", kUser + 1, kGroup + 1);
  expect_owner("audit.log", kUser + 1, kGroup + 1);
}

TEST_F(Store, TokensGoWithTheirUser) {
  ASSERT_TRUE(add("alice", Role::admin).has_value());
  ASSERT_TRUE(add("bob", Role::viewer).has_value());
  NewToken made;
  ASSERT_TRUE(store_
                  .change([&](UserFile& file) -> Result<void> {
                    EXPECT_FALSE(add_token(file, "bob", Role::admin, {}, "").has_value()) << "more than bob may";
                    EXPECT_FALSE(add_token(file, "bob", Role::viewer, {}, "a\nb").has_value());
                    TRY(made, add_token(file, "bob", Role::viewer, {}, "board"));
                    return {};
                  })
                  .has_value());
  EXPECT_EQ(store_.users()->tokens.at(0).hash, token_hash(made.secret));
  const auto text = files_.read_all("/d/users");
  EXPECT_EQ(text->find(made.secret), std::string::npos);
  ASSERT_TRUE(store_.change([](UserFile& file) { return remove_user(file, "bob"); }).has_value());
  EXPECT_TRUE(store_.users()->tokens.empty());
}

}  // namespace
}  // namespace caddis::access
