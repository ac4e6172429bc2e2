// A harvester and its server, joined without a network: jobs whose beginning or end meets something broken.
#include "caddis/harvestserver/job_run.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/collection/launch.h"
#include "caddis/dedup/index_testing.h"
#include "caddis/harvest/copies.h"
#include "caddis/harvest/testing.h"
#include "caddis/harvestserver/harvester.h"
#include "caddis/harvestserver/keeper.h"
#include "caddis/harvestserver/routes.h"
#include "caddis/io/digest.h"
#include "caddis/url/key_policy.h"
#include "support/testdata.h"

namespace caddis::harvestserver {
namespace {

using harvest::JobState;
using harvest::StopReason;
using sql::Connection;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kIndex = "1-1.digests";

class JobRuns : public harvest::ArchiveTest {
 protected:
  void SetUp() override {
    ArchiveTest::SetUp();
    if (IsSkipped()) return;
    store_ = std::make_unique<Store>(Store::open(files_, folder_ / "data").value());
    unpacked_ = std::make_unique<UnpackedJobs>(files_, folder_ / "data/unpacked");
    parts_ = std::make_unique<Parts>(database(), files_, clock, settings_, *store_, *unpacked_, "", "");
    parts_->look_now = [] {};
    create({"a.example"});
    make_job("step1", "");
    first_ = run_next({{"a.example", 3, 1000, StopReason::size_limit}});
    store_index(dedup::standard_index_key());
    make_job("step2", "step1");
    job_ = jobs("step2").at(0).id;
  }
  void make_job(const std::string& name, const std::string& based_on) {
    snapshot(name, {harvest::kNoLimit, 1000 + static_cast<int64_t>(based_on.size())}, based_on);
    harvest::GeneratorSettings settings;
    settings.contact = "archive@library.example";
    ASSERT_TRUE(generate(name, settings).value());
  }
  // Into the archive, as the first job has brought it.
  void store_index(const dedup::IndexKey& key) {
    const std::string made = folder_ / "made.digests";
    dedup::WriterOptions options;
    options.key = key;
    dedup::index_of(files_, made, {{"payload", dedup::original("http://a.example/", "2020-01-01T00:00:00Z")}}, options);
    whole_ = files_.read_all(made).value();
    store_whole();
  }
  void store_whole() {
    io::Sha256 digest;
    digest.update(whole_);
    const std::string sha256 = to_hex(digest.finish());
    const auto size = static_cast<int64_t>(whole_.size());
    done([&](Connection& c) {
      return harvest::record_file(c, {first_, std::string(kIndex), "digests", size, sha256}, now());
    });
    write_index("data/archive", whole_);
  }
  void write_index(const std::string& store, std::string_view bytes) {
    ASSERT_TRUE(files_.make_dirs(folder_ / store + "/indexes"));
    ASSERT_TRUE(files_.write_atomically(index_in(store), bytes));
  }
  std::string index_in(const std::string& store) const { return folder_ / store + "/indexes/" + std::string(kIndex); }
  void keep_replicas(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      ASSERT_TRUE(files_.make_dirs(folder_ / name));
      kept_.replicas.push_back(fmt::format("{} folder:{}", name, folder_ / name));
    }
    keeper_ = Keeper::open({files_, clock}, database(), kept_, folder_ / "data").value();
    ASSERT_TRUE(keeper_->step());
    for (const std::string& name : names) ASSERT_TRUE(files_.exists(index_in(name)));
    parts_->keeper = keeper_.get();
  }

