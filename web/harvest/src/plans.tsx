// What harvests refer to: schedules, templates, channels and lists of crawler traps.

import {useState} from "preact/hooks";

import {ask, get, post_json} from "../../engine/src/api";
import {useAsked} from "../../engine/src/ask";
import {tell} from "../../engine/src/notices";
import {Act, Area, AskForm, Check, Choice, Field, Lines, Loading, Section, Table, text_of} from "../../engine/src/parts";
import {link} from "../../engine/src/route";
import {FieldsSection} from "./fields";
import {useRights} from "./rights";
import type {Channel, Schedule, Template, TrapList} from "./types";
import {moment_of, moment_text, number_of, number_text as text} from "./words";

const kUnits: [string, string][] = ["minute", "hour", "day", "week", "month"].map((unit): [string, string] => [unit, unit]);
const kWeekdays: [string, string][] = [["", "any"], ...["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"].map((day, at): [string, string] => [String(at + 1), day])];

function Remove(props: {path: string; name: string; again: () => void}) {
  return <Act act={() => ask("DELETE", `${props.path}/${encodeURIComponent(props.name)}`).then(props.again)} label={`Remove ${props.name}`} done={`${props.name} was removed.`}>Remove</Act>;
}

// A new one, or one that is there and is changed.
function ScheduleForm(props: {one: Schedule | null; made: () => void}) {
  const {one} = props;
  const [unit, set_unit] = useState(one?.unit ?? "day");
  const send = async (fields: FormData, form: HTMLFormElement) => {
    await post_json("/api/schedules", {
      name: one?.name ?? text_of(fields, "name"), edition: one?.edition ?? 0, unit, every: Number(text_of(fields, "every") || "1"),
      minute: number_of(text_of(fields, "minute")), hour: number_of(text_of(fields, "hour")),
      weekday: number_of(text_of(fields, "weekday")), day: number_of(text_of(fields, "day")),
      zone: text_of(fields, "zone"), starts: moment_of(text_of(fields, "starts")), ends: moment_of(text_of(fields, "ends")),
      times: number_of(text_of(fields, "times")), comments: text_of(fields, "comments"),
    });
    form.reset();
    set_unit("day");
    props.made();
  };
  const has_hour = unit === "day" || unit === "week" || unit === "month";
  return (
    <Section title={one ? `Change ${one.name}` : "New schedule"}>
      <AskForm send={send} button={one ? "Save" : "Create"} label={one ? "The schedule" : "New schedule"} done={one ? "The schedule was saved." : "The schedule was created."}>
        {!one && <Field label="Name" name="name" required />}
        <Field label="Every" name="every" type="number" min={1} defaultValue={String(one?.every ?? 1)} />
        <Choice label="Unit" value={unit} options={kUnits} onChange={event => set_unit(event.currentTarget.value)} />
        {unit === "week" && <Choice label="On" name="weekday" options={kWeekdays} defaultValue={text(one?.weekday)} />}
        {unit === "month" && <Field label="On day" name="day" type="number" min={1} max={31} defaultValue={text(one?.day)} hint="Shorter months: their last day. Empty: any." />}
        {has_hour && <Field label="At hour" name="hour" type="number" min={0} max={23} defaultValue={text(one?.hour)} hint="Empty: at any time." />}
        {unit !== "minute" && <Field label="At minute" name="minute" type="number" min={0} max={59} defaultValue={text(one?.minute)} hint="Empty: at any time." />}
        <Field label="Time zone" name="zone" defaultValue={one?.zone ?? "UTC"} hint="As Europe/Copenhagen." />
        <Field label="Not before (UTC)" name="starts" type="datetime-local" defaultValue={moment_text(one?.starts)} />
        <Field label="Not after (UTC)" name="ends" type="datetime-local" defaultValue={moment_text(one?.ends)} />
        <Field label="So many times" name="times" type="number" min={1} defaultValue={text(one?.times)} hint="Empty: again and again." />
        <Field label="Comments" name="comments" defaultValue={one?.comments} />
      </AskForm>
    </Section>
  );
}

