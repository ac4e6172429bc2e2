#include "caddis/harvest/nas_import.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/base/strings.h"
#include "caddis/harvest/pg_dump.h"
#include "caddis/harvest/testing.h"
#include "caddis/io/memory_files.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// As pg_dump writes it: tables by name, values behind tabs.
constexpr char kDump[] =
    "--\n-- PostgreSQL database dump\n--\nSET client_encoding = 'UTF8';\n"
    "COPY public.config_passwords (config_id, password_id) FROM stdin;\n11\t31\n\\.\n\n"
    "COPY public.config_seedlists (config_id, seedlist_id) FROM stdin;\n11\t21\n12\t22\n13\t23\n\\.\n\n"
    "COPY public.configurations (config_id, name, comments, domain_id, template_id, maxobjects, maxrate, "
    "overridelimits, maxbytes) FROM stdin;\n"
    "11\tdefaultconfig\t\\N\t1\t1\t-1\t100\t0\t1000000000\n"
    "12\tdeep\\tone\t\\N\t1\t2\t500\t100\t0\t-1\n"
    "13\tdefaultconfig\t\\N\t2\t1\t-1\t100\t0\t2000\n"
    "14\tdefaultconfig\t\\N\t99\t1\t-1\t100\t0\t2000\n\\.\n\n"
    "COPY public.domains (domain_id, name, comments, defaultconfig, crawlertraps, edition, alias, lastaliasupdate) "
    "FROM "
    "stdin;\n"
    "1\tnews.example\tthe paper\\nof the town\t11\t.*calendar.*\\n(\t3\t\\N\t\\N\n"
    "2\tzeitung.example\t\\N\t13\t\\N\t1\t1\t2023-07-01 12:00:00\n"
    "3\tno domain\t\\N\t14\t\\N\t1\t\\N\t\\N\n\\.\n\n"
    "COPY public.eav_attribute (tree_id, id, entity_id, type_id, val_int, val_datetime, val_varchar, val_text) FROM "
    "stdin;\n2\t1\t12\t1\t3\t\\N\t\\N\t\\N\n2\t2\t12\t9\t3\t\\N\t\\N\t\\N\n\\.\n\n"
    "COPY public.eav_type_attribute (tree_id, id, name, class_namespace, class_name, datatype, viewtype, def_int, "
    "def_datetime, def_varchar, def_text) FROM stdin;\n"
    "2\t1\tMAX_HOPS\tx\ty\t1\t1\t20\t\\N\t\\N\t\\N\n2\t9\tODD\tx\ty\t1\t1\t20\t\\N\t\\N\t\\N\n\\.\n\n"
    "COPY public.extendedfield (extendedfield_id, extendedfieldtype_id, name, format, defaultvalue, options, datatype, "
    "mandatory, historize, sequencenr, maxlen) FROM stdin;\n"
    "1\t1\tlanguage\t\\N\t\\N\tda=Danish\\nde=German\t6\t0\t0\t1\t50\n\\.\n\n"
    "COPY public.extendedfieldvalue (extendedfieldvalue_id, content, extendedfield_id, instance_id) FROM stdin;\n"
    "1\tda\t1\t1\n\\.\n\n"
    "COPY public.fullharvests (harvest_id, maxobjects, previoushd, maxbytes, maxjobrunningtime, isindexready) FROM "
    "stdin;\n51\t-1\t\\N\t10000\t0\tt\n52\t-1\t51\t100000\t3600\tt\n\\.\n\n"
    "COPY public.global_crawler_trap_expressions (id, crawler_trap_list_id, trap_expression) FROM stdin;\n"
    "1\t1\t.*/cgi-bin/.*\n\\.\n\n"
    "COPY public.global_crawler_trap_lists (global_crawler_trap_list_id, name, description, isactive) FROM stdin;\n"
    "1\tscripts\told ones\tt\n\\.\n\n"
    "COPY public.harvest_configs (harvest_id, config_id) FROM stdin;\n53\t12\n\\.\n\n"
    "COPY public.harvestchannel (id, name, issnapshot, isdefault, comments) FROM stdin;\n"
    "1\tSNAPSHOT\tt\tt\t\\N\n2\tFOCUSED\tf\tt\t\\N\n3\tVIDEO\tf\tf\tlarge ones\n\\.\n\n"
    "COPY public.harvestdefinitions (harvest_id, name, comments, numevents, submitted, isactive, edition, channel_id, "
    "audience) FROM stdin;\n"
    "51\tstep 1\t\\N\t1\t2024-01-01 00:00:00\tf\t1\t1\t\\N\n52\tstep 2\t\\N\t0\t2024-02-01 00:00:00\tt\t1\t1\t\\N\n"
    "53\tpapers\tdaily\t2\t2024-01-01 00:00:00\tf\t1\t3\tall\n\\.\n\n"
    "COPY public.historyinfo (historyinfo_id, stopreason, objectcount, bytecount, config_id, harvest_id, job_id, "
    "harvest_time) FROM stdin;\n"
    "1\t0\t4000\t160000000\t12\t53\t7\t2024-03-01 10:00:00\n2\t3\t5\t2000\t13\t51\t8\t2024-03-02 10:00:00\n"
    "3\t0\t5\t2000\t13\t51\t99\t2024-03-02 10:00:00\n\\.\n\n"
    "COPY public.job_configs (job_id, config_id) FROM stdin;\n7\t12\n8\t13\n\\.\n\n"
    "COPY public.jobs (job_id, harvest_id, status, channel, snapshot, forcemaxbytes, forcemaxcount, "
    "forcemaxrunningtime, orderxml, orderxmldoc, seedlist, harvest_num, harvest_errors, harvest_error_details, "
    "upload_errors, upload_error_details, startdate, enddate, submitteddate, creationdate, resubmitted_as_job, "
    "num_configs, edition, continuationof, harvestname_prefix) FROM stdin;\n"
    "7\t53\t3\tVIDEO\tf\t-1\t500\t0\tnew\tx\thttp://news.example/\t0\t\\N\t\\N\t\\N\t\\N\t2024-03-01 "
    "08:00:00\t2024-03-01 "
    "10:00:00\t2024-03-01 07:00:00\t2024-03-01 06:00:00\t\\N\t1\t1\t\\N\t\\N\n"
    "8\t51\t2\tSNAPSHOT\tt\t2000\t-1\t0\told\tx\thttp://zeitung.example/\t0\t\\N\t\\N\t\\N\t\\N\t2024-03-02 "
    "08:00:00\t\\N\t\\N\t2024-03-01 06:00:00\t\\N\t1\t1\t\\N\t\\N\n\\.\n\n"
    "COPY public.ordertemplates (template_id, name, orderxml, isactive) FROM stdin;\n"
    "1\told\t<nothing/>\tt\n2\tnew\textends: domain\\nscope:\\n  max-hops: 9\\n\tt\n\\.\n\n"
    "COPY public.ownerinfo (ownerinfo_id, domain_id, created, info) FROM stdin;\n1\t1\t2020-01-02 03:04:05\tMs "
    "Hansen\n\\.\n\n"
    "COPY public.partialharvests (harvest_id, schedule_id, nextdate) FROM stdin;\n53\t1\t2024-04-01 00:00:00\n\\.\n\n"
    "COPY public.passwords (password_id, name, comments, domain_id, url, realm, username, password) FROM stdin;\n"
    "31\tsubscribers\t\\N\t1\thttp://news.example/\tnews\tarchive\tgeheim\n\\.\n\n"
    "COPY public.schedules (schedule_id, name, comments, startdate, enddate, maxrepeats, timeunit, numtimeunits, "
    "anytime, onminute, onhour, ondayofweek, ondayofmonth, edition) FROM stdin;\n"
    "1\tSunday mornings\t\\N\t\\N\t\\N\t\\N\t3\t1\tf\t30\t5\t1\t\\N\t1\n\\.\n\n"
    "COPY public.seedlists (seedlist_id, name, comments, domain_id, seeds) FROM stdin;\n"
    "21\tdefaultseeds\t\\N\t1\thttp://www.news.example/\\nhttp://\n22\tsport\t\\N\t1\thttp://news.example/sport\n"
    "23\tdefaultseeds\t\\N\t2\thttp://www.zeitung.example\n\\.\n\n"
    "COPY public.unknown_things (id) FROM stdin;\n1\n\\.\n";

