// What people change in a crawl that runs, by hand: URLs of its frontier are deleted, scripts run inside it.

import {useState} from "preact/hooks";

import {plural} from "./format";
import {tell} from "./notices";
import {Act, Area, AskForm, Lines, text_of} from "./parts";

// Counts first, says how many, and deletes only then. `go_through` gives how many there were; a dry run only counts.
export function Deletion(props: {go_through: (dry: boolean) => Promise<number>; done: () => void}) {
  const [counted, set_counted] = useState<number | null>(null);
  const remove = async () => {
    const deleted = await props.go_through(false);
    set_counted(null);
    tell(`${plural(deleted, "URL")} deleted.`);
    props.done();
  };
  if (counted === null) return <Act act={async () => set_counted(await props.go_through(true))}>Count, to delete them</Act>;
  return (
    <div class="buttons" role="group" aria-label="Delete these URLs">
      <strong>{plural(counted, "URL")} match.</strong>
      {counted > 0 && <Act kind="danger" act={remove}>Delete them</Act>}
      <button type="button" onClick={() => set_counted(null)}>Keep them</button>
    </div>
  );
}

export interface ScriptRun {
  script: string;
  output: string;
  error?: string;
  incomplete: boolean;
}

export function ScriptForm(props: {send: (fields: FormData) => Promise<void>}) {
  return (
    <AskForm send={props.send} button="Run" label="Script">
      <Area label="Script in Lua" name="script" required hint="An expression, or statements. docs/lua.md tells what there is: print(crawl.status().state)" />
    </AskForm>
  );
}

export const script_of = (fields: FormData) => text_of(fields, "script");

// The latest first.
export function ScriptRuns(props: {runs: ScriptRun[]}) {
  const {runs} = props;
  return (
    <div role="status">
      {runs.map((run, place) => (
        <div key={runs.length - place}>
          <Lines label="Script" text={run.script} />
          {run.error ? <p class="error">{run.error}</p> : run.incomplete ? <p class="error">The script ends in the middle of a statement.</p> : null}
          <Lines label="Output" text={run.output || "(no output)"} />
        </div>
      ))}
    </div>
  );
}