export function SchedulesPage(props: {may_change: boolean}) {
  const [edited, set_edited] = useState<Schedule | null>(null);
  const {value, error, again} = useAsked("schedules", () => get<{schedules: Schedule[]}>("/api/schedules"));
  return (
    <>
      <h1 tabIndex={-1}>Schedules</h1>
      <Section title="All schedules">
        {!value ? <Loading what="schedules" error={error} /> : (
          <Table caption="Schedules" hide_caption rows={value.schedules} key_of={one => one.name} columns={[
            {head: "Schedule", row_head: true, cell: one => one.name},
            {head: "When", cell: one => one.words},
            {head: "Comments", cell: one => one.comments},
            {head: "Do", cell: one => props.may_change ? <span class="buttons"><button type="button" aria-label={`Change ${one.name}`} onClick={() => set_edited(one)}>Change</button><Remove path="/api/schedules" name={one.name} again={again} /></span> : "–"},
          ]} />
        )}
      </Section>
      {props.may_change && <ScheduleForm key={edited ? `${edited.name} ${edited.edition}` : ""} one={edited} made={() => { set_edited(null); again(); }} />}
      {edited && <p class="buttons"><button type="button" onClick={() => set_edited(null)}>Make a new one instead</button></p>}
    </>
  );
}

async function text_of_file(fields: FormData): Promise<string> {
  const file = fields.get("file");
  return file instanceof File && file.size > 0 ? file.text() : "";
}

async function source_of(fields: FormData): Promise<string> {
  const file = fields.get("file");
  return file instanceof File && file.size > 0 ? file.text() : String(fields.get("source") ?? "");
}

export function TemplatesPage(props: {may_change: boolean}) {
  const {value, error, again} = useAsked("templates", () => get<{templates: Template[]}>("/api/templates"));
  const send = async (fields: FormData, form: HTMLFormElement) => {
    await post_json("/api/templates", {name: text_of(fields, "name"), source: await source_of(fields), comments: text_of(fields, "comments")});
    form.reset();
    again();
  };
  return (
    <>
      <h1 tabIndex={-1}>Templates</h1>
      <Section title="All templates">
        {!value ? <Loading what="templates" error={error} /> : (
          <Table caption="Templates" hide_caption rows={value.templates} key_of={one => one.name} columns={[
            {head: "Template", row_head: true, cell: one => props.may_change ? <a href={link(["templates", one.name])}>{one.name}</a> : one.name},
            {head: "Kind", cell: one => one.kind === "cxml" ? "of Heritrix" : "settings"},
            {head: "State", cell: one => one.is_active ? "in use" : "switched off"},
            {head: "Comments", cell: one => one.comments},
          ]} />
        )}
      </Section>
      {props.may_change && (
        <Section title="New template">
          <AskForm send={send} button="Create" label="New template" done="The template was created.">
            <Field label="Name" name="name" required />
            <Area label="Settings" name="source" rows={8} placeholder={"extends: domain\nscope:\n  max-hops: 20\n"} hint="Settings of a crawl as YAML; or a file, which may be crawler-beans.cxml of Heritrix." />
            <Field label="Or a file" name="file" type="file" accept=".yaml,.yml,.cxml,.xml" />
            <Field label="Comments" name="comments" />
          </AskForm>
        </Section>
      )}
    </>
  );
}

export function TemplatePage(props: {name: string; may_change: boolean}) {
  const {value: one, error, again} = useAsked(`template ${props.name}`, () => get<Template>(`/api/templates/${encodeURIComponent(props.name)}`));
  if (!one) return <><h1 tabIndex={-1}>{props.name}</h1><Loading what="the template" error={error} /></>;
  const send = async (fields: FormData) => {
    await post_json("/api/templates", {name: one.name, edition: one.edition, source: String(fields.get("source") ?? ""), comments: text_of(fields, "comments"), is_active: fields.get("is_active") === "on"});
    tell("The template was saved.");
    again();
  };
  return (
    <>
      <h1 tabIndex={-1}>{one.name}</h1>
      {one.remarks.map(remark => <p key={remark} class="alert">{remark}</p>)}
      <Section title="The template">
        <AskForm key={one.edition} send={send} button="Save" label="Template">
          <Area label={one.kind === "cxml" ? "Configuration of Heritrix" : "Settings"} name="source" rows={18} defaultValue={one.source} />
          <Field label="Comments" name="comments" defaultValue={one.comments} />
          <Check label="It may be used" name="is_active" defaultChecked={one.is_active} />
        </AskForm>
      </Section>
      {one.kind === "cxml" && <Section title="As settings"><Lines label="Settings" text={one.settings ?? ""} /></Section>}
    </>
  );
}