  Result<LinkAnswer> answer(const LinkQuestion& question) {
    ++asked_;
    if (!broken_.empty() && question.target.contains(broken_))
      return broken_status_ == 0 ? Result<LinkAnswer>(fail(ErrorCode::timeout, "no answer came"))
                                 : LinkAnswer{broken_status_, R"({"error":"it is broken"})"};
    http::ServerRequest request;
    request.method = question.method;
    const size_t mark = question.target.find('?');
    request.path = question.target.substr(0, mark);
    if (mark != std::string::npos) request.query = question.target.substr(mark + 1);
    request.body = question.body;
    if (!question.range.empty()) request.headers.emplace_back("Range", question.range);
    const access::Identity who{"north", access::Role::harvester};
    Call::Question asked;
    Call call{*parts_, request, who};
    call.question = &asked;
    http::ServerResponse response = answer_by_tables(std::move(call));
    for (bool more = response.source != nullptr; more;) {
      std::string piece;
      TRY(more, response.source->next(piece));
      response.body += piece;
    }
    return LinkAnswer{response.status, response.body};
  }
  // Looks that follow each other after some time.
  void look(int times, Duration pause = std::chrono::seconds(10)) {
    if (harvester_ == nullptr) {
      HarvesterOptions options;
      options.data = folder_ / "north";
      options.name = "north";
      options.least_free = options.least_memory = 0;
      harvester_ =
          Harvester::open(world_, [this](const LinkQuestion& question) { return answer(question); }, options).value();
    }
    for (int i = 0; i < times; ++i) {
      (void)harvester_->step();
      clock.advance(pause);
    }
  }
  // A crawl that was launched has made its folders at once.
  collection::Launch begun_crawl() {
    look(2);
    const collection::Launch crawl{started_.at(0), "crawl-20231114221320"};
    for (const std::string& folder : {crawl.archive(), crawl.folder(), crawl.logs()})
      EXPECT_TRUE(files_.make_dirs(folder));
    EXPECT_TRUE(files_.write_atomically(crawl.settings_file(), "crawl: {}\n"));
    return crawl;
  }
  size_t stored(std::string_view kind) {
    return got([&](Connection& c) { return harvest::stored_files(c, job_, kind); }).size();
  }
  harvest::Job job() {
    return got([&](Connection& c) { return harvest::find_job(c, job_); });
  }
  std::string reason() {
    std::string told;
    for (const auto& line : got([&](Connection& c) { return harvest::list_results(c, {}); }))
      if (line.job == job_) told += harvest::name_of(line.reason);
    return told;
  }
  std::string changes() {
    std::string told;
    const auto all = got([&](Connection& c) { return harvest::changes_of(c, "job", std::to_string(job_), 100); });
    for (const harvest::Change& change : all) told += change.what + "\n";
    return told;
  }
  std::string own_file(std::string_view name) {
    return files_.read_all(folder_ / fmt::format("north/jobs/{}/{}", job_, name)).value_or("none");
  }

