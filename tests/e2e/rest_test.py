#!/usr/bin/env python3
"""Clients of Heritrix steer an engine: the packages of PyPI and Maven Central as they are, and requests as they send them.

Without PyPI or Maven Central the cases of their packages are skipped.
"""

import base64
import functools
import glob
import gzip
import http.client
import http.server
import importlib.util
import itertools
import os
import pathlib
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.parse
import xml.etree.ElementTree as ElementTree

import harness
import peers

LIFE = str(pathlib.Path(__file__).with_name("WrapperLife.java"))
PACKAGES = ["heritrix3==0.4.1", "hapy-heritrix==0.1.1", "setuptools<80"]
BEANS = """<?xml version="1.0" encoding="UTF-8"?>
<beans xmlns="http://www.springframework.org/schema/beans">
  <bean id="metadata" class="org.archive.modules.CrawlMetadata">
    <property name="operatorContactUrl" value="http://lib.example/bot"/>
    <property name="jobName" value="news"/>
  </bean>
  <bean id="seeds" class="org.archive.modules.seeds.TextSeedModule">
    <property name="textSource"><bean class="org.archive.spring.ConfigString">
      <property name="value"><value>{seed}</value></property>
    </bean></property>
  </bean>
  <bean id="scope" class="org.archive.modules.deciderules.DecideRuleSequence">
    <property name="rules"><list>
      <bean class="org.archive.modules.deciderules.RejectDecideRule"/>
      <bean class="org.archive.modules.deciderules.surt.SurtPrefixedDecideRule"/>
      <bean class="org.archive.modules.deciderules.PrerequisiteAcceptDecideRule"/>
    </list></property>
  </bean>
  <bean id="crawlController" class="org.archive.crawler.framework.CrawlController"/>
  <bean id="disposition" class="org.archive.crawler.postprocessor.DispositionProcessor">
    <property name="delayFactor" value="0"/><property name="minDelayMs" value="0"/>
  </bean>
  <bean id="warcWriter" class="org.archive.modules.writer.WARCWriterProcessor"/>
</beans>
"""