TEST(PgDump, ReadsBlocksAndFields) {
  const auto block = copy_block_of("COPY public.\"Jobs\" (job_id, \"runs\") FROM stdin;");
  ASSERT_TRUE(block);
  EXPECT_EQ(block->table, "jobs");
  EXPECT_THAT(block->columns, ElementsAre("job_id", "runs"));
  EXPECT_FALSE(copy_block_of("COPY a FROM stdin;"));
  EXPECT_FALSE(copy_block_of("INSERT INTO a VALUES (1);"));
  EXPECT_THAT(copy_fields_of("a\\tb\t\\N\tc\\\\d\t"),
              ElementsAre(std::optional<std::string>("a\tb"), std::nullopt, std::optional<std::string>("c\\d"),
                          std::optional<std::string>("")));
}

class NasImport : public ArchiveTest {
 protected:
  Result<NasReport> import(const std::string& dump, bool only_tries = false) {
    EXPECT_TRUE(files_.write_atomically("/dump.sql", dump));
    return import_nas_database(files_, database(), {.dump = "/dump.sql", .zone = "UTC", .only_tries = only_tries},
                               edit());
  }
  static std::vector<std::string> texts(const NasReport& report) {
    std::vector<std::string> texts;
    for (const NasProblem& one : report.problems) texts.push_back(one.table + ": " + one.text);
    return texts;
  }
  io::MemoryFiles files_;
};

