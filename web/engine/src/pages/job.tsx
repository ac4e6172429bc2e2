// One job, or the one crawl that serves these pages itself: its head, its tabs, and the page of the tab.

import {crawl_of, get, job_path, mode} from "../api";
import type {Crawl} from "../api";
import {useAsked} from "../ask";
import {Act, Confirm, Loading, State} from "../parts";
import {remember} from "../plot";
import {link} from "../route";
import type {Detail, Launch, Status} from "../types";
import {Actions} from "./actions";
import {CheckpointsPage} from "./checkpoints";
import {ConsolePage} from "./console";
import {FeedsPage} from "./feeds";
import {FilesPage} from "./files";
import {FrontierPage} from "./frontier";
import {LogsPage} from "./logs";
import {Overview} from "./overview";
import {ReportsPage} from "./reports";
import {ScopePage} from "./scope";
import {SettingsPage} from "./settings";
import {SheetsPage} from "./sheets";
import {useState} from "preact/hooks";
import {tell} from "../notices";

// What every page of a job knows.
export interface JobView {
  job: string;
  crawl: Crawl;
  status: Status | null;
  detail: Detail | null;
  launches: Launch[];
  may_change: boolean;
  again: () => void;
}

const kTabs: [page: string, word: string, engine_only: boolean][] = [
  ["", "Overview", false], ["frontier", "Frontier", false], ["feeds", "Feeds", false], ["settings", "Settings", false], ["sheets", "Sheets", false],
  ["scope", "Scope", false], ["logs", "Logs", true], ["reports", "Reports", false], ["files", "Files", true],
  ["checkpoints", "Checkpoints", false], ["console", "Console", false],
];

export function tab_link(job: string, page: string, query: Record<string, string> = {}): string {
  const parts = mode === "crawl" ? [] : ["jobs", job];
  return link(page === "" ? parts : [...parts, ...page.split("/")], query);
}

// The verbs of a crawl that no engine has started.
function CrawlActions(props: {crawl: Crawl; status: Status; again: () => void}) {
  const [asks, set_asks] = useState(false);
  const {state} = props.status;
  const say = (verb: string) => async () => {
    await props.crawl.post("/" + verb);
    props.again();
  };
  return (
    <div class="buttons">
      {(state === "running" || state === "empty") && <Act act={say("pause")} done="The crawl pauses." kind="main">Pause</Act>}
      {state === "paused" && <Act act={say("resume")} done="The crawl goes on." kind="main">Go on</Act>}
      {state !== "stopping" && state !== "ended" && <Act act={say("checkpoint")} done="A checkpoint is taken.">Checkpoint</Act>}
      {state !== "stopping" && state !== "ended" && <button type="button" class="danger" onClick={() => set_asks(true)}>Stop</button>}
      {asks && <Confirm title="Stop the crawl?" text="It ends as after Ctrl-C, and can be resumed with caddis crawl --resume." button="Stop"
                        act={async () => { await say("stop")(); tell("The crawl stops."); }} close={() => set_asks(false)} />}
    </div>
  );
}

function PageOf(props: {view: JobView; page: string; rest: string[]; query: URLSearchParams}) {
  const {view, query} = props;
  switch (props.page) {
    case "frontier": return <FrontierPage view={view} query={query} />;
    case "feeds": return <FeedsPage view={view} />;
    case "settings": return <SettingsPage view={view} />;
    case "sheets": return <SheetsPage view={view} />;
    case "scope": return <ScopePage view={view} query={query} />;
    case "logs": return <LogsPage view={view} query={query} />;
    case "reports": return <ReportsPage view={view} query={query} />;
    case "files": return <FilesPage view={view} rest={props.rest} />;
    case "checkpoints": return <CheckpointsPage view={view} />;
    case "console": return <ConsolePage view={view} />;
    default: return <Overview view={view} />;
  }
}

export function JobPages(props: {job: string; page: string; rest: string[]; query: URLSearchParams; may_change: boolean}) {
  const {job} = props;
  const crawl = crawl_of(job);
  const {value, error, again} = useAsked<{detail: Detail | null; status: Status | null}>(`job ${job}`, async () => {
    if (mode === "crawl") return {detail: null, status: await get<Status>("/status")};
    const detail = await get<Detail>(job_path(job));
    return {detail, status: detail.crawl ?? null};
  }, 2000);
  if (!value) return <><h1 tabIndex={-1}>{job || "Crawl"}</h1><Loading what="the job" error={error} /></>;
  const {detail, status} = value;
  if (status) remember(job, status);
  const view: JobView = {job, crawl, status, detail, launches: detail?.launches ?? [], may_change: props.may_change, again};
  const tab = kTabs.find(([page]) => page === props.page);
  return (
    <>
      <div class="page-head">
        <h1 tabIndex={-1}>{job || "Crawl"}{tab && tab[0] !== "" && <span class="quiet"> {tab[1]}</span>}</h1>
        <State state={detail?.state ?? status?.state ?? ""} exit={detail?.exit} />
        {detail?.is_profile && <span class="quiet">profile</span>}
        {status?.waits_for && <span>{status.waits_for}</span>}
      </div>
      {error && <p class="error" role="alert">{error}</p>}
      {props.may_change && (detail ? <Actions job={detail} done={again} /> : status && <CrawlActions crawl={crawl} status={status} again={again} />)}
      <nav class="tabs" aria-label={job ? `Pages of ${job}` : "Pages of the crawl"}>
        {kTabs.filter(([, , engine_only]) => mode === "engine" || !engine_only).map(([page, word]) => (
          <a key={page} href={tab_link(job, page)} aria-current={page === props.page ? "page" : undefined}>{word}</a>
        ))}
      </nav>
      <PageOf view={view} page={props.page} rest={props.rest} query={props.query} />
    </>
  );
}

// Said on pages that only a running crawl can fill.
export function NotRunning(props: {what: string}) {
  return <p class="quiet">The job does not run. {props.what}</p>;
}
