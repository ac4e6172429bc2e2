// Changes of a running crawl's settings: first what would change, then, on a second press, done.

import {useState} from "preact/hooks";

import type {Query} from "../api";
import {Act, Table} from "../parts";
import type {Changes} from "../types";
import type {JobView} from "./job";

export function ChangesTable(props: {changes: Changes}) {
  return (
    <>
      {props.changes.remarks.map(remark => <p key={remark.text} class="remark">{remark.text}</p>)}
      <Table caption={props.changes.applied ? "What has changed" : "What would change"} rows={props.changes.changes} key_of={change => change.name} none="Nothing changes." columns={[
        {head: "Setting", row_head: true, cell: change => change.name},
        {head: "Before", cell: change => change.before || "empty"},
        {head: "After", cell: change => change.after || "empty"},
        {head: "Refused", cell: change => change.refused ?? "no"},
      ]} />
    </>
  );
}

export function ApplyChanges(props: {view: JobView; path: string; query: Query; body: string; done: () => void}) {
  const {view} = props;
  const [dry, set_dry] = useState<{of: string; changes: Changes} | null>(null);
  const of = JSON.stringify([props.path, props.query, props.body]);
  const ask = (dry_run: boolean) => view.crawl.post<Changes>(props.path, {...props.query, dry: dry_run}, props.body);
  const now = dry?.of === of ? dry.changes : null;
  const is_refused = now?.changes.some(change => change.refused) || now?.remarks.some(remark => remark.severity === "warning");
  return (
    <div>
      {now && <div role="status"><ChangesTable changes={now} /></div>}
      <div class="buttons apart">
        <Act act={async () => set_dry({of, changes: await ask(true)})}>See what would change</Act>
        {now && now.changes.length > 0 && <Act kind="main" disabled={is_refused} done="The settings are in force, and kept." act={async () => {
          await ask(false);
          set_dry(null);
          props.done();
        }}>Change the running crawl</Act>}
      </div>
      {is_refused && <p class="error">Some of it is refused, so nothing is changed: all or none.</p>}
    </div>
  );
}