CADDIS_ON_BOTH_DATABASES(NasImport);

TEST_P(NasImport, TakesDomainsWithAllThatBelongsToThem) {
  const auto report = import(kDump);
  ASSERT_TRUE(report) << report.error().message;
  const Domain news = domain("news.example");
  EXPECT_EQ(news.comments, "the paper\nof the town");
  EXPECT_EQ(news.traps, ".*calendar.*");
  EXPECT_EQ(news.default_configuration, "defaultconfig");
  ASSERT_EQ(news.configurations.size(), 1u);  // the name of the other has a tab
  ASSERT_EQ(news.seed_lists.size(), 2u);
  EXPECT_EQ(news.seed_lists[0].seeds, "http://www.news.example/\n# http://\n");
  ASSERT_EQ(news.credentials.size(), 1u);
  EXPECT_EQ(news.credentials[0].password, "geheim");
  EXPECT_THAT(news.configurations[0].credentials, ElementsAre("subscribers"));
  EXPECT_EQ(news.owners[0].text, "Ms Hansen");
  const Domain alias = domain("zeitung.example");
  EXPECT_EQ(alias.alias_of, "news.example");
  EXPECT_EQ(alias.alias_confirmed, 1'688'212'800);
  EXPECT_EQ(alias.configurations[0].limits.bytes, 2000);
  EXPECT_THAT(got([&](Connection& c) { return values_of(c, "domain", news.id); })[0].value, "da");
  EXPECT_THAT(texts(*report), Contains(HasSubstr("domains: ")));
  EXPECT_THAT(texts(*report), Contains(HasSubstr("the crawler trap '(' was left out")));
  EXPECT_THAT(texts(*report), Contains(HasSubstr("the seed 'http://' became a remark")));
  EXPECT_THAT(texts(*report), Contains(HasSubstr("'old' was left out")));
  EXPECT_THAT(texts(*report), Contains(HasSubstr("the attribute 'ODD' has no equivalent")));
  EXPECT_THAT(texts(*report), Contains(HasSubstr("unknown_things: this table is not known")));
  EXPECT_EQ(report->taken.at("domains"), 2);
  EXPECT_EQ(report->in_dump.at("domains"), 3);
}

TEST_P(NasImport, TakesHarvestsJobsAndHistory) {
  std::string dump = kDump;
  dump.replace(dump.find("deep\\tone"), 9, "deep");
  const auto report = import(dump);
  ASSERT_TRUE(report) << report.error().message;
  const Definition papers = definition("papers");
  EXPECT_EQ(papers.kind, "selective");
  EXPECT_EQ(papers.schedule, "Sunday mornings");
  EXPECT_EQ(papers.channel, "VIDEO");
  EXPECT_EQ(papers.configurations, 1);
  EXPECT_EQ(papers.runs, 2);
  EXPECT_EQ(in_words(got([&](Connection& c) { return find_schedule(c, "Sunday mornings"); }).schedule),
            "every week on Sunday at 05:30 (UTC)");
  const Definition step = definition("step 2");
  EXPECT_EQ(step.based_on, "step 1");
  EXPECT_FALSE(step.is_active);
  EXPECT_EQ(step.max_seconds, 3600);
  EXPECT_THAT(texts(*report), Contains(HasSubstr("'step 2' was active")));
  EXPECT_THAT(texts(*report), Contains(HasSubstr("historyinfo: job 99 was not taken")));
  const Job done_job = got([&](Connection& c) { return find_job(c, 7); });
  EXPECT_EQ(done_job.state, JobState::done);
  EXPECT_EQ(done_job.objects, 4000);
  EXPECT_EQ(file(7, "seeds.txt"), "http://news.example/");
  EXPECT_EQ(got([&](Connection& c) { return find_job(c, 8); }).state, JobState::failed);
  ResultQuery query;
  query.domain = "zeitung.example";
  const auto results = got([&](Connection& c) { return list_results(c, query); });
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].reason, StopReason::config_size_limit);
  EXPECT_EQ(domain("news.example").configurations[1].overrides, "");
  EXPECT_EQ(domain("news.example").configurations[0].name, "deep");
  EXPECT_EQ(domain("news.example").configurations[0].overrides, "scope:\n  max-hops: 3\n");
  EXPECT_EQ(domain("news.example").configurations[0].template_name, "new");
  // History counts for what is expected, and new rows get numbers of their own.
  create({"later.example"});
  Definition again;
  again.name = "again";
  again.kind = "snapshot";
  define(again);
  activate_now("again");
  ASSERT_TRUE(generate("again").value());
  EXPECT_GT(jobs("again")[0].id, 8);
}

