// Scripts in Lua that run inside the crawl. Those of one visit to this page share their global variables.

import {useState} from "preact/hooks";

import {Area, AskForm, Lines, Section, text_of} from "../parts";
import type {JobView} from "./job";
import {NotRunning} from "./job";

interface Run {
  script: string;
  output: string;
  error?: string;
  incomplete: boolean;
}

const session = `web-${Math.random().toString(36).slice(2, 10)}`;

export function ConsolePage(props: {view: JobView}) {
  const {view} = props;
  const [runs, set_runs] = useState<Run[]>([]);
  if (!view.status) return <Section title="Console"><NotRunning what="Scripts run inside a crawl." /></Section>;
  if (!view.may_change) return <Section title="Console"><p>Scripts are for operators.</p></Section>;
  const send = async (fields: FormData) => {
    const script = text_of(fields, "script");
    const run = await view.crawl.post<Omit<Run, "script">>("/console", {session}, script);
    set_runs(before => [{script, ...run}, ...before].slice(0, 50));
  };
  return (
    <>
      <Section title="Console">
        <AskForm send={send} button="Run" label="Script">
          <Area label="Script in Lua" name="script" required hint="An expression, or statements. docs/lua.md tells what there is: print(crawl.status().state)" />
        </AskForm>
      </Section>
      {runs.length > 0 && (
        <Section title="What came of it">
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
      )}
    </>
  );
}
