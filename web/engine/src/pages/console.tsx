// Scripts in Lua that run inside the crawl. Those of one visit to this page share their global variables.

import {useState} from "preact/hooks";

import type {ScriptRun} from "../by_hand";
import {ScriptForm, ScriptRuns, script_of} from "../by_hand";
import {Section} from "../parts";
import type {JobView} from "./job";
import {NotRunning} from "./job";

const session = `web-${Math.random().toString(36).slice(2, 10)}`;

export function ConsolePage(props: {view: JobView}) {
  const {view} = props;
  const [runs, set_runs] = useState<ScriptRun[]>([]);
  if (!view.status) return <Section title="Console"><NotRunning what="Scripts run inside a crawl." /></Section>;
  if (!view.may_change) return <Section title="Console"><p>Scripts are for operators.</p></Section>;
  const send = async (fields: FormData) => {
    const script = script_of(fields);
    const run = await view.crawl.post<Omit<ScriptRun, "script">>("/console", {session}, script);
    set_runs(before => [{script, ...run}, ...before].slice(0, 50));
  };
  return (
    <>
      <Section title="Console">
        <ScriptForm send={send} />
      </Section>
      {runs.length > 0 && (
        <Section title="What came of it">
          <ScriptRuns runs={runs} />
        </Section>
      )}
    </>
  );
}
