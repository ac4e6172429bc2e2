// Reports: of the running crawl as it is now, and those that a launch has left as files.

import {useState} from "preact/hooks";

import {file_path, get_text, mode} from "../api";
import {useAsked} from "../ask";
import {plural} from "../format";
import {Act, AskForm, Choice, Failure, Lines, Section, Table} from "../parts";
import type {Report} from "../types";
import type {JobView} from "./job";
import {list_folder} from "./listing";
import {launch_options} from "./logs";

function LiveReports(props: {view: JobView}) {
  const {view} = props;
  const names = useAsked(`reports ${view.job}`, () => view.crawl.get<{reports: {name: string; title: string}[]}>("/reports"));
  const [report, set_report] = useState<Report | null>(null);
  const list = names.value?.reports ?? [];
  return (
    <Section title="Of the running crawl, as it is now" aside={view.may_change && <Act act={() => view.crawl.post("/reports")} done="All reports are written into the folder of the launch.">Write all to disk</Act>}>
      <Failure error={names.error} />
      <AskForm send={async fields => set_report(await view.crawl.get<Report>(`/reports/${String(fields.get("name"))}`, {limit: 500}))} button="Make it" label="Report">
        <Choice label="Report" name="name" options={list.map(one => [one.name, `${one.name}: ${one.title}`])} />
      </AskForm>
      {report && (
        <Table caption={`${report.title}: ${plural(report.rows.length, "row")}${report["is-cut"] ? ", the first ones" : ""}`} rows={report.rows.map((row, place) => ({row, place}))} key_of={one => String(one.place)}
               none="The report is empty." columns={report.columns.map((column, place) => ({
                 head: column, row_head: place === 0, number: typeof report.rows[0]?.[column] === "number", cell: (one: {row: Record<string, unknown>}) => String(one.row[column] ?? "–"),
               }))} />
      )}
    </Section>
  );
}

function WrittenReports(props: {view: JobView; first: string}) {
  const {view} = props;
  const [launch, set_launch] = useState(props.first);
  const [shown, set_shown] = useState<{name: string; text: string} | null>(null);
  const {value, error} = useAsked(`written ${view.job} ${launch}`, () => list_folder(view.job, launch, "reports/"));
  const files = (value ?? []).filter(entry => !entry.is_folder);
  const show = async (fields: FormData) => {
    const name = String(fields.get("file"));
    set_shown({name, text: await get_text(file_path(view.job, launch, `reports/${name}`))});
  };
  return (
    <Section title="Of any launch, as written">
      <Failure error={error} />
      <AskForm send={show} button="Show" label="Written report">
        <Choice label="Launch" options={launch_options(view)} value={launch} onChange={event => { set_launch(event.currentTarget.value); set_shown(null); }} />
        <Choice label="Report" name="file" options={files.map(entry => [entry.name, entry.name])} />
      </AskForm>
      {value && files.length === 0 && <p class="quiet">There is no report yet; they are written when the launch ends.</p>}
      {shown && <Lines label={shown.name} text={shown.text} />}
    </Section>
  );
}

export function ReportsPage(props: {view: JobView; query: URLSearchParams}) {
  const {view} = props;
  const has_launch = mode === "engine" && view.launches.length > 0;
  return (
    <>
      {view.status && <LiveReports view={view} />}
      {has_launch && <WrittenReports view={view} first={props.query.get("launch") ?? "latest"} />}
      {!view.status && !has_launch && <Section title="Reports"><p class="quiet">It was not launched yet, so there are no reports.</p></Section>}
    </>
  );
}
