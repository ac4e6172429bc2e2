// One job looked into: its crawl while it runs, its logs and reports, what it has missed, and what is done about that.

import {useState} from "preact/hooks";

import {get, get_text, post_json} from "../../engine/src/api";
import {useAsked} from "../../engine/src/ask";
import {bytes, count, plural, rate} from "../../engine/src/format";
import {tell} from "../../engine/src/notices";
import {Act, Area, AskForm, Check, Choice, Failure, Field, Lines, Loading, Section, Table, text_of} from "../../engine/src/parts";
import {Plot} from "../../engine/src/plot";
import {link} from "../../engine/src/route";
import type {Job, Progress} from "./types";
import {limit_of, limit_text, time} from "./words";

// How the crawl went: the samples that the server has kept, one a minute at most.
export function Curves(props: {job: Job}) {
  const {value} = useAsked(`progress ${props.job.job}`, () => get<{samples: {time: number; sample: Progress}[]}>(`/api/jobs/${props.job.job}/progress`), props.job.ended ? undefined : 60_000);
  const samples = (value?.samples ?? []).slice().reverse();
  if (samples.length < 2) return null;
  const times = samples.map(one => one.time);
  const of = (figure: (sample: Progress) => number | undefined) => samples.map(one => figure(one.sample) ?? 0);
  return (
    <Section title="How it went">
      <div class="plots">
        <Plot title="Documents" times={times} values={of(one => one.documents)} unit={count} />
        <Plot title="Bytes" times={times} values={of(one => one.bytes)} unit={bytes} />
        <Plot title="Documents a second" times={times} values={of(one => one.documents_per_second)} unit={rate} />
        <Plot title="URLs that wait" times={times} values={of(one => one.crawl?.queued)} unit={count} />
      </div>
    </Section>
  );
}

interface Queue {
  queue: string;
  queued: number;
  state: string;
  wait_seconds: number;
  failures: number;
  finished: number;
  over_quota: string;
}

export function Limits(props: {job: Job; again: () => void}) {
  const {job} = props;
  const send = async (fields: FormData) => {
    await post_json(`/api/jobs/${job.job}/limits`, {
      max_objects: limit_of(text_of(fields, "max_objects")), max_bytes: limit_of(text_of(fields, "max_bytes")),
      max_seconds: Number(text_of(fields, "max_seconds") || "0"),
    });
    props.again();
  };
  return (
    <Section title="Limits">
      <p class="quiet">They hold from now on. Domains whose configurations allowed less than the job did keep that, or have the new one if it is lower.</p>
      <AskForm key={`${job.max_objects} ${job.max_bytes}`} send={send} button="Change the limits" label="Limits" done="The crawl is told within seconds.">
        <Field label="Most objects of a domain" name="max_objects" inputMode="numeric" pattern="\d*" defaultValue={limit_text(job.max_objects)} hint="Empty: any number." />
        <Field label="Most bytes of a domain" name="max_bytes" inputMode="numeric" pattern="\d*" defaultValue={limit_text(job.max_bytes)} hint="Empty: any size." />
        <Field label="Longest time of the job" name="max_seconds" inputMode="numeric" pattern="\d*" defaultValue={job.max_seconds ? String(job.max_seconds) : ""} hint="Seconds from its start. Empty: any time." />
      </AskForm>
    </Section>
  );
}

interface Trap {
  expression: string;
  added: boolean;
  who?: string;
  time?: number;
}

// Those of a job that has ended are shown, too.
export function Traps(props: {job: Job; may_change: boolean}) {
  const {job} = props;
  const {value, again} = useAsked(`traps ${job.job}`, () => get<{traps: Trap[]}>(`/api/jobs/${job.job}/traps`));
  const runs = job.state === "STARTED" || job.state === "SUBMITTED";
  const may_change = props.may_change && runs;
  const traps = value?.traps ?? [];
  const added = traps.filter(trap => trap.added);
  const original = traps.filter(trap => !trap.added);
  const send = async (fields: FormData) => {
    const told = await post_json<{added: number}>(`/api/jobs/${job.job}/traps`, {traps: text_of(fields, "traps")});
    tell(`${plural(told.added, "trap")} added. The crawl is told within seconds.`);
    again();
  };
  const take_back = (trap: Trap) => async () => {
    await post_json(`/api/jobs/${job.job}/traps/take-back`, {traps: trap.expression});
    tell("The crawl is told within seconds.");
    again();
  };
  if (!may_change && traps.length === 0) return null;
  return (
    <Section title="Crawler traps">
      {added.length > 0 && (
        <Table caption="Added while it ran" rows={added} key_of={trap => trap.expression} columns={[
          {head: "Expression", row_head: true, cell: trap => <code>{trap.expression}</code>},
          {head: "By", cell: trap => trap.who ?? "not on record"},
          {head: "Since", cell: trap => time(trap.time)},
          {head: "Do", cell: trap => may_change ? <Act act={take_back(trap)}>Take back</Act> : "–"},
        ]} />
      )}
      {original.length > 0 && (
        <details>
          <summary>{plural(original.length, "trap")} from the start</summary>
          <Lines label="Traps from the start" text={original.map(trap => trap.expression).join("\n")} />
        </details>
      )}
      {may_change && (
        <>
          <p class="quiet">This job leaves them out from now on. For later ones, write them into the traps of the domain or of the harvest.</p>
          <AskForm send={send} button="Leave these out" label="Crawler traps">
            <Area label="Expressions" name="traps" rows={2} hint="One a line, each fits a whole URL." />
          </AskForm>
        </>
      )}
    </Section>
  );
}

