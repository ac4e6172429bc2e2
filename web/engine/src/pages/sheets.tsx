// Sheets: other settings for a part of the web. Which there are, which hold for a URL, and new ones for a running crawl.

import {useState} from "preact/hooks";

import {useAsked} from "../ask";
import {plural} from "../format";
import {Area, AskForm, Failure, Field, Section, Table, text_of} from "../parts";
import type {Setting, Sheet} from "../types";
import {ApplyChanges} from "./changes";
import type {JobView} from "./job";
import {NotRunning, tab_link} from "./job";

function SheetView(props: {sheet: Sheet}) {
  const {sheet} = props;
  const where = [...sheet.sites, ...sheet.urls.map(url => `URLs with ${url}`)].join(", ");
  return (
    <details>
      <summary>{sheet.name} <span class="quiet">({plural(sheet.settings.length, "setting")})</span></summary>
      <p>Holds for {where || "all of the web"}{sheet.when && `, if ${sheet.when}`}{sheet.times.length > 0 && `, in ${sheet.times.join(", ")}`}.</p>
      <Table caption={`Settings of ${sheet.name}`} hide_caption rows={sheet.settings} key_of={one => one.name} columns={[
        {head: "Setting", row_head: true, cell: one => one.name},
        {head: "Value", cell: one => <span style="white-space: pre-line">{one.value || "empty"}</span>},
      ]} />
    </details>
  );
}

function HoldFor(props: {view: JobView}) {
  const {view} = props;
  const [found, set_found] = useState<{url: string; settings: Setting[]} | null>(null);
  const send = async (fields: FormData) => {
    const url = text_of(fields, "url");
    const {settings} = await view.crawl.get<{settings: Setting[]}>("/settings", {url});
    set_found({url, settings: settings.filter(setting => setting.origins.some(origin => origin.is_sheet))});
  };
  const names = [...new Set(found?.settings.flatMap(setting => setting.origins.filter(origin => origin.is_sheet).map(origin => origin.from)))];
  return (
    <Section title="Which hold for this URL?">
      <AskForm send={send} button="Tell" label="Which sheets hold">
        <Field label="URL or host" name="url" required />
      </AskForm>
      {found && <p role="status">{names.length > 0 ? `For ${found.url}: ${names.join(", ")}` : `No sheet that sets anything holds for ${found.url}.`}</p>}
      {found && found.settings.length > 0 && (
        <Table caption="What they set there" rows={found.settings} key_of={setting => setting.name} columns={[
          {head: "Setting", row_head: true, cell: setting => setting.name},
          {head: "Value that counts", cell: setting => setting.value},
          {head: "From", cell: setting => setting.origins[setting.origins.length - 1]?.from ?? ""},
          {head: "Instead of", cell: setting => setting.origins[setting.origins.length - 2]?.value ?? ""},
        ]} />
      )}
    </Section>
  );
}

function ChangeSheet(props: {view: JobView; done: () => void}) {
  const {view} = props;
  const [sheet, set_sheet] = useState("");
  const [sites, set_sites] = useState("");
  const [body, set_body] = useState("");
  return (
    <Section title="Change a sheet, or make one">
      <div class="fields">
        <Field label="Sheet" value={sheet} onInput={event => set_sheet(event.currentTarget.value.trim())} hint="A name. A new one needs sites." />
        <Field label="Sites of a new sheet" value={sites} onInput={event => set_sites(event.currentTarget.value)} hint="Hosts or sites, with blanks between them." />
        <Area label="Settings" value={body} onInput={event => set_body(event.currentTarget.value)} placeholder="politeness.delay=10s" hint="section.name=value, one a line" />
      </div>
      {body.trim() !== "" && (sheet !== "" || sites.trim() !== "") && <ApplyChanges view={view} path="/settings" query={{sheet, sites: sites.trim()}} body={body.trim()} done={props.done} />}
    </Section>
  );
}

export function SheetsPage(props: {view: JobView}) {
  const {view} = props;
  const running = view.status !== null;
  const {value, error, again} = useAsked(`sheets ${view.job} ${running}`, async () => running ? await view.crawl.get<{sheets: Sheet[]}>("/sheets") : {sheets: []});
  if (!running) return <Section title="Sheets"><NotRunning what="Its sheets stand in its settings." /><p><a href={tab_link(view.job, "settings")}>To the settings</a></p></Section>;
  return (
    <>
      <Section title="Sheets in the order in which they count: the later wins">
        <Failure error={error} />
        {value && value.sheets.length === 0 && <p class="quiet">There is no sheet: the settings of the crawl hold everywhere.</p>}
        {value?.sheets.map(sheet => <SheetView key={sheet.name} sheet={sheet} />)}
      </Section>
      <HoldFor view={view} />
      {view.may_change && <ChangeSheet view={view} done={again} />}
    </>
  );
}
