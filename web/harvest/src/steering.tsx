// A crawl that runs, changed by hand: URLs of its frontier, looked at and deleted, and scripts of its console.

import {useState} from "preact/hooks";

import type {Query} from "../../engine/src/api";
import {get, post_json} from "../../engine/src/api";
import {count, plural} from "../../engine/src/format";
import {tell} from "../../engine/src/notices";
import {Act, Area, AskForm, Field, Lines, Section, Table, text_of} from "../../engine/src/parts";
import type {WaitingUrl} from "../../engine/src/types";
import type {Job} from "./types";

interface Waiting {
  urls: WaitingUrl[];
  marker: string;
}

// Counts first, says how many, and deletes only then.
function Deletion(props: {job: Job; which: Query; done: () => void}) {
  const [counted, set_counted] = useState<number | null>(null);
  const ask = (dry: boolean) => post_json<{deleted?: number; would_delete?: number}>(`/api/jobs/${props.job.job}/frontier/delete`, {...props.which, dry});
  const remove = async () => {
    const {deleted} = await ask(false);
    set_counted(null);
    tell(`${plural(deleted ?? 0, "URL")} deleted.`);
    props.done();
  };
  if (counted === null) return <Act act={async () => set_counted((await ask(true)).would_delete ?? 0)}>Count, to delete them</Act>;
  return (
    <div class="buttons" role="group" aria-label="Delete these URLs">
      <strong>{plural(counted, "URL")} match.</strong>
      {counted > 0 && <Act kind="danger" act={remove}>Delete them</Act>}
      <button type="button" onClick={() => set_counted(null)}>Keep them</button>
    </div>
  );
}

export function WaitingUrls(props: {job: Job; may_change: boolean}) {
  const {job} = props;
  const [which, set_which] = useState({host: "", regex: ""});
  const [list, set_list] = useState<Waiting | null>(null);
  const read = async (asked: typeof which, before: Waiting | null) => {
    const part = await get<Waiting>(`/api/jobs/${job.job}/frontier`, {...asked, limit: 100, marker: before?.marker});
    set_list({urls: [...(before?.urls ?? []), ...part.urls], marker: part.marker});
  };
  const send = async (fields: FormData) => {
    const asked = {host: text_of(fields, "host"), regex: text_of(fields, "regex")};
    set_which(asked);
    await read(asked, null);
  };
  return (
    <Section title="URLs that wait">
      <AskForm send={send} button="Show" label="URLs that wait">
        <Field label="Host" name="host" hint="Empty: of all hosts." />
        <Field label="Expression" name="regex" hint="Found anywhere in the URL." />
      </AskForm>
      {list && (
        <>
          <Table caption={`${plural(list.urls.length, "URL")}${list.marker ? " so far" : ""}`} rows={list.urls} key_of={url => `${url.queue} ${url.where} ${url.url}`} none="No URL waits that matches." columns={[
            {head: "URL", row_head: true, cell: url => url.url},
            {head: "Found on", cell: url => url.via || "–"},
            {head: "Hops", cell: url => url.hops || "seed"},
            {head: "Waits in", cell: url => url.where},
            {head: "Try", number: true, cell: url => count(url.attempt)},
          ]} />
          <div class="buttons">
            {list.marker !== "" && <Act act={() => read(which, list)}>More URLs</Act>}
            {props.may_change && (which.host !== "" || which.regex !== "") && <Deletion key={`${which.host} ${which.regex}`} job={job} which={which} done={() => void read(which, null)} />}
          </div>
        </>
      )}
    </Section>
  );
}

interface Run {
  script: string;
  output: string;
  error?: string;
  incomplete: boolean;
}

const session = Math.random().toString(36).slice(2, 10);

export function Console(props: {job: Job}) {
  const [runs, set_runs] = useState<Run[]>([]);
  const send = async (fields: FormData) => {
    const script = text_of(fields, "script");
    const run = await post_json<Omit<Run, "script">>(`/api/jobs/${props.job.job}/console`, {script, session});
    set_runs(before => [{script, ...run}, ...before].slice(0, 20));
  };
  return (
    <Section title="Console">
      <p class="quiet">Scripts run inside the crawl, and are kept in the record of the job.</p>
      <AskForm send={send} button="Run" label="Script">
        <Area label="Script in Lua" name="script" required hint="An expression, or statements. docs/lua.md tells what there is: print(crawl.status().state)" />
      </AskForm>
      <div role="status">
        {runs.map((run, place) => (
          <div key={runs.length - place}>
            <Lines label="Script" text={run.script} />
            {run.error ? <p class="error">{run.error}</p> : run.incomplete ? <p class="error">The script ends in the middle of a statement.</p> : null}
            <Lines label="Output" text={run.output || "(no output)"} />
          </div>
        ))}
      </div>
    </Section>
  );
}
