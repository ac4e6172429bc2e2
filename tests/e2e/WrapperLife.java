// heritrix3-wrapper (Maven Central) leads jobs through their lives, as the Web Curator Tool and NetarchiveSuite do. Run by
// rest_test.py:
//
//   java -cp JARS WrapperLife.java PORT PASSWORD FOLDER_OF_JOBS BEANS
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.netarchivesuite.heritrix3wrapper.EngineResult;
import org.netarchivesuite.heritrix3wrapper.Heritrix3Wrapper;
import org.netarchivesuite.heritrix3wrapper.Heritrix3Wrapper.CrawlControllerState;
import org.netarchivesuite.heritrix3wrapper.JobResult;
import org.netarchivesuite.heritrix3wrapper.ResultStatus;
import org.netarchivesuite.heritrix3wrapper.ScriptResult;
import org.netarchivesuite.heritrix3wrapper.StreamResult;
import org.netarchivesuite.heritrix3wrapper.jaxb.Job;

public class WrapperLife {
  static Heritrix3Wrapper engine;

  static void expect(boolean holds, String what) {
    if (!holds) throw new AssertionError(what);
  }

  static void same(Object expected, Object found, String what) {
    expect(expected.equals(found), what + ": " + found + " instead of " + expected);
  }

  // The document that comes with every answer, that of a POST too.
  static Job good(JobResult result, String what) {
    same(ResultStatus.OK, result.status, what + " (HTTP " + result.responseCode + ", " + result.t + ")");
    return result.job;
  }

  static Job job(String name) { return good(engine.job(name), "job " + name); }

  static Job await(String name, String status) throws InterruptedException {
    for (int tries = 0; tries < 600; ++tries) {
      final Job job = job(name);
      if (status.equals(job.statusDescription)) return job;
      Thread.sleep(100);
    }
    throw new AssertionError(name + " is " + job(name).statusDescription + ", not " + status);
  }

  static String all(StreamResult result, int code) throws Exception {
    same(code, result.responseCode, "a file");
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    result.in.transferTo(bytes);
    result.close();
    return bytes.toString("UTF-8");
  }

  // Made by REST, its file replaced on disk; stopped while it is paused.
  static void curator(Path jobs, String beans) throws Exception {
    same(ResultStatus.OK, engine.waitForEngineReady(10, 100).status, "ready");
    same(ResultStatus.OK, engine.createNewJob("curated").status, "create");
    Job job = job("curated");
    same("Unbuilt", job.statusDescription, "new");
    expect(job.primaryConfig.endsWith("/crawler-beans.cxml"), job.primaryConfig);
    expect(job.availableActions.contains("build"), "build is offered");
    Files.writeString(Path.of(job.primaryConfig), beans);
    same("Ready", good(engine.buildJobConfiguration("curated"), "build").statusDescription, "built");
    good(engine.waitForJobState("curated", CrawlControllerState.NASCENT, 20, 100), "nascent");
    good(engine.launchJob("curated"), "launch");
    job = await("curated", "Active: PAUSED");
    same(Boolean.TRUE, job.isRunning, "isRunning");
    expect(engine.job("curated").job.configFiles.stream().anyMatch(one -> "warcWriter.directory".equals(one.key)), "where WARC files are");
    good(engine.checkpointJob("curated"), "checkpoint");
    good(engine.terminateJob("curated"), "terminate");
    job = await("curated", "Finished: ABORTED");
    same("ABORTED", job.crawlExitStatus, "exit");
    expect(job.checkpointFiles.size() >= 1, "checkpoints: " + job.checkpointFiles);
    good(engine.teardownJob("curated"), "teardown");
    same("Unbuilt", job("curated").statusDescription, "torn down");
    good(engine.copyJob("curated", "profile", true), "copy");
    final EngineResult listed = engine.rescanJobDirectory();
    expect(listed.engine.jobs.stream().anyMatch(one -> one.shortName.equals("profile") && one.isProfile), "a profile");
    same(jobs.toString(), listed.engine.jobsDir, "jobsDir");
  }

  // Its folder is made by others; it crawls to its end.
  static void harvest(Path jobs, String beans) throws Exception {
    Files.createDirectory(jobs.resolve("harvest"));
    Files.writeString(jobs.resolve("harvest/crawler-beans.cxml"), beans);
    same(ResultStatus.OK, engine.rescanJobDirectory().status, "rescan");
    good(engine.buildJobConfiguration("harvest"), "build");
    same("Ready", job("harvest").statusDescription, "built");
    good(engine.launchJob("harvest"), "launch");
    good(engine.waitForJobState("harvest", CrawlControllerState.PAUSED, 600, 100), "paused");
    await("harvest", "Active: PAUSED");
    final ScriptResult asked = engine.ExecuteShellScriptInJob("harvest", "groovy", "rawOut.println crawlController.pauseAtStart\n");
    same("true", asked.script.rawOutput.trim(), "pauseAtStart");
    expect(asked.script.availableScriptEngines.size() > 0, "engines of scripts");
    same(Boolean.FALSE, asked.script.failure, "failure");
    final ScriptResult queues =
        engine.ExecuteShellScriptInJob("harvest", "beanshell", "job.crawlController.frontier.allQueuesReportTo(rawOut)");
    for (String line : queues.script.rawOutput.strip().split("\n")) same(12, line.trim().split("\\s+").length, line);
    final ScriptResult unknown = engine.ExecuteShellScriptInJob("harvest", "groovy", "System.exit(3)");
    same(Boolean.TRUE, unknown.script.failure, "a script that is not known");
    good(engine.unpauseJob("harvest"), "unpause");
    final Job job = await("harvest", "Finished: FINISHED");
    same("FINISHED", job.crawlControllerState, "state");
    same(Boolean.FALSE, job.isRunning, "isRunning");
    expect(job.sizeTotalsReport.totalCount >= 3 && job.uriTotalsReport.downloadedUriCount >= 3, "documents");
    expect(job.elapsedReport.elapsedMilliseconds >= 0 && job.rateReport.averageDocsPerSecond >= 0, "rates");
    expect(job.frontierReport.totalQueues >= 0 && job.loadReport.totalThreads >= 0 && job.threadReport.toeCount >= 0, "reports");
    expect(job.heapReport.maxBytes > 0 && job.lastLaunch > 0 && job.jobLogTail.size() > 0 && job.reports.size() > 5, "facts");
    final String log = jobs.resolve("harvest/latest/logs/crawl.log").toString();
    final String text = all(engine.anypath(log, null, null), 200);
    same(text.substring(3, 10), all(engine.anypath(log, 3L, 9L), 206), "a range");
    expect(all(engine.path("job/harvest/report/CrawlSummaryReport", null, null), 200).contains("crawl"), "a report");
    expect(job.availableActions.contains("teardown"), "teardown is offered");
    good(engine.teardownJob("harvest"), "teardown");
    same(ResultStatus.NOT_FOUND, engine.job("nobody").status, "a job that is not there");
  }

  public static void main(String[] arguments) throws Exception {
    engine = Heritrix3Wrapper.getInstance("127.0.0.1", Integer.parseInt(arguments[0]), null, null, "admin", arguments[1]);
    final Path jobs = Path.of(arguments[2]);
    final String beans = Files.readString(Path.of(arguments[3]));
    curator(jobs, beans);
    harvest(jobs, beans);
    final int status = engine.exitJavaProcess(List.of("curated", "harvest")).status;
    expect(status == ResultStatus.OFFLINE || status == ResultStatus.RESPONSE_EXCEPTION, "the end: " + status);
    System.out.println("both lives were lived");
  }
}