class Site:
    """Three pages on loopback."""

    def __init__(self):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = {"/": b"<a href='/a'>a</a><a href='/b'>b</a>", "/a": b"a", "/b": b"b"}.get(self.path)
                self.send_response(404 if body is None else 200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.seed = f"http://127.0.0.1:{self.server.server_address[1]}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@functools.cache
def installed_packages():
    """The folder of the clients' packages, or None if they cannot be had."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-clients-"))
    unittest.addModuleCleanup(shutil.rmtree, folder)
    made = subprocess.run([sys.executable, "-m", "venv", folder], capture_output=True)
    if made.returncode:
        return None
    pip = [folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout", "20"]
    if subprocess.run([*pip, *PACKAGES], capture_output=True).returncode:
        return None
    return glob.glob(f"{folder}/lib/python3*/site-packages")[0]


def import_client(name):
    folder = installed_packages()
    if not folder:
        raise unittest.SkipTest("PyPI is not reached, so there are no clients to try")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return importlib.import_module(name)


def load_hapy():
    """Its module alone: the package imports it as only Python 2 could."""
    import_client("requests")
    spec = importlib.util.spec_from_file_location("hapy_client", pathlib.Path(installed_packages()) / "hapy/hapy.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class EngineCase(unittest.TestCase):
    def setUp(self):
        os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1"
        self.site = Site()
        self.addCleanup(self.site.close)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-rest-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.jobs = (self.folder / "jobs").resolve()
        self.start_engine()

    def start_engine(self):
        self.process = subprocess.Popen([harness.BINARY, "engine", "--jobs", self.jobs, "--listen", "127.0.0.1:0",
                                         "--tls", "--digest"],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env=harness.clean_environment(self.folder))
        self.addCleanup(self.end_engine)
        said = "".join(itertools.takewhile(lambda line: " jobs in" not in line and " job in" not in line, self.process.stdout))
        first = re.search(r"with the password (\S+)", said)
        self.password = first[1] if first else self.password  # it is said once
        self.port = int(re.search(r"https://127.0.0.1:(\d+)/", said)[1])
        self.root = f"https://127.0.0.1:{self.port}"

    def end_engine(self):
        for job in [path.parent.name for path in self.jobs.glob("*/job.log")]:
            self.request("POST", f"/engine/job/{job}", "action=terminate")
        harness.wait_until(lambda: not self.running(), "end of the crawls", 60)
        self.process.terminate()
        harness.finish(self.process, 60)

    def running(self):
        try:
            document = self.document("/engine")
        except OSError:
            return []
        return [job for job in document.iter("value") if "Active" in (job.findtext("statusDescription") or "")]

    def request(self, method, path, body=None, **headers):
        """(status, fields of the head, body)"""
        trusting = ssl._create_unverified_context()
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=60, context=trusting)
        known = base64.b64encode(f"admin:{self.password}".encode()).decode()
        fields = {"Accept": "application/xml", "Authorization": f"Basic {known}", **{name.replace("_", "-"): value for name, value in headers.items()}}
        if method == "POST":
            fields.setdefault("Content-Type", "application/x-www-form-urlencoded")
        try:
            connection.request(method, path, body, fields)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        except (ConnectionError, http.client.HTTPException):
            return 0, {}, b""
        finally:
            connection.close()

    def document(self, path):
        status, _, body = self.request("GET", path)
        if status != 200:
            raise OSError(f"{path}: {status} {body}")
        return ElementTree.fromstring(body)

    def script(self, text, engine="groovy", job="news"):
        body = gzip.compress(urllib.parse.urlencode({"engine": engine, "script": text}).encode())
        status, _, answer = self.request("POST", f"/engine/job/{job}/script", body, Content_Encoding="gzip")
        self.assertEqual(status, 200, answer)
        return ElementTree.fromstring(answer)

    def wait_for(self, text, field="statusDescription", job="news"):
        path = f"/engine/job/{job}"
        harness.wait_until(lambda: self.document(path).findtext(field) == text, f"{field} {text}: "
                           + ElementTree.tostring(self.document(path)).decode()[:1500], 90)

    def beans(self):
        return BEANS.format(seed=self.site.seed)


class RequestsTest(EngineCase):
    """The life of a job as NetarchiveSuite and the Web Curator Tool ask for it."""

    def do(self, action, job="news"):
        status, head, body = self.request("POST", f"/engine/job/{job}", action)
        self.assertEqual(status, 303, body)
        self.assertIsNone(head["Caddis-Refused"])
        self.assertEqual(head["Location"], f"{self.root}/engine/job/{job}")

    def test_a_job_whose_files_were_copied(self):
        """Files are put beside one another, the engine is told to look, and the job lives its life."""
        (self.jobs / "news").mkdir()
        (self.jobs / "news/crawler-beans.cxml").write_text(self.beans())
        self.assertEqual(self.request("POST", "/engine/", "action=rescan")[0], 303)
        self.wait_for("Unbuilt")
        self.do("action=build")
        self.wait_for("Ready")
        self.assertEqual(self.document("/engine/job/news").findtext("crawlControllerState"), "NASCENT")
        self.do("action=launch")
        self.wait_for("Active: PAUSED")
        self.assertEqual(self.script("rawOut.println crawlController.pauseAtStart\n").findtext("rawOutput").strip(), "true")
        self.assertEqual(self.script("rawOut.println crawlController.pauseAtStart").findtext("failure"), "false")
        queues = self.script("job.crawlController.frontier.allQueuesReportTo(rawOut)", "beanshell")
        lines = queues.findtext("rawOutput").splitlines()
        self.assertEqual([len(line.split()) for line in lines], [12] * len(lines), lines)
        self.assertEqual(self.script("return 6 * 7", "lua").findtext("rawOutput").strip(), "42")
        self.assertIn("System.exit", self.script("System.exit(1)").findtext("exception"))
        self.do("action=checkpoint")
        self.do("action=unpause")
        self.wait_for("Finished: FINISHED")
        job = self.document("/engine/job/news")
        self.assertEqual(job.findtext("isRunning"), "false")
        self.assertGreaterEqual(int(job.findtext("sizeTotalsReport/totalCount")), 3)
        base = f"/engine/anypath{self.jobs}/news/latest"
        status, _, log = self.request("GET", f"{base}/logs/crawl.log")
        self.assertEqual(status, 200)
        status, head, part = self.request("GET", f"{base}/logs/crawl.log", Range="bytes=3-9")
        self.assertEqual((status, part, head["Content-Range"]), (206, log[3:10], f"bytes 3-9/{len(log)}"))
        status, head, _ = self.request("HEAD", f"{base}/logs/crawl.log")
        self.assertEqual((status, head["Content-Length"]), (200, str(len(log))))
        pages = self.request("GET", f"{base}/logs/crawl.log?format=paged&pos=-1&lines=-1000&reverse=y")[2]
        self.assertEqual(pages.splitlines(), log.splitlines()[::-1])
        status, head, _ = self.request("GET", "/engine/job/news/report/CrawlSummaryReport")
        self.assertEqual(status, 303)
        self.assertIn(b"crawl name", self.request("GET", urllib.parse.urlsplit(head["Location"]).path)[2])
        self.do("action=teardown")
        self.wait_for("Unbuilt")

    def test_nothing_outside_of_the_jobs(self):
        secret = self.folder / "secret"
        secret.write_text("do not tell")
        (self.jobs / "news").mkdir()
        (self.jobs / "news/crawler-beans.cxml").write_text(self.beans())
        (self.jobs / "news/away").symlink_to(self.folder)
        self.request("POST", "/engine", "action=rescan")
        for path in (f"anypath{secret}", f"anypath{self.jobs}/../secret", "job/news/jobdir/../../secret", "anypath/etc/passwd",
                     "job/news/jobdir/%2e%2e/%2e%2e/secret", "job/news/jobdir/away/secret", "job/%2e%2e/jobdir/secret",
                     "jobsdir/..%2fsecret"):
            status, _, body = self.request("GET", f"/engine/{path}")
            self.assertIn(status, (403, 404), path)
            self.assertNotIn(b"do not tell", body)
        self.assertEqual(self.request("PUT", "/engine/job/news/jobdir/away/x", "x")[0], 403)
        self.assertEqual(self.request("PUT", "/engine/job/news/jobdir/../x", "x")[0], 403)
        self.assertFalse((self.folder / "x").exists() or (self.jobs / "x").exists())

    def test_the_engine_ends_without_an_answer(self):
        self.assertEqual(self.request("POST", "/engine", "action=exit java process")[0], 303)
        self.assertIsNone(self.process.poll())
        self.assertEqual(self.request("POST", "/engine", "action=exit+java+process&im_sure=on")[0], 0)
        self.process.wait(60)
        self.assertEqual(self.process.returncode, 0)
        self.start_engine()


class ShapesTest(EngineCase):
    """Elements stand where Heritrix 3 has them: those of its documents of an engine, a job that was never built, one that has
    ended, and a script, as its clients keep them for their own tests."""

    HEAP = "heapReport/usedBytes heapReport/totalBytes heapReport/maxBytes "
    SIZES = " ".join(f"sizeTotalsReport/{name}" for name in ("dupByHash", "dupByHashCount", "novel", "novelCount", "notModified", "notModifiedCount",
                                                             "total", "totalCount", "sizeOnDisk"))
    SHORT = ("shortName url isProfile launchCount lastLaunch hasApplicationContext statusDescription isLaunchInfoPartial primaryConfig "
             "primaryConfigUrl key").split()
    ENGINE = ("heritrixVersion " + HEAP + "jobsDir jobsDirUrl availableActions/value " + " ".join(f"jobs/value/{name}" for name in SHORT)).split()
    UNBUILT = ("shortName statusDescription availableActions/value launchCount lastLaunch isProfile primaryConfig primaryConfigUrl url "
               "jobLogTail/value uriTotalsReport " + SIZES + " rateReport loadReport elapsedReport threadReport frontierReport crawlLogTail "
               "configFiles isLaunchInfoPartial isRunning isLaunchable hasApplicationContext alertCount checkpointFiles reports " + HEAP).split()
    FINISHED = UNBUILT + (
        "crawlControllerState crawlExitStatus crawlLogTail/value uriTotalsReport/downloadedUriCount uriTotalsReport/queuedUriCount "
        "uriTotalsReport/totalUriCount uriTotalsReport/futureUriCount rateReport/currentDocsPerSecond rateReport/averageDocsPerSecond "
        "rateReport/currentKiBPerSec rateReport/averageKiBPerSec loadReport/busyThreads loadReport/totalThreads loadReport/congestionRatio "
        "loadReport/averageQueueDepth loadReport/deepestQueueDepth elapsedReport/elapsedMilliseconds elapsedReport/elapsedPretty "
        "threadReport/toeCount frontierReport/totalQueues frontierReport/inProcessQueues frontierReport/readyQueues "
        "frontierReport/snoozedQueues frontierReport/activeQueues frontierReport/inactiveQueues frontierReport/ineligibleQueues "
        "frontierReport/retiredQueues frontierReport/exhaustedQueues frontierReport/lastReachedState configFiles/value/key "
        "configFiles/value/name configFiles/value/path configFiles/value/url configFiles/value/editable alertLogFilePath crawlLogFilePath "
        "reports/value/className reports/value/shortName").split()
    SCRIPT = ("crawlJobUrl crawlJobShortName availableScriptEngines/value/engine availableScriptEngines/value/language script linesExecuted "
              "rawOutput availableGlobalVariables/value/variable availableGlobalVariables/value/description failure").split()

    def has(self, document, root, paths):
        self.assertEqual(document.tag, root)
        self.assertEqual([path for path in paths if document.find(path) is None], [])

    def test_documents_have_the_shapes_of_heritrix(self):
        self.request("POST", "/engine", "action=create&createpath=news")
        self.has(self.document("/engine"), "engine", self.ENGINE)
        self.has(self.document("/engine/job/news"), "job", self.UNBUILT)
        self.assertEqual(self.request("PUT", "/engine/job/news/jobdir/crawler-beans.cxml", self.beans())[0], 200)
        for action, state in (("build", "Ready"), ("launch", "Active: PAUSED")):
            self.request("POST", "/engine/job/news", f"action={action}")
            self.wait_for(state)
        self.has(self.script("rawOut.println crawlController.pauseAtStart"), "script", self.SCRIPT)
        self.request("POST", "/engine/job/news", "action=unpause")
        self.wait_for("Finished: FINISHED")
        self.has(self.document("/engine/job/news"), "job", self.FINISHED)
        self.has(self.document("/engine"), "engine", [*self.ENGINE, "jobs/value/crawlControllerState", "jobs/value/crawlExitStatus"])
        # What clients read as numbers of 32 bits, and as dates.
        job = self.document("/engine/job/news")
        for path in self.FINISHED:
            if path.endswith(("Count", "Queues", "Threads", "Depth", "KiBPerSec")) and "/" in path:
                self.assertLess(int(job.findtext(path)), 2**31, path)
        self.assertRegex(job.findtext("lastLaunch"), r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)$")


class JavaClientTest(EngineCase):
    def test_heritrix3_wrapper(self):
        """Maven's heritrix3-wrapper, in the version that the Web Curator Tool has, through two whole lives."""
        jars = peers.heritrix3_wrapper()
        (self.folder / "logback.xml").write_text("<configuration/>")  # it would tell every byte
        beans = self.folder / "beans.cxml"
        beans.write_text(self.beans())
        done = subprocess.run(["java", "-cp", f"{jars}:{self.folder}", LIFE, str(self.port), self.password,
                               str(self.jobs), str(beans)], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])
        self.assertIn("both lives were lived", done.stdout)
        self.process.wait(60)
        self.start_engine()