function csv_of(queues: Queue[]): string {
  const quoted = (text: string | number) => `"${String(text).replace(/"/g, '""')}"`;
  const lines = queues.map(one => [one.queue, one.queued, one.state, one.finished, one.failures, one.over_quota].map(quoted).join(","));
  return "data:text/csv;charset=utf-8," + encodeURIComponent(["queue,queued,state,finished,failures,over_quota", ...lines].join("\r\n") + "\r\n");
}

export function Queues(props: {job: Job}) {
  const [by, set_by] = useState("size");
  const {value, error, again} = useAsked(`queues ${props.job.job} ${by}`, () => get<{queues: Queue[]}>(`/api/jobs/${props.job.job}/queues`, {by, limit: 50}));
  return (
    <Section title="Frontier" aside={value && <a href={csv_of(value.queues)} download={`frontier-${props.job.job}.csv`}>As CSV</a>}>
      <div class="fields">
        <Choice label="First" value={by} options={[["size", "the largest"], ["wait", "those that wait longest"], ["failures", "those with most failures"]]} onChange={event => set_by(event.currentTarget.value)} />
      </div>
      {!value ? <Loading what="the frontier" error={error} /> : (
        <>
          <Table caption="Queues" hide_caption rows={value.queues} key_of={one => one.queue} none="No queue is in memory." columns={[
            {head: "Queue", row_head: true, cell: one => one.queue},
            {head: "URLs", number: true, cell: one => count(one.queued)},
            {head: "State", cell: one => one.over_quota ? `over ${one.over_quota}` : one.state},
            {head: "Done", number: true, cell: one => count(one.finished)},
            {head: "Failures", number: true, cell: one => count(one.failures)},
          ]} />
          <p class="buttons"><button type="button" onClick={again}>Ask again</button></p>
        </>
      )}
    </Section>
  );
}

interface Page {
  lines: string[];
  next: number | null;
}

export function LogSearch(props: {job: Job; logs: string[]}) {
  const {job} = props;
  const [asked, set_asked] = useState({name: "crawl.log", match: "", reverse: false});
  const [lines, set_lines] = useState<string[] | null>(null);
  const [next, set_next] = useState<number | null>(null);
  const look = async (question: typeof asked, from?: number) => {
    const page = await get<Page>(`/api/jobs/${job.job}/log`, {...question, from, limit: 200});
    set_lines(from === undefined || lines === null ? page.lines : [...lines, ...page.lines]);
    set_next(page.next);
  };
  const send = async (fields: FormData) => {
    const question = {name: text_of(fields, "name"), match: text_of(fields, "match"), reverse: fields.get("reverse") === "on"};
    set_asked(question);
    await look(question);
  };
  return (
    <Section title="Search its logs">
      <AskForm send={send} button="Search" label="Search its logs">
        <Choice label="Log" name="name" options={props.logs.map((name): [string, string] => [name, name])} />
        <Field label="Expression" name="match" hint="Lines in which it is found; empty: all." />
        {!job.ended && <Check label="The latest first" name="reverse" defaultChecked />}
      </AskForm>
      {lines && (lines.length === 0 ? <p class="quiet" role="status">{next === null ? "No line has that." : "None in the part that was looked through."}</p> : <Lines label="Lines" text={lines.join("\n")} />)}
      {next !== null && <p class="buttons"><Act act={() => look(asked, next)}>More</Act></p>}
    </Section>
  );
}

interface Missed {
  url: string;
  via: string;
  status: number;
  hops: string;
}

interface MissedPage {
  missed: Missed[];
  next: string | null;
}

