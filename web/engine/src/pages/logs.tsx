// Logs of any launch: searched by an expression, from either end, part by part.

import {useState} from "preact/hooks";

import {get, job_path} from "../api";
import {useAsked} from "../ask";
import {moment, plural} from "../format";
import {Act, AskForm, Check, Choice, Failure, Field, Lines, Section, text_of} from "../parts";
import type {JobView} from "./job";
import {list_folder} from "./listing";

const kPart = 200;

interface Part {
  lines: string[];
  next: number | null;
}

export function launch_options(view: JobView): [string, string][] {
  return [["latest", "The latest"], ...[...view.launches].sort((a, b) => b.name.localeCompare(a.name)).map(
    (one): [string, string] => [one.name, moment(one.name)])];
}

export function LogsPage(props: {view: JobView; query: URLSearchParams}) {
  const {view} = props;
  const [launch, set_launch] = useState(props.query.get("launch") ?? "latest");
  const [log, set_log] = useState(props.query.get("log") ?? "crawl.log");
  const [asked, set_asked] = useState<Record<string, string | boolean>>({regex: "", reverse: true});
  const [found, set_found] = useState<Part | null>(null);
  const logs = useAsked(`logs ${view.job} ${launch}`, () => list_folder(view.job, launch, "logs/"));
  if (view.launches.length === 0) return <Section title="Logs"><p class="quiet">It was not launched yet, so there are no logs.</p></Section>;
  const read = async (query: Record<string, string | boolean>, before: Part | null) => {
    const path = job_path(view.job, `/launches/${encodeURIComponent(launch)}/logs/${encodeURIComponent(log)}`);
    const part = await get<Part>(path, {...query, limit: kPart, from: before?.next ?? undefined});
    set_found({lines: [...(before?.lines ?? []), ...part.lines], next: part.next});
  };
  const send = async (fields: FormData) => {
    const query = {regex: text_of(fields, "regex"), reverse: fields.get("reverse") !== null};
    set_asked(query);
    await read(query, null);
  };
  const names = (logs.value ?? []).filter(entry => !entry.is_folder).map((entry): [string, string] => [entry.name, entry.name]);
  return (
    <Section title="Logs">
      <Failure error={logs.error} />
      <AskForm send={send} button="Show" label="Logs">
        <Choice label="Launch" options={launch_options(view)} value={launch} onChange={event => { set_launch(event.currentTarget.value); set_found(null); }} />
        <Choice label="Log" options={names.length > 0 ? names : [[log, log]]} value={log} onChange={event => { set_log(event.currentTarget.value); set_found(null); }} />
        <Field label="Expression" name="regex" hint="Only lines in which this RE2 expression is found. Empty: all lines." />
        <div class="wide"><Check label="The newest lines first" name="reverse" defaultChecked /></div>
      </AskForm>
      {found && (
        <>
          <p role="status">{plural(found.lines.length, "line")}{found.next !== null ? " so far" : ""}</p>
          {found.lines.length > 0 && <Lines label={log} text={found.lines.join("\n")} />}
          {found.next !== null && <Act act={() => read(asked, found)}>More lines</Act>}
        </>
      )}
    </Section>
  );
}
