// Jobs: all of them, and one with how it goes, what it was made of and what it brought.

import {useState} from "preact/hooks";

import {get, post_json} from "../../engine/src/api";
import {useAsked} from "../../engine/src/ask";
import {bytes, count, rate} from "../../engine/src/format";
import {Act, AskForm, Choice, Confirm, Failure, Field, Figures, Lines, Loading, Section, Table, text_of} from "../../engine/src/parts";
import {link} from "../../engine/src/route";
import {Browse} from "./browse";
import {FailedJobs} from "./failed_jobs";
import {JobDomains} from "./job_domains";
import {More} from "./more";
import {Results} from "./results";
import {may_steer, useRights} from "./rights";
import type {Kept} from "./review";
import {Curves, Limits, LogSearch, MissedUrls, Queues, Records, Traps, useRecords} from "./review";
import {Console, WaitingUrls} from "./steering";
import type {Job, Server} from "./types";
import {objects, size, time} from "./words";

const kStates = ["NEW", "SUBMITTED", "STARTED", "DONE", "FAILED", "RESUBMITTED", "FAILED_REJECTED"];
const kSteered = ["NEW", "SUBMITTED", "STARTED", "FAILED", "FAILED_REJECTED"];  // states in which something can be done
const kTones: Record<string, string> = {STARTED: "good", DONE: "good", SUBMITTED: "warn", FAILED: "bad", FAILED_REJECTED: "warn"};

export function JobState(props: {job: Job}) {
  return <span class={"state " + (kTones[props.job.state] ?? "plain")}>{props.job.state.toLowerCase().replace("_", " ")}</span>;
}

function act(job: Job, verb: string, body: unknown = {}) {
  return post_json(`/api/jobs/${job.job}/${verb}`, body);
}

function Steering(props: {job: Job; again: () => void}) {
  const {job, again} = props;
  const [asks, set_asks] = useState(false);
  const does = (verb: string) => () => act(job, verb).then(again);
  const runs = job.state === "SUBMITTED" || job.state === "STARTED";
  return (
    <span class="buttons">
      {runs && job.wish !== "pause" && <Act act={does("pause")} label={`Pause job ${job.job}`}>Pause</Act>}
      {runs && job.wish === "pause" && <Act act={does("resume")} label={`Go on with job ${job.job}`}>Go on</Act>}
      {runs && job.wish !== "stop" && <Act act={async () => set_asks(true)} kind="danger" label={`Stop job ${job.job}`}>Stop</Act>}
      {(job.state === "FAILED" || job.state === "SUBMITTED") && <Act act={does("resubmit")} label={`Resubmit job ${job.job}`}>Resubmit</Act>}
      {job.state === "NEW" && <Act act={does("withdraw")} label={`Withdraw job ${job.job}`} done={`Job ${job.job} was withdrawn.`}>Withdraw</Act>}
      {job.state === "FAILED_REJECTED" && <Act act={does("reopen-failure")} label={`Take job ${job.job} up again`} done={`Job ${job.job} can be resubmitted.`}>Take up again</Act>}
      {asks && <Confirm title={`Stop job ${job.job}?`} text="What it has harvested is kept. It cannot be taken up again." button="Stop" act={() => act(job, "stop").then(again)} close={() => set_asks(false)} />}
    </span>
  );
}

export function JobTable(props: {jobs: Job[]; again: () => void; none?: string}) {
  const rights = useRights();
  return (
    <Table caption="Jobs" hide_caption rows={props.jobs} key_of={job => String(job.job)} none={props.none ?? "There is no job yet."} columns={[
      {head: "Job", row_head: true, cell: job => <a href={link(["jobs", String(job.job)])}>{job.job}</a>},
      {head: "Harvest", cell: job => <><a href={link(["harvests", job.harvest])}>{job.harvest}</a> <span class="quiet">run {job.run}</span></>},
      {head: "State", cell: job => <><JobState job={job} />{job.wish && <span class="quiet"> is to {job.wish}</span>}</>},
      {head: "Domains", number: true, cell: job => count(job.configurations)},
      {head: "Objects", number: true, cell: job => count(job.ended ? job.objects : job.progress?.documents ?? 0)},
      {head: "Bytes", number: true, cell: job => bytes(job.ended ? job.bytes : job.progress?.bytes ?? 0)},
      {head: "Quality", cell: verdict_in_words},
      {head: "Harvester", cell: job => job.harvester || "–"},
      {head: "Since", cell: job => time(job.ended ?? job.started ?? job.submitted ?? job.created)},
      {head: "Do", cell: job => may_steer(rights, job.made_by) && kSteered.includes(job.state) ? <Steering job={job} again={props.again} /> : "–"},
    ]} />
  );
}