export function RulesPage(props: {may_change: boolean}) {
  const {may_steer} = useRights();
  const [edited, set_edited] = useState<TrapList | null>(null);
  const traps = useAsked("traps", () => get<{traps: TrapList[]}>("/api/traps"));
  const channels = useAsked("channels", () => get<{channels: Channel[]}>("/api/channels"));
  const save_traps = async (fields: FormData, form: HTMLFormElement) => {
    const name = text_of(fields, "name");
    const edition = traps.value?.traps.find(one => one.name === name)?.edition ?? 0;
    await post_json("/api/traps", {name, edition, traps: [text_of(fields, "traps"), (await text_of_file(fields)).trim()].filter(text => text !== "").join("\n"), description: text_of(fields, "description"), is_active: fields.get("is_active") === "on"});
    form.reset();
    set_edited(null);
    traps.again();
  };
  const [channel, set_channel] = useState<Channel | null>(null);
  const save_channel = async (fields: FormData, form: HTMLFormElement) => {
    const is_snapshot = channel ? channel.is_snapshot : text_of(fields, "kind") === "snapshot";
    const is_default = channel?.is_default || fields.get("is_default") === "on";
    await post_json("/api/channels", {name: channel?.name ?? text_of(fields, "name"), edition: channel?.edition ?? 0, is_snapshot, is_default, comments: text_of(fields, "comments")});
    form.reset();
    set_channel(null);
    channels.again();
  };
  return (
    <>
      <h1 tabIndex={-1}>Traps and channels</h1>
      <Section title="Crawler traps for all harvests">
        {!traps.value ? <Loading what="traps" error={traps.error} /> : (
          <Table caption="Lists of traps" hide_caption rows={traps.value.traps} key_of={one => one.name} none="There is no list of traps." columns={[
            {head: "List", row_head: true, cell: one => one.name},
            {head: "State", cell: one => one.is_active ? "in use" : "switched off"},
            {head: "Description", cell: one => one.description},
            {head: "Expressions", cell: one => <Lines label={`Traps of ${one.name}`} text={one.traps} />},
            {head: "Do", cell: one => props.may_change ? <span class="buttons"><button type="button" aria-label={`Change ${one.name}`} onClick={() => set_edited(one)}>Change</button><Remove path="/api/traps" name={one.name} again={traps.again} /></span> : "–"},
          ]} />
        )}
        {props.may_change && (
          <AskForm key={edited ? `${edited.name} ${edited.edition}` : ""} send={save_traps} button="Save" label="List of traps" done="The list was saved.">
            <Field label="Name" name="name" required defaultValue={edited?.name} hint="That of a list that is there replaces it." />
            <Field label="Description" name="description" defaultValue={edited?.description} />
            <Area label="Expressions" name="traps" rows={4} defaultValue={edited?.traps} hint="One a line; each fits a whole URL: .*calendar.*" />
            <Field label="Or a file with them" name="file" type="file" accept=".txt,text/plain" />
            <Check label="It is in use" name="is_active" defaultChecked={edited?.is_active ?? true} />
          </AskForm>
        )}
      </Section>
      <p class="quiet">A domain has traps of its own, and so has a harvest: on their pages.</p>
      <FieldsSection may_change={may_steer} />
      <Section title="Channels">
        {!channels.value ? <Loading what="channels" error={channels.error} /> : (
          <Table caption="Channels" hide_caption rows={channels.value.channels} key_of={one => one.name} columns={[
            {head: "Channel", row_head: true, cell: one => one.name},
            {head: "For", cell: one => one.is_snapshot ? "snapshots" : "selective harvests and events"},
            {head: "Default", cell: one => one.is_default ? "yes" : "no"},
            {head: "Comments", cell: one => one.comments},
            {head: "Do", cell: one => may_steer ? <span class="buttons"><button type="button" aria-label={`Change ${one.name}`} onClick={() => set_channel(one)}>Change</button>{!one.is_default && <Remove path="/api/channels" name={one.name} again={channels.again} />}</span> : "–"},
          ]} />
        )}
        {may_steer && (
          <AskForm key={channel ? `${channel.name} ${channel.edition}` : ""} send={save_channel} button={channel ? `Save ${channel.name}` : "Create"} label={channel ? "The channel" : "New channel"} done="The channel was saved.">
            {!channel && <Field label="Name" name="name" required />}
            {!channel && <Choice label="For" name="kind" options={[["focused", "selective harvests and events"], ["snapshot", "snapshots"]]} />}
            <Field label="Comments" name="comments" defaultValue={channel?.comments} />
            {channel?.is_default
              ? <p class="quiet">It is the default. To change that, make another channel the default.</p>
              : <Check label="The default, which harvests have that name none" name="is_default" />}
          </AskForm>
        )}
        {channel && <p class="buttons"><button type="button" onClick={() => set_channel(null)}>Make a new one instead</button></p>}
      </Section>
    </>
  );
}
