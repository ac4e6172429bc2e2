// Whether a URL belongs to the crawl, with what each rule says of it.

import {useState} from "preact/hooks";

import {AskForm, Check, Field, Section, Table, text_of} from "../parts";
import type {ScopeReport} from "../types";
import type {JobView} from "./job";
import {NotRunning} from "./job";

export function ScopePage(props: {view: JobView; query: URLSearchParams}) {
  const {view} = props;
  const [report, set_report] = useState<ScopeReport | null>(null);
  if (!view.status) return <Section title="Does it belong to the crawl?"><NotRunning what="Its scope can be asked while it runs." /></Section>;
  const send = async (fields: FormData) => set_report(await view.crawl.get<ScopeReport>("/scope", {
    url: text_of(fields, "url"), via: text_of(fields, "via"), hops: text_of(fields, "hops").toUpperCase(), seed: fields.get("seed") !== null,
  }));
  return (
    <>
      <Section title="Does it belong to the crawl?">
        <AskForm send={send} button="Explain" label="Scope">
          <Field label="URL" name="url" required defaultValue={props.query.get("url") ?? ""} />
          <Field label="Found on" name="via" hint="The page that links to it; may be empty." />
          <Field label="Hops" name="hops" pattern="[A-Za-z]*" hint="How it was reached from the seed, a letter a hop: L link, E embed, R redirect." />
          <div class="wide"><Check label="It is a seed" name="seed" /></div>
        </AskForm>
      </Section>
      {report && (
        <Section title={report.url}>
          <p role="status" class={report.accepted ? "fine" : "alert"}><strong>{report.accepted ? "It belongs to the crawl." : "It does not belong to the crawl."}</strong> {report.explanation}</p>
          {report.sheets.length > 0 && <p>Sheets that hold for it: {report.sheets.join(", ")}</p>}
          <Table caption="The rules in their order; the last one that says something decides" rows={report.rules} key_of={rule => rule.rule} columns={[
            {head: "Rule", row_head: true, cell: rule => rule.name},
            {head: "Says", cell: rule => rule.verdict === "-" ? "nothing" : rule.verdict},
            {head: "Because", cell: rule => rule.reason || "–"},
          ]} />
        </Section>
      )}
    </>
  );
}