TEST_P(NasImport, HarvestWithoutItsScheduleIsToldAndLeftOut) {
  std::string dump = kDump;
  dump.replace(dump.find("53\t1\t2024-04-01"), 4, "53\t9");
  const auto report = import(dump);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(texts(*report), Contains("partialharvests: schedule_id = 9 was not taken, or is not there"));
  EXPECT_THAT(texts(*report),
              Contains("harvestdefinitions: 'papers' is no harvest with a schedule that was taken, nor a snapshot"));
  EXPECT_EQ(report->taken.at("harvestdefinitions"), 2);
  EXPECT_EQ(got([&](Connection& c) { return c.number("SELECT count(*) FROM definitions"); }), 2);
}

TEST_P(NasImport, WritesAllOrNothing) {
  EXPECT_TRUE(import(kDump, true));
  EXPECT_EQ(got([&](Connection& c) { return c.number("SELECT count(*) FROM domains"); }), 0);
  EXPECT_THAT(import("COPY public.domains (domain_id, name) FROM stdin;\n1\tx").error().message,
              HasSubstr("ends within"));
  EXPECT_THAT(import("SELECT 1;\n").error().message, HasSubstr("no plain dump"));
  create({"a.example"});
  EXPECT_THAT(import(kDump).error().message, HasSubstr("into a new one"));
}

// The tables of the dump as Derby would have exported them.
class DerbyExport : public NasImport {
 protected:
  static std::string csv_of(const std::string& rows) {
    std::string csv;
    for (const std::string_view line : split(rows, '\n')) {
      bool is_first = true;
      for (const auto& field : copy_fields_of(line)) {
        csv += is_first ? "" : ",";
        is_first = false;
        if (!field) continue;
        const bool is_number = parse_int(*field).has_value();
        csv += is_number ? *field : "\"" + replaced(*field) + "\"";
      }
      csv += "\n";
    }
    return csv;
  }
  static std::string replaced(std::string text) {
    for (size_t at = text.find('"'); at != std::string::npos; at = text.find('"', at + 2)) text.insert(at, 1, '"');
    return text;
  }
  void export_dump(std::string_view dump) {
    ASSERT_TRUE(files_.make_dirs("/export"));
    while (!dump.empty()) {
      const size_t end = dump.find('\n');
      const auto block = copy_block_of(dump.substr(0, end));
      dump.remove_prefix(end + 1);
      if (!block) continue;
      const size_t last = dump.find("\\.\n");
      std::string text = fmt::format("{}\n", fmt::join(block->columns, ","));
      if (block->table == "unknown_things") text.clear();
      if (last > 0) text += csv_of(std::string(dump.substr(0, last - 1)));
      ASSERT_TRUE(files_.write_atomically("/export/APP." + block->table + ".CSV", text));
      dump.remove_prefix(last);
    }
  }
  void put(const std::string& table, const std::string& text) {
    ASSERT_TRUE(files_.make_dirs("/export"));
    ASSERT_TRUE(files_.write_atomically("/export/" + table + ".csv", text));
  }
  Result<NasReport> import_export(const std::string& folder = "/export") {
    return import_nas_database(files_, database(), {.dump = folder, .zone = "UTC", .only_tries = false}, edit());
  }
};
CADDIS_ON_BOTH_DATABASES(DerbyExport);

