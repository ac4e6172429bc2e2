// For tests that run on both databases:
//
//   class Domains : public sql::DatabaseTest {};
//   CADDIS_ON_BOTH_DATABASES(Domains);
//   TEST_P(Domains, …) { ASSERT_TRUE(database()…); }
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "caddis/sql/database.h"
#include "support/postgresql.h"
#include "support/testdata.h"

namespace caddis::sql {

class DatabaseTest : public ::testing::TestWithParam<Dialect> {
 protected:
  void SetUp() override {
    if (GetParam() == Dialect::sqlite) {
      address_ = "sqlite:" + (folder_ / "test.db");
    } else {
      const auto& server = caddis::testing::postgresql_server();
      if (server.address.empty()) GTEST_SKIP() << server.missing;
      static int number = 0;
      const std::string name = "test" + std::to_string(++number);
      const auto maker = Database::open(server.address).value();
      const auto made = maker->ask([&](Connection& c) { return c.execute("CREATE DATABASE " + name); });
      ASSERT_TRUE(made) << made.error().message;
      address_ = server.address;
      address_.replace(address_.find("/postgres?"), 10, "/" + name + "?");
    }
    auto opened = Database::open(address_);
    ASSERT_TRUE(opened) << opened.error().message;
    database_ = *std::move(opened);
  }
  void TearDown() override { database_.reset(); }

  Database& database() { return *database_; }
  const std::string& address() const { return address_; }
  const caddis::testing::TempDir& folder() const { return folder_; }

 private:
  caddis::testing::TempDir folder_;
  std::string address_;
  std::unique_ptr<Database> database_;
};

}  // namespace caddis::sql

#define CADDIS_ON_BOTH_DATABASES(suite)                                                                        \
  INSTANTIATE_TEST_SUITE_P(                                                                                    \
      Databases, suite, ::testing::Values(::caddis::sql::Dialect::sqlite, ::caddis::sql::Dialect::postgresql), \
      [](const auto& info) { return info.param == ::caddis::sql::Dialect::sqlite ? "sqlite" : "postgresql"; })
