#include "caddis/metrics/exposition.h"

#include <gtest/gtest.h>

#include <limits>

namespace caddis::metrics {
namespace {

constexpr Metric kDocuments{"caddis_documents_total", Type::counter, "Documents that were captured.", ""};
constexpr Metric kQueues{"caddis_queues", Type::gauge, "Queues.", "state"};

TEST(ExpositionTest, WritesHelpTypeAndSamples) {
  const std::string text =
      Exposition().begin(kDocuments).add(12).begin(kQueues).add(0.5, "ready").add(3, "a\"b\\c\nd").finish();
  EXPECT_EQ(text,
            "# HELP caddis_documents_total Documents that were captured.\n"
            "# TYPE caddis_documents_total counter\n"
            "caddis_documents_total 12\n"
            "# HELP caddis_queues Queues.\n"
            "# TYPE caddis_queues gauge\n"
            "caddis_queues{state=\"ready\"} 0.5\n"
            "caddis_queues{state=\"a\\\"b\\\\c\\nd\"} 3\n");
}

TEST(ExpositionTest, WritesLargeAndOddNumbers) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::string text = Exposition().begin(kDocuments).add(1234567890123).add(kInfinity).add(-kInfinity).finish();
  EXPECT_NE(text.find(" 1234567890123\n"), std::string::npos);
  EXPECT_NE(text.find(" +Inf\n"), std::string::npos);
  EXPECT_NE(text.find(" -Inf\n"), std::string::npos);
}

TEST(JoinMetricsTest, GivesEachSampleItsLabelAndEachNameOneHead) {
  const std::string a = Exposition().begin(kDocuments).add(1).begin(kQueues).add(2, "ready").finish();
  const std::string b = Exposition().begin(kDocuments).add(3).finish();
  EXPECT_EQ(join_metrics("job", {{"one", a}, {"t\"wo", b}}),
            "# HELP caddis_documents_total Documents that were captured.\n"
            "# TYPE caddis_documents_total counter\n"
            "caddis_documents_total{job=\"one\"} 1\n"
            "caddis_documents_total{job=\"t\\\"wo\"} 3\n"
            "# HELP caddis_queues Queues.\n"
            "# TYPE caddis_queues gauge\n"
            "caddis_queues{job=\"one\",state=\"ready\"} 2\n");
}

TEST(JoinMetricsTest, KeepsALabelOfThatNameUnderAnother) {
  EXPECT_EQ(join_metrics("job", {{"a", "x{job=\"b\"} 1\nx{y=\"}\",job=\"c\"} 2\n"}}),
            "x{job=\"a\",exported_job=\"b\"} 1\nx{job=\"a\",y=\"}\",exported_job=\"c\"} 2\n");
}

TEST(JoinMetricsTest, LeavesOutWhatIsNoSample) {
  EXPECT_EQ(join_metrics("job", {{"a", "<html>\n9x 1\nx\nx{y=\"1\" 2\nx one\n\n# HELP\n# HELP x\nx 1 123\n"}}), "");
}

}  // namespace
}  // namespace caddis::metrics