TEST_P(DerbyExport, IsTakenAsADumpIs) {
  export_dump(kDump);
  const auto report = import_export();
  ASSERT_TRUE(report) << report.error().message;
  const Domain news = domain("news.example");
  EXPECT_EQ(news.comments, "the paper\nof the town");
  EXPECT_EQ(report->taken.at("domains"), 2);
  EXPECT_EQ(report->taken.at("jobs"), 2);
  EXPECT_EQ(report->taken.at("schedules"), 1);
  EXPECT_THAT(texts(*report), Contains("unknown_things: this table is not known: its 1 rows were left out"));
}

// As NetarchiveSuite's own upgrade leaves the table: maxbytes and maxobjects are made anew, at the end.
TEST_P(DerbyExport, OfAnUpgradedDatabaseIsReadByTheNamesOfItsColumns) {
  put("ordertemplates", "TEMPLATE_ID,NAME,ORDERXML,ISACTIVE\n1,\"t\",\"scope:\n  max-hops: 9\n\",1\n");
  put("domains",
      "DOMAIN_ID,NAME,COMMENTS,DEFAULTCONFIG,EDITION,ALIAS,LASTALIASUPDATE,CRAWLERTRAPS\n"
      "1,\"news.example\",\"the \"\"paper\"\"\nof the town\",11,3,,,\".*calendar.*\"\n");
  put("configurations",
      "CONFIG_ID,NAME,COMMENTS,DOMAIN_ID,TEMPLATE_ID,MAXRATE,OVERRIDELIMITS,MAXBYTES,MAXOBJECTS\n"
      "11,\"defaultconfig\",,1,1,100,0,1000000000,-1\n");
  const auto report = import_export();
  ASSERT_TRUE(report) << report.error().message;
  const Domain news = domain("news.example");
  EXPECT_EQ(news.comments, "the \"paper\"\nof the town");
  EXPECT_EQ(news.traps, ".*calendar.*");
  ASSERT_EQ(news.configurations.size(), 1u);
  EXPECT_EQ(news.configurations[0].limits.bytes, 1'000'000'000);
  EXPECT_EQ(news.configurations[0].limits.objects, kNoLimit);
}

TEST_P(DerbyExport, WithoutNamesOfColumnsIsRefused) {
  put("domains", "");
  put("configurations", "\n11,\"defaultconfig\",,1,1,100,0,1000000000,-1\n");
  EXPECT_THAT(import_export().error().message,
              AllOf(HasSubstr("configurations.csv, line 2: the first line has to name the columns"),
                    HasSubstr("docs/harvesting.md")));
  put("configurations", "");
  EXPECT_TRUE(import_export()) << "an empty table";
}

TEST_P(DerbyExport, WithOtherNamesOfColumnsIsRefused) {
  put("configurations", "");
  put("domains", "domain_id,name,comments,defaultconfig,crawlertrap,edition,alias,nothing\n");
  EXPECT_THAT(
      import_export().error().message,
      HasSubstr("domains.csv, line 1: the table domains of NetarchiveSuite has no column crawlertrap, nothing"));
  put("domains", "domain_id,name,comments,defaultconfig,edition,alias\n");
  EXPECT_THAT(import_export().error().message,
              HasSubstr("domains.csv, line 1: the columns crawlertraps, lastaliasupdate of the table domains are not"));
  put("domains", "domain_id,name,comments,defaultconfig,crawlertraps,alias,lastaliasupdate,alias\n");
  EXPECT_THAT(import_export().error().message, HasSubstr("the column alias is named twice"));
}

TEST_P(DerbyExport, WithOddRowsIsRefused) {
  ASSERT_TRUE(files_.make_dirs("/export"));
  EXPECT_THAT(import_export().error().message, HasSubstr("no export of NetarchiveSuite's tables"));
  const std::string header = "domain_id,name,comments,defaultconfig,crawlertraps,edition,alias,lastaliasupdate\n";
  put("domains", header + "1,\"a.example\",,11,,3\n");
  put("configurations", "");
  EXPECT_THAT(
      import_export().error().message,
      HasSubstr("domains.csv, line 2: it has 6 fields, and the first line names the 8 columns domain_id, name"));
  put("domains", header + "1,\"a.exa");
  EXPECT_THAT(import_export().error().message, HasSubstr("line 2: a text in quotes never ends"));
  ASSERT_TRUE(files_.write_atomically("/export/DOMAINS.del", ""));
  EXPECT_THAT(import_export().error().message, HasSubstr("both of the table domains"));
}

}  // namespace
}  // namespace caddis::harvest
