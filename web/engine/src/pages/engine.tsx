// All jobs, the machine, and how a new job is made.

import {useEffect, useState} from "preact/hooks";

import {get, job_path, post_json} from "../api";
import {useAsked} from "../ask";
import {bytes, count, moment, plural, rate} from "../format";
import {Actions} from "./actions";
import {AskForm, Area, Choice, Failure, Field, Figures, Loading, Section, State, Table, text_of} from "../parts";
import {link} from "../route";
import type {Detail, Machine, Summary} from "../types";

// Summaries, brought up to date by the engine's events, and asked for anew now and then should these fail.
function useJobs() {
  const asked = useAsked("jobs", () => get<{jobs: Summary[]}>("/api/jobs"), 10_000);
  const [, redraw] = useState(0);
  useEffect(() => {
    const events = new EventSource("/api/events");
    events.addEventListener("job", event => {
      const summary = JSON.parse((event as MessageEvent<string>).data) as Summary;
      const jobs = asked.value?.jobs;
      const place = jobs?.findIndex(job => job.name === summary.name) ?? -1;
      if (jobs && place >= 0) {
        jobs[place] = summary;
        redraw(number => number + 1);
      } else {
        asked.again();
      }
    });
    events.addEventListener("gone", () => asked.again());
    return () => events.close();
  }, [asked.value]);
  return asked;
}

// What all crawls may use together, as far as somebody has said so.
function allowed(allowance: Machine["allowance"]): [string, string][] {
  const parts: string[] = [];
  if (allowance.memory > 0) parts.push(`${bytes(allowance.memory)} of memory`);
  if (allowance.processors > 0) parts.push(plural(allowance.processors, "processor"));
  if (allowance.bandwidth > 0) parts.push(`${bytes(allowance.bandwidth)} a second`);
  if (allowance.disk > 0) parts.push(`${bytes(allowance.disk)} of disk`);
  return parts.length > 0 ? [["Crawls may use", parts.join(", ")]] : [];
}

function MachineFigures() {
  const {value, error} = useAsked("engine", () => get<Machine>("/api/engine"), 5000);
  if (!value) return <Loading what="the machine" error={error} />;
  const {memory, disk} = value;
  return (
    <>
      <Figures label="Machine" figures={[
        ["Running", value.max_running > 0 ? `${value.running} of at most ${value.max_running}` : count(value.running)],
        ["Disk free", `${bytes(disk.free)} of ${bytes(disk.total)}`],
        ["Memory free", `${bytes(memory.available)} of ${bytes(memory.total)}`],
        ["Processors", count(value.processors)],
        ...allowed(value.allowance),
        ["Since", moment(value.started)],
        ["Version", value.version],
      ]} />
      {disk.total > 0 && disk.free / disk.total < 0.05 && <p class="alert">The disk is nearly full: {bytes(disk.free)} are left. Crawls pause when they cannot write.</p>}
      <p class="quiet">Jobs are kept in <code>{value.jobs_dir}</code></p>
      <Failure error={error} />
    </>
  );
}

interface Profile {
  name: string;
  summary: string;
  is_job: boolean;
}

function NewJob(props: {jobs: Summary[]; made: () => void}) {
  const profiles = useAsked("profiles", () => get<{profiles: Profile[]}>("/api/profiles"));
  const list = profiles.value?.profiles ?? [];
  const [from, set_from] = useState("");
  const options: [string, string][] = [["", "Nothing: all settings have their defaults"]];
  for (const profile of list) options.push([`profile:${profile.name}`, `Profile ${profile.name}${profile.summary ? ": " + profile.summary : ""}`]);
  for (const job of props.jobs.filter(one => !one.is_profile)) options.push([`job:${job.name}`, `Copy of ${job.name}`]);
  const send = async (fields: FormData, form: HTMLFormElement) => {
    const name = text_of(fields, "name");
    const urls = text_of(fields, "urls").split(/\s+/).filter(url => url !== "");
    const [kind, source] = from.split(/:(.*)/s);
    if (kind === "job" && source) await post_json<Detail>(job_path(source, "/copy"), {name, as_profile: false});
    else await post_json<Detail>("/api/jobs", {name, ...(kind === "profile" ? {profile: source} : {}), ...(urls.length > 0 ? {urls} : {})});
    form.reset();
    set_from("");
    props.made();
    location.hash = link(["jobs", name]);
  };
  return (
    <Section title="New job">
      <AskForm send={send} button="Create" label="New job">
        <Field label="Name" name="name" required pattern="[A-Za-z0-9_.\-]+" hint="Letters, digits, dots, hyphens. It becomes a folder." />
        <Choice label="Begin from" options={options} value={from} onChange={event => set_from(event.currentTarget.value)} />
        {!from.startsWith("job:") && <Area label="Seeds" name="urls" hint="URLs that the crawl begins with, one a line. They can be added later, too." placeholder="https://example.org/" />}
      </AskForm>
    </Section>
  );
}

export function EnginePage(props: {may_change: boolean}) {
  const {value, error, again} = useJobs();
  const jobs = value?.jobs ?? [];
  const alerts = jobs.reduce((sum, job) => sum + job.alerts, 0);
  return (
    <>
      <h1 tabIndex={-1}>Jobs</h1>
      {alerts > 0 && <p class="alert">{plural(alerts, "alert")} in {jobs.filter(job => job.alerts > 0).map(job => job.name).join(", ")}</p>}
      <Section title="Jobs of this engine">
        <Failure error={error} />
        {!value ? !error && <Loading what="the jobs" error="" /> : (
          <Table caption={plural(jobs.length, "job")} rows={jobs} key_of={job => job.name} none="There is no job yet." columns={[
            {head: "Job", row_head: true, cell: job => <><a href={link(["jobs", job.name])}>{job.name}</a>{job.is_profile && <span class="quiet"> (profile)</span>}</>},
            {head: "State", cell: job => <><State state={job.state} exit={job.exit} />{job.alerts > 0 && <> <span class="state bad">{plural(job.alerts, "alert")}</span></>}</>},
            {head: "Documents", number: true, cell: job => count(job.documents)},
            {head: "a second", number: true, cell: job => rate(job.documents_per_second)},
            {head: "Bytes", number: true, cell: job => bytes(job.bytes)},
            {head: "Last launch", cell: job => moment(job.last_launch)},
            {head: "Do", cell: job => props.may_change ? <Actions job={job} short done={again} /> : "–"},
          ]} />
        )}
      </Section>
      <Section title="This machine"><MachineFigures /></Section>
      {props.may_change && <NewJob jobs={jobs} made={again} />}
    </>
  );
}