export function JobsPage() {
  const [state, set_state] = useState("");
  const [harvest, set_harvest] = useState("");
  const [before, set_before] = useState("");
  const {value, error, again} = useAsked(`jobs ${state} ${harvest} ${before}`, () => get<{jobs: Job[]; next: string | null}>("/api/jobs", {state, harvest, before: before || 0, limit: 200}), 5000);
  return (
    <>
      <h1 tabIndex={-1}>Jobs</h1>
      <Section title="The latest jobs">
        <Choice label="State" value={state} options={[["", "any"], ...kStates.map((name): [string, string] => [name, name.toLowerCase().replace("_", " ")])]} onChange={event => { set_state(event.currentTarget.value); set_before(""); }} />
        <Field label="Harvest" hint="Its whole name; empty: any." onChange={event => { set_harvest(event.currentTarget.value.trim()); set_before(""); }} />
        {!value ? <Loading what="jobs" error={error} />
          : state === "FAILED" ? <FailedJobs key={harvest} jobs={value.jobs} again={again} />
          : <JobTable jobs={value.jobs} again={again} none={state || harvest ? "There is no such job." : undefined} />}
        <More start="The latest" is_first={before === ""} next={value?.next} go={set_before} />
      </Section>
    </>
  );
}

const kLogs = ["crawl.log", "nonfatal-errors.log", "runtime-errors.log", "uri-errors.log", "progress-statistics.log", "not-crawled.jsonl", "http.jsonl"];

function Inside(props: {job: Job; may_change: boolean; again: () => void}) {
  const {job} = props;
  const rights = useRights();
  const steers = may_steer(rights, job.made_by);
  const records = useRecords(job).value ?? [];
  if (job.state === "STARTED" && job.harvester) {
    return (
      <>
        {steers && <Limits job={job} again={props.again} />}
        <Traps job={job} may_change={steers} />
        <Queues job={job} />
        <WaitingUrls job={job} may_change={rights.may_steer} />
        <LogSearch job={job} logs={kLogs} />
        {rights.is_admin && <Console job={job} />}
      </>
    );
  }
  return (
    <>
      <Traps job={job} may_change={steers} />
      {records.length > 0 && <Ended job={job} may_change={props.may_change} records={records} />}
    </>
  );
}

function Ended(props: {job: Job; may_change: boolean; records: Kept[]}) {
  const {job, records} = props;
  return (
    <>
      <MissedUrls job={job} may_change={props.may_change} />
      <LogSearch job={job} logs={records.filter(one => one.kind === "logs" && !one.name.endsWith(".gz")).map(one => one.name).sort((a, b) => Number(b === "crawl.log") - Number(a === "crawl.log"))} />
      <Records job={job} records={records} />
    </>
  );
}

function Errors(props: {job: Job}) {
  const {job} = props;
  return (
    <>
      {job.harvest_error && <Failure error={`The harvest: ${job.harvest_error}`} />}
      {job.harvest_details && <Lines label="Details of the harvest" text={job.harvest_details} />}
      {job.upload_error && <Failure error={`Handing over: ${job.upload_error}`} />}
      {job.upload_details && <Lines label="Details of handing over" text={job.upload_details} />}
    </>
  );
}

// A verdict is on jobs that have ended; nobody is waited for with others.
function verdict_in_words(job: Job): string {
  return job.verdict || (job.state === "DONE" || job.state === "FAILED" ? "not yet looked at" : "–");
}