export function MissedUrls(props: {job: Job; may_change: boolean}) {
  const {job} = props;
  const [links, set_links] = useState(false);
  const [urls, set_urls] = useState<string | null>(null);
  const [problems, set_problems] = useState<string[]>([]);
  const of = `missed ${job.job} ${links}`;
  const page = (after?: string) => get<MissedPage>(`/api/jobs/${job.job}/missed`, {links, after, limit: 1000});
  const {value, error} = useAsked(of, () => page());
  // Behind the first page: what was asked for with More.
  const [further, set_further] = useState<MissedPage & {of: string} | null>(null);
  const behind = further?.of === of ? further : null;
  const missed = [...(value?.missed ?? []), ...(behind?.missed ?? [])];
  const next = behind ? behind.next : value?.next;
  const more = async (after: string) => {
    const one = await page(after);
    set_further({of, missed: [...(behind?.missed ?? []), ...one.missed], next: one.next});
    set_urls(now => now === null ? null : [now, ...one.missed.map(url => url.url)].join("\n"));
  };
  const list = urls ?? missed.map(one => one.url).join("\n");
  const lines = () => list.split("\n").map(line => line.trim()).filter(line => line !== "");
  const patch = async () => {
    const made = await post_json<Job>(`/api/jobs/${job.job}/patch`, {urls: lines()});
    tell(`Job ${made.job} fetches them.`);
    location.hash = link(["jobs", String(made.job)]);
  };
  const collect = async () => {
    const told = await post_json<{added: number; problems: string[]}>(`/api/jobs/${job.job}/seeds`, {urls: lines()});
    set_problems(told.problems);
    tell(`${plural(told.added, "URL")} became seeds, in the list “missed” of their domains.`);
  };
  return (
    <Section title="What it has missed">
      <label class="check"><input type="checkbox" checked={links} onChange={event => { set_links(event.currentTarget.checked); set_urls(null); }} /> Links, too, and not what pages embed alone</label>
      {!value ? <Loading what="what it has missed" error={error} /> : (
        <Table caption={next ? `The first ${plural(missed.length, "URL")}` : plural(missed.length, "URL")} rows={missed.slice(0, 100)} key_of={one => one.url} none="It has missed nothing that its pages embed." columns={[
          {head: "URL", row_head: true, cell: one => one.url},
          {head: "Status", number: true, cell: one => String(one.status)},
          {head: "Found on", cell: one => one.via},
        ]} />
      )}
      {next && <p class="buttons"><Act act={() => more(next)} label="More of what it has missed">More</Act></p>}
      {props.may_change && value && (
        <>
          <Area label="URLs to fetch" rows={5} value={list} onInput={event => set_urls(event.currentTarget.value)} hint="One a line. Add what the page /qa of caddis serve has collected." />
          <p class="buttons">
            <Act act={patch} kind="main" disabled={lines().length === 0}>Fetch them now</Act>
            <Act act={collect} disabled={lines().length === 0}>Make them seeds</Act>
          </p>
          {problems.map(problem => <Failure key={problem} error={problem} />)}
        </>
      )}
    </Section>
  );
}

export interface Kept {
  kind: string;
  name: string;
  bytes: number;
}

export function useRecords(job: Job) {
  return useAsked(`records ${job.job} ${job.ended}`, async () => job.ended && job.stored?.some(file => file.kind === "metadata")
    ? (await get<{records: Kept[]}>(`/api/jobs/${job.job}/records`)).records : []);
}

export function Records(props: {job: Job; records: Kept[]}) {
  const [shown, set_shown] = useState<{name: string; text: string} | null>(null);
  const path = (one: Kept) => `/api/jobs/${props.job.job}/records/${one.kind}/${encodeURIComponent(one.name)}`;
  const show = async (one: Kept) => set_shown({name: one.name, text: (await get_text(path(one))).slice(0, 200_000)});
  const all = props.records.filter(one => one.kind !== "index" && one.bytes > 0);
  const is_for_people = (one: Kept) => one.name.endsWith(".txt") || one.name.endsWith(".log");
  const table = (caption: string, rows: Kept[]) => (
    <Table caption={caption} hide_caption rows={rows} key_of={one => `${one.kind} ${one.name}`} columns={[
      {head: "Name", row_head: true, cell: one => <a href={path(one)} target="_blank" rel="noreferrer">{one.name}</a>},
      {head: "Kind", cell: one => one.kind},
      {head: "Size", number: true, cell: one => bytes(one.bytes)},
      {head: "Do", cell: one => one.name.endsWith(".txt") ? <Act act={() => show(one)} label={`Show ${one.name}`}>Show</Act> : "–"},
    ]} />
  );
  return (
    <Section title="Reports and logs">
      {shown && <><h3>{shown.name}</h3><Lines label={shown.name} text={shown.text} /></>}
      {all.length > 0 && <p>All of them as files: <a href={`/api/jobs/${props.job.job}/documents.zip`} download>job-{props.job.job}-documents.zip</a></p>}
      <details><summary>Reports and logs as text</summary>{table("Reports and logs", all.filter(is_for_people))}</details>
      {(props.job.stored ?? []).filter(file => file.kind === "metadata").map(file => (
        <p key={file.name}>All of them in one file, in the format of archives: <a href={`/api/jobs/${props.job.job}/metadata/${encodeURIComponent(file.name)}`} download>{file.name}</a></p>
      ))}
      <details><summary>The same for programs, and what it was made of</summary>{table("Files for programs", all.filter(one => !is_for_people(one)))}</details>
    </Section>
  );
}
