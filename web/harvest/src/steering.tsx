// A crawl that runs, changed by hand: URLs of its frontier, looked at and deleted, and scripts of its console.

import {useEffect, useRef, useState} from "preact/hooks";

import {get, post_json} from "../../engine/src/api";
import {useAsked} from "../../engine/src/ask";
import type {ScriptRun} from "../../engine/src/by_hand";
import {Deletion, ScriptForm, ScriptRuns, script_of} from "../../engine/src/by_hand";
import {count, plural} from "../../engine/src/format";
import {Act, AskForm, Field, Section, Table, text_of} from "../../engine/src/parts";
import type {WaitingUrl} from "../../engine/src/types";
import type {Gone, Job, LongQuestion, Question} from "./types";
import {time} from "./words";

interface Waiting {
  urls: WaitingUrl[];
  marker: string;
}

export function WaitingUrls(props: {job: Job; may_change: boolean}) {
  const {job} = props;
  const [which, set_which] = useState({host: "", regex: ""});
  const [list, set_list] = useState<Waiting | null>(null);
  const is_left = useRef(false);
  useEffect(() => () => { is_left.current = true; }, []);
  const long = useAsked(`questions ${job.job}`, () => get<{questions: LongQuestion[]}>(`/api/jobs/${job.job}/questions`), 3000);
  const go_through = async (dry: boolean) => {
    const told = await post_json<Gone | LongQuestion>(`/api/jobs/${job.job}/frontier/delete`, {...which, dry});
    long.again();
    return urls_of("question" in told ? await wait_for(told, () => is_left.current) : told);
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
      <LongQuestions job={job} questions={long.value?.questions ?? []} may_change={props.may_change} again={long.again} />
    </Section>
  );
}

const urls_of = (gone: Gone | undefined) => gone?.deleted ?? gone?.would_delete ?? 0;

// Looks again and again for an answer, as long as somebody looks at the page.
async function wait_for<Answer>(question: Question<Answer>, is_left: () => boolean): Promise<Answer | undefined> {
  let now = question;
  while (now.state === "open" && !is_left()) {
    await new Promise(done => setTimeout(done, 2000));
    now = await get<Question<Answer>>(`/api/jobs/${question.job}/questions/${question.question}`);
  }
  // Nobody is there any more to be told.
  if (now.state === "open") return new Promise(() => {});
  if (now.state === "problem") throw new Error(now.problem);
  return now.answer;
}

function standing_of(one: LongQuestion): string {
  const verb = one.text.dry ? "counted" : "deleted";
  if (one.state === "problem") return one.problem ?? "";
  if (one.state === "open") return `${count(one.done)} ${verb} so far${one.given_up ? ", is to end" : ""}`;
  return `${one.answer?.at_least ? "at least " : ""}${plural(urls_of(one.answer), "URL")} ${verb}`;
}

// Counts and deletions go on, and their answers are kept for a day, whether anybody looks at the page or not.
function LongQuestions(props: {job: Job; questions: LongQuestion[]; may_change: boolean; again: () => void}) {
  if (props.questions.length === 0) return null;
  const path = `/api/jobs/${props.job.job}`;
  const act = (target: string, document: object) => async () => {
    await post_json(path + target, document);
    props.again();
  };
  const what_to_do = (one: LongQuestion) => {
    if (!props.may_change) return "–";
    if (one.state === "open" && !one.given_up) return <Act act={act(`/questions/${one.question}/give-up`, {})}>Give up</Act>;
    if (one.state === "answered" && one.text.dry && urls_of(one.answer) > 0)
      return <Act kind="danger" act={act("/frontier/delete", {host: one.text.host, regex: one.text.regex})}>Delete them</Act>;
    return "–";
  };
  return (
    <Table caption="Counts and deletions" rows={props.questions} key_of={one => String(one.question)} columns={[
      {head: "URLs", row_head: true, cell: one => [one.text.regex && `with ${one.text.regex}`, one.text.host && `of ${one.text.host}`].filter(Boolean).join(" ")},
      {head: "For", cell: one => one.text.dry ? "a count" : "deletion"},
      {head: "By", cell: one => one.text.actor},
      {head: "Since", cell: one => time(one.asked)},
      {head: "Stands", cell: standing_of},
      {head: "Do", cell: what_to_do},
    ]} />
  );
}

type Run = Omit<ScriptRun, "script">;

const session = Math.random().toString(36).slice(2, 10);

export function Console(props: {job: Job}) {
  const [runs, set_runs] = useState<ScriptRun[]>([]);
  const send = async (fields: FormData) => {
    const script = script_of(fields);
    const told = await post_json<Run | Question<Run>>(`/api/jobs/${props.job.job}/console`, {script, session});
    const run = "question" in told ? await wait_for(told, () => false) : told;
    if (run) set_runs(before => [{script, ...run}, ...before].slice(0, 20));
  };
  return (
    <Section title="Console">
      <p class="quiet">Scripts run inside the crawl, and are kept in the record of the job.</p>
      <ScriptForm send={send} />
      <ScriptRuns runs={runs} />
    </Section>
  );
}