  io::Files& files_ = io::real_files();
  testing::TempDir folder_;
  const ServerSettings settings_;
  HarvestSettings kept_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<UnpackedJobs> unpacked_;
  std::unique_ptr<Parts> parts_;
  std::unique_ptr<Keeper> keeper_;
  std::vector<std::string> started_;  // folders of launches
  const engine::JobWorld world_{
      .files = files_,
      .clock = clock,
      .start = [this](const engine::ProcessRequest& request) -> Result<void> {
        started_.push_back(request.folder);
        return {};
      },
      .lives = [this](const std::string&) { return lives_; },
      .end = [](const std::string&, bool) {},
      .ask = [](const std::string&, const control::Question&, Duration) -> Result<control::SocketAnswer> {
        return fail(ErrorCode::not_found, "nobody");
      },
  };
  std::string whole_;  // the index of the first job
  bool lives_ = true;
  std::string broken_;       // in the addresses of questions that are answered so:
  int broken_status_ = 500;  // 0: not at all
  int asked_ = 0;
  std::unique_ptr<Harvester> harvester_;
  int64_t first_ = 0, job_ = 0;
};
CADDIS_ON_BOTH_DATABASES(JobRuns);

TEST_P(JobRuns, IndexesOfEarlierJobsAreKnown) {
  look(2);
  ASSERT_EQ(started_.size(), 1u);
  EXPECT_EQ(own_file("known/1-1.digests"), whole_);
  EXPECT_THAT(own_file("crawl.yaml"), HasSubstr("dedup:\n  against:\n    - \""));
  EXPECT_EQ(own_file("duplicatereductionjobs.txt"), fmt::format("{}\n", first_));
  EXPECT_THAT(changes(), Not(HasSubstr("digests")));
}

TEST_P(JobRuns, IndexesOfTheTemplateAreKeptBesideThem) {
  done([](Connection& c) {
    return c.execute("UPDATE job_files SET text = ? WHERE name = 'template.yaml'",
                     sql::Values(std::string("dedup: {against: [\"https://cdx.example/all\"]}\n")));
  });
  look(2);
  ASSERT_EQ(started_.size(), 1u) << job().errors.harvest;
  EXPECT_THAT(own_file("crawl.yaml"), HasSubstr("dedup:\n  against:\n    - \"https://cdx.example/all\"\n    - \"/"));
}

TEST_P(JobRuns, AMissingIndexIsLeftOut) {
  ASSERT_TRUE(files_.remove(index_in("data/archive")));
  look(2);
  ASSERT_EQ(started_.size(), 1u) << job().errors.harvest;
  EXPECT_THAT(own_file("crawl.yaml"), Not(HasSubstr("against")));
  EXPECT_EQ(own_file("duplicatereductionjobs.txt"), "");
  EXPECT_EQ(file(job_, "duplicatereductionjobs.txt"), "");
  EXPECT_THAT(own_file("job.log"), HasSubstr("the payloads of job 1 may be stored again"));
  EXPECT_THAT(changes(), HasSubstr("its digests cannot be had: 1-1.digests: in the archive: the server answers 404"));
  EXPECT_EQ(job().state, JobState::started);
}

TEST_P(JobRuns, AnIndexByAnotherKeyIsLeftOut) {
  store_index(dedup::index_key_by(*url::KeyPolicy::parse("ia-surt -strip-www-n")));
  look(2);
  ASSERT_EQ(started_.size(), 1u) << job().errors.harvest;
  EXPECT_THAT(own_file("crawl.yaml"), Not(HasSubstr("against")));
  EXPECT_EQ(own_file("known/1-1.digests"), "none");
  EXPECT_EQ(own_file("duplicatereductionjobs.txt"), "");
  EXPECT_EQ(file(job_, "duplicatereductionjobs.txt"), "");
  EXPECT_THAT(own_file("job.log"), HasSubstr("the payloads of job 1 may be stored again"));
  EXPECT_THAT(changes(),
              HasSubstr("its digests cannot be used: 1-1.digests: canonicalization.index was another one then"));
}

TEST_P(JobRuns, AnIndexOfAnotherVersionIsLeftOut) {
  whole_.replace(0, dedup::kIndexHead.size(), "caddis-digest-index/9\n");
  store_whole();
  look(2);
  ASSERT_EQ(started_.size(), 1u) << job().errors.harvest;
  EXPECT_THAT(own_file("crawl.yaml"), Not(HasSubstr("against")));
  EXPECT_THAT(changes(), HasSubstr("it is a digest index of another version"));
}

TEST_P(JobRuns, ADamagedIndexComesFromAReplica) {
  keep_replicas({"second"});
  write_index("data/archive", "wrong");
  look(2);
  ASSERT_EQ(started_.size(), 1u) << job().errors.harvest;
  EXPECT_EQ(own_file("known/1-1.digests"), whole_);
  EXPECT_EQ(file(job_, "duplicatereductionjobs.txt"), fmt::format("{}\n", first_));
  EXPECT_THAT(changes(), HasSubstr("come from a replica: 1-1.digests: in the archive: it has another digest"));
  // And the archive looks at its own one, whatever the age of the last look.
  ASSERT_TRUE(keeper_->step());
  EXPECT_EQ(got([&](Connection& c) { return harvest::list_copies(c, "archive", "wrong", 0, 10); }).size(), 1u);
}

TEST_P(JobRuns, AnIndexThatIsDamagedEverywhereIsLeftOut) {
  keep_replicas({"second"});
  write_index("data/archive", "wrong");
  write_index("second", "other");
  look(2);
  ASSERT_EQ(started_.size(), 1u) << job().errors.harvest;
  EXPECT_THAT(own_file("crawl.yaml"), Not(HasSubstr("against")));
  EXPECT_THAT(changes(), HasSubstr("in the archive: it has another digest, in replica 1: it has another digest"));
}

TEST_P(JobRuns, AReplicaThatIsAwayIsPassedOver) {
  keep_replicas({"second", "third"});
  write_index("data/archive", "wrong");
  broken_ = "?copy=1";
  broken_status_ = 503;
  look(2);
  ASSERT_EQ(started_.size(), 1u) << job().errors.harvest;
  EXPECT_EQ(own_file("known/1-1.digests"), whole_);
  EXPECT_THAT(changes(), HasSubstr("it has another digest, in replica 1: the server answers 503"));
}

TEST_P(JobRuns, AReplicaThatDoesNotAnswerIsPassedOver) {
  keep_replicas({"second", "third"});
  write_index("data/archive", "wrong");
  broken_ = "?copy=1";
  broken_status_ = 0;
  look(2);
  ASSERT_EQ(started_.size(), 1u) << job().errors.harvest;
  EXPECT_EQ(own_file("known/1-1.digests"), whole_);
  EXPECT_THAT(changes(), HasSubstr("it has another digest, in replica 1: no answer came"));
}

TEST_P(JobRuns, AReplicaThatIsAwayIsWaitedForIfNoOtherHasTheIndex) {
  keep_replicas({"second"});
  write_index("data/archive", "wrong");
  broken_ = "?copy=1";
  broken_status_ = 503;
  look(8);
  EXPECT_TRUE(started_.empty());
  broken_ = "";
  look(8);
  ASSERT_EQ(started_.size(), 1u) << job().errors.harvest;
  EXPECT_EQ(own_file("known/1-1.digests"), whole_);
}

TEST_P(JobRuns, AFailureThatLastsEndsTheJob) {
  broken_ = "/files/crawl.yaml";
  look(2, {});
  const int before = asked_;
  look(100, {});
  EXPECT_EQ(asked_, before) << "it asks no sooner again";
  look(60);
  EXPECT_EQ(job().state, JobState::failed);
  EXPECT_EQ(job().errors.harvest, "it could not be prepared");
  EXPECT_THAT(job().errors.harvest_details, HasSubstr("it is broken"));
  EXPECT_EQ(reason(), "time-limit");
  EXPECT_FALSE(harvester_->job());
  EXPECT_TRUE(started_.empty());
}

TEST_P(JobRuns, AJobOfWhichNoOrderCanBeMadeStandsBeforeNoOther) {
  done([&](Connection& c) { return c.execute("DELETE FROM job_files WHERE name = 'crawl.yaml'"); });
  make_job("step3", "step1");
  look(2);
  EXPECT_EQ(job().state, JobState::failed);
  EXPECT_THAT(job().errors.harvest, HasSubstr("could not be given to a harvester: job 2 has no file 'crawl.yaml'"));
  EXPECT_EQ(reason(), "time-limit");
  EXPECT_EQ(started_.size(), 1u);
}

TEST_P(JobRuns, AFailureThatPassesDoesNot) {
  broken_ = "/files/crawl.yaml";
  look(12);
  broken_ = "";
  look(12);
  EXPECT_EQ(job().state, JobState::started);
  EXPECT_EQ(started_.size(), 1u);
}

TEST_P(JobRuns, AJobThatCannotBeginIsStopped) {
  broken_ = "/files/crawl.yaml";
  look(3);
  EXPECT_EQ(job().state, JobState::submitted);
  done([&](Connection& c) { return harvest::set_wish(c, job_, "stop", edit()); });
  look(2);
  EXPECT_EQ(job().state, JobState::failed);
  EXPECT_EQ(job().errors.harvest, "it was stopped before its crawl began");
  EXPECT_EQ(reason(), "time-limit");
  EXPECT_FALSE(harvester_->job());
}

TEST_P(JobRuns, AJobThatCannotBeginIsGivenUp) {
  broken_ = "/files/crawl.yaml";
  look(3);
  done([&](Connection& c) { return harvest::set_state(c, job_, JobState::failed, "no", edit()); });
  EXPECT_EQ(reason(), "time-limit") << "its domains stay due";
  look(2);
  EXPECT_FALSE(harvester_->job());
  EXPECT_EQ(job().errors.harvest, "no");
  EXPECT_EQ(reason(), "time-limit");
}

TEST_P(JobRuns, LogsThatCannotBeReadCostTheCountAlone) {
  const collection::Launch crawl = begun_crawl();
  const std::string_view cut("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", 10);
  ASSERT_TRUE(files_.write_atomically(crawl.logs() + "/http.jsonl", cut));
  lives_ = false;
  look(60);
  EXPECT_EQ(job().state, JobState::failed);
  EXPECT_FALSE(harvester_->job());
  EXPECT_EQ(job().errors.upload, "");
  EXPECT_THAT(job().errors.harvest_details, HasSubstr("http.jsonl"));
  EXPECT_EQ(stored("metadata"), 1u);
}

TEST_P(JobRuns, FilesThatStayAreDocumented) {
  const collection::Launch crawl = begun_crawl();
  ASSERT_TRUE(files_.write_atomically(crawl.archive() + "/1-1.warc.gz", "captures"));
  broken_ = "/store/1-1.warc.gz";
  lives_ = false;
  look(60);
  look(150, std::chrono::minutes(10));
  EXPECT_EQ(job().errors.upload, "the files could not be handed over");
  EXPECT_EQ(stored("metadata"), 0u);
  EXPECT_TRUE(files_.exists(folder_ / "north/oldjobs/2/metadata/2-metadata-1.warc.gz"));
}

// A job whose crawl has ended, and whose metadata file cannot be made.
class UndocumentedJobRuns : public JobRuns {
 protected:
  void SetUp() override {
    JobRuns::SetUp();
    if (IsSkipped()) return;
    const collection::Launch crawl = begun_crawl();
    ASSERT_TRUE(files_.write_atomically(crawl.archive() + "/1-1.warc.gz", "captures"));
    ASSERT_TRUE(files_.write_atomically(obstacle_, ""));
    lives_ = false;
    look(60);
    ASSERT_EQ(job().state, JobState::started);
  }
  const std::string obstacle_ = folder_ / "north/jobs/2/metadata";  // a file in place of a folder
};
CADDIS_ON_BOTH_DATABASES(UndocumentedJobRuns);

TEST_P(UndocumentedJobRuns, SendTheirFilesAndTellIt) {
  EXPECT_EQ(stored("warc"), 1u) << "at once";
  look(150, std::chrono::minutes(10));
  EXPECT_EQ(job().state, JobState::failed);
  EXPECT_FALSE(harvester_->job());
  EXPECT_EQ(job().errors.upload, "the metadata file could not be handed over; all other files are in the archive");
  EXPECT_THAT(job().errors.upload_details, AllOf(HasSubstr("logs and reports are in "), HasSubstr("/oldjobs/2")));
  EXPECT_EQ(stored("metadata"), 0u);
}

TEST_P(UndocumentedJobRuns, AreDocumentedByAHarvesterThatComesBack) {
  harvester_.reset();
  ASSERT_TRUE(files_.remove(obstacle_));
  look(60);
  EXPECT_FALSE(harvester_->job());
  EXPECT_EQ(job().errors.upload, "");
  EXPECT_EQ(stored("warc"), 1u);
  EXPECT_EQ(stored("metadata"), 1u);
  EXPECT_EQ(files_.read_all(folder_ / "data/archive/archive/1-1.warc.gz").value(), "captures");
}

}  // namespace
}  // namespace caddis::harvestserver