function Verdict(props: {job: Job; may_change: boolean; again: () => void}) {
  const {job, again} = props;
  const [verdict, set_verdict] = useState("accept");
  return (
    <Section title="Quality">
      <p>{job.verdict ? `It was ${job.verdict}${job.verdict_note ? ": " + job.verdict_note : ""}.` : "Nobody has looked at it yet."}</p>
      {props.may_change && <AskForm send={fields => act(job, verdict, {note: text_of(fields, "note")}).then(again)} button="Keep the verdict" label="Verdict" done="The verdict was kept.">
        <Choice label="Verdict" value={verdict} options={[["accept", "accept"], ["reject", "reject"]]} onChange={event => set_verdict(event.currentTarget.value)} />
        <Field label="Note" name="note" />
      </AskForm>}
    </Section>
  );
}

export function JobPage(props: {number: string; may_change: boolean}) {
  const rights = useRights();
  const {value: job, error, again} = useAsked(`job ${props.number}`, () => get<Job>(`/api/jobs/${props.number}`), 3000);
  const server = useAsked("server", () => get<Server>("/api/server"));
  if (!job) return <><h1 tabIndex={-1}>Job {props.number}</h1><Loading what="the job" error={error} /></>;
  return (
    <>
      <h1 tabIndex={-1}>Job {job.job}</h1>
      <p>
        <JobState job={job} /> of the harvest <a href={link(["harvests", job.harvest])}>{job.harvest}</a>, run {job.run}
        {job.continues && <> — it goes on for job <a href={link(["jobs", String(job.continues)])}>{job.continues}</a></>}
        {job.patches && <> — it fetches what job <a href={link(["jobs", String(job.patches)])}>{job.patches}</a> has missed</>}
        {job.resubmitted_as && <> — job <a href={link(["jobs", String(job.resubmitted_as)])}>{job.resubmitted_as}</a> took its place</>}
      </p>
      {may_steer(rights, job.made_by) && <p><Steering job={job} again={again} /></p>}
      {job.left_by && !job.ended && <p class="remark">{job.harvester ? `It was taken over from harvester ${job.left_by}.` : `It lies in the folder of harvester ${job.left_by}, and waits for another: ${job.left_why}`}</p>}
      <Errors job={job} />
      <Figures label="Job" figures={[
        ["Domains", count(job.configurations)],
        ["Seeds", count(job.seeds)],
        ["Expected objects", count(job.expected)],
        ["Objects", count(job.ended ? job.objects : job.progress?.documents ?? 0)],
        ["Bytes", bytes(job.ended ? job.bytes : job.progress?.bytes ?? 0)],
        ["A second", rate(job.progress?.documents_per_second)],
        ["Queued", count(job.progress?.crawl?.queued ?? 0)],
        ["Limits of a domain", `${objects(job.max_objects)}, ${size(job.max_bytes)}`],
        ["Template", job.template],
        ["Channel", job.channel],
        ["Harvester", job.harvester || "–"],
        ["Created", time(job.created)],
        ["Started", time(job.started)],
        ["Ended", time(job.ended)],
        ["Exit", job.exit || "–"],
      ]} />
      {job.progress?.crawl?.slow_because && !job.ended && <p class="quiet">{job.progress.crawl.slow_because}</p>}
      <Curves job={job} />
      {job.ended && <Browse job={job} server={server.value} />}
      <JobDomains job={job} />
      {job.ended && <Results of={{job: job.job}} />}
      {job.ended && <Verdict job={job} may_change={props.may_change} again={again} />}
      <Inside job={job} may_change={props.may_change} again={again} />
      <Section title="What it is made of">
        <p class="buttons">{(job.files ?? []).filter(name => rights.may_steer || name === "harvestInfo.xml" || !/\.(yaml|cxml|xml)$/.test(name)).map(name => <a key={name} href={`/api/jobs/${job.job}/files/${encodeURIComponent(name)}`}>{name}</a>)}</p>
      </Section>
      {(job.stored ?? []).length > 0 && (
        <Section title="What it has stored">
          <Table caption="Files" hide_caption rows={job.stored!} key_of={file => file.name} columns={[
            {head: "File", row_head: true, cell: file => <a href={`/api/jobs/${job.job}/stored/${encodeURIComponent(file.name)}`}>{file.name}</a>},
            {head: "Kind", cell: file => file.kind},
            {head: "Bytes", number: true, cell: file => bytes(file.bytes)},
          ]} />
        </Section>
      )}
      {job.command && <Section title="How it was run"><Lines label="Command" text={job.command} /></Section>}
    </>
  );
}
