// A crawl that runs, changed by hand: URLs of its frontier, looked at and deleted, and scripts of its console.

import {useState} from "preact/hooks";

import {get, post_json} from "../../engine/src/api";
import type {ScriptRun} from "../../engine/src/by_hand";
import {Deletion, ScriptForm, ScriptRuns, script_of} from "../../engine/src/by_hand";
import {count, plural} from "../../engine/src/format";
import {Act, AskForm, Field, Section, Table, text_of} from "../../engine/src/parts";
import type {WaitingUrl} from "../../engine/src/types";
import type {Job} from "./types";

interface Waiting {
  urls: WaitingUrl[];
  marker: string;
}

export function WaitingUrls(props: {job: Job; may_change: boolean}) {
  const {job} = props;
  const [which, set_which] = useState({host: "", regex: ""});
  const [list, set_list] = useState<Waiting | null>(null);
  const go_through = async (dry: boolean) => {
    const part = await post_json<{deleted?: number; would_delete?: number}>(`/api/jobs/${job.job}/frontier/delete`, {...which, dry});
    return part.deleted ?? part.would_delete ?? 0;
  };
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
            {props.may_change && (which.host !== "" || which.regex !== "") && <Deletion key={`${which.host} ${which.regex}`} go_through={go_through} done={() => void read(which, null)} />}
          </div>
        </>
      )}
    </Section>
  );
}

const session = Math.random().toString(36).slice(2, 10);

export function Console(props: {job: Job}) {
  const [runs, set_runs] = useState<ScriptRun[]>([]);
  const send = async (fields: FormData) => {
    const script = script_of(fields);
    const run = await post_json<Omit<ScriptRun, "script">>(`/api/jobs/${props.job.job}/console`, {script, session});
    set_runs(before => [{script, ...run}, ...before].slice(0, 20));
  };
  return (
    <Section title="Console">
      <p class="quiet">Scripts run inside the crawl, and are kept in the record of the job.</p>
      <ScriptForm send={send} />
      <ScriptRuns runs={runs} />
    </Section>
  );
}