class PythonClientsTest(EngineCase):
    def test_heritrix3(self):
        """PyPI heritrix3 through a whole job."""
        client = import_client("heritrix3").HeritrixAPI(host=f"{self.root}/engine", user="admin", passwd=self.password)
        client.create("news")
        self.assertEqual(client.list_jobs(unbuilt=True), ["news"])
        self.assertTrue(client.get_config("news").startswith("<?xml"))
        self.assertTrue(client.send_content("news", self.beans().encode(), "crawler-beans.cxml"))
        client.build("news")
        self.assertTrue(client.wait_for_action("news", "launch", poll_delay=0.2))
        client.launch("news")
        self.assertTrue(client.wait_for_action("news", "unpause", timeout=60, poll_delay=0.2))
        self.assertEqual(client.list_jobs(status="PAUSED"), ["news"])
        client.checkpoint("news")
        client.unpause("news")
        self.assertTrue(client.wait_for_jobstate("news", "FINISHED", timeout=60, poll_delay=0.2))
        self.assertEqual(client.get_crawl_exit_state("news"), "FINISHED")
        launch = client.get_launchid("news")
        self.assertRegex(launch, r"^\d{14}")
        self.assertIn("/a", client.crawl_log("news"))
        self.assertIn("/a", client.crawl_log("news", launch))
        self.assertIn("Finished", client.crawl_report("news"))
        self.assertIn("[host]", client.hosts_report("news"))
        self.assertIn(self.site.seed, client.seeds_report("news", launch))
        warcs = client.list_warcs("news")
        self.assertTrue(warcs)
        self.assertTrue(any(name.endswith("/job.log") for name in client.list_files("news")))
        copies = self.folder / "copies"
        copies.mkdir()
        self.assertEqual(client.retrieve_warcs("news", copies), len(warcs))
        self.assertEqual([path.read_bytes()[:2] for path in copies.iterdir()], [b"\x1f\x8b"] * len(warcs))
        self.assertIsNone(client.list_warcs("news", "20200101000000"))
        client.copy("news", "twin", as_profile=True)
        self.assertIn("twin", client.list_jobs())
        client.delete_job_dir("news")
        client.rescan()
        self.assertEqual(client.list_jobs(), ["twin"])

    def test_hapy(self):
        """PyPI hapy-heritrix, which was written for Python 2: its reading of XML is mended here."""
        hapy = load_hapy()

        def as_dict(_, tree):
            if len(tree) == 0:
                return {tree.tag: tree.text}
            return {tree.tag: {child.tag: as_dict(_, child)[child.tag] for child in tree}}

        hapy.Hapy._Hapy__tree_to_dict = as_dict
        client = hapy.Hapy(self.root, "admin", self.password)
        client.create_job("news")
        client.submit_configuration("news", self.beans())
        self.assertEqual(client.get_job_configuration("news").decode(), self.beans())
        client.build_job("news")
        client.launch_job("news")
        self.wait_for("PAUSED", "crawlControllerState")
        raw, _ = client.execute_script("news", "groovy", 'job.crawlController.frontier.deleteURIs(".*","^.*")')
        self.assertEqual(raw.strip(), "1")
        client.terminate_job("news")
        self.wait_for("Finished: ABORTED")
        client.teardown_job("news")
        client.copy_job("news", "twin")
        self.assertEqual(client.get_info()["engine"]["jobsDir"], str(self.jobs))
        client.add_job_directory(str(self.jobs / "twin"))
        self.assertEqual(client.get_job_info("twin")["job"]["statusDescription"], "Unbuilt")


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
