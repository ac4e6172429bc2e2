// Harvests: selective ones, events and snapshots; what they take, when they run, and what came of it.

import {useState} from "preact/hooks";

import {ask, get, post_json, send_json} from "../../engine/src/api";
import {useAsked} from "../../engine/src/ask";
import {count, plural} from "../../engine/src/format";
import {tell} from "../../engine/src/notices";
import {Act, Area, AskForm, Choice, Confirm, Failure, Field, Figures, Lines, Loading, Section, Table, text_of} from "../../engine/src/parts";
import {link} from "../../engine/src/route";
import {OwnFields, OwnValues} from "./fields";
import {JobTable} from "./jobs";
import {More} from "./more";
import {Changes} from "./overview";
import {Results} from "./results";
import {may_steer, useRights} from "./rights";
import {Runs, StopReasons} from "./runs";
import type {Channel, Harvest, Job, Schedule, Template, Value} from "./types";
import {limit_of, limit_text, objects, size, time} from "./words";

const kKinds: [string, string][] = [
  ["selective", "selective: chosen domains, by a schedule"],
  ["event", "event: lists of seeds, by a schedule"],
  ["snapshot", "snapshot: every domain, once"],
];

function path_of(name: string, rest = ""): string {
  return `/api/harvests/${encodeURIComponent(name)}${rest}`;
}

function usePlans() {
  const schedules = useAsked("schedules", () => get<{schedules: Schedule[]}>("/api/schedules"));
  const channels = useAsked("channels", () => get<{channels: Channel[]}>("/api/channels"));
  return {schedules: schedules.value?.schedules ?? [], channels: channels.value?.channels ?? []};
}

// The name that is chosen stands among them, though the others are not known yet.
function with_chosen(names: string[], chosen: string | undefined): string[] {
  return chosen && !names.includes(chosen) ? [chosen, ...names] : names;
}

// The fields that a harvest of that kind has; `one` is what stands in them at first.
function HarvestFields(props: {kind: string; one?: Harvest; harvests: Harvest[]}) {
  const {kind, one} = props;
  const {schedules, channels} = usePlans();
  const [base, set_base] = useState(one?.based_on ?? "");
  const is_snapshot = kind === "snapshot";
  // One that has run keeps its base.
  const has_run = one !== undefined && one.runs > 0;
  const others = has_run ? [] : props.harvests.filter(other => other.kind === "snapshot" && other.name !== one?.name).map(other => other.name);
  const bases = with_chosen(others, base);
  const ways = with_chosen(channels.filter(channel => channel.is_snapshot === is_snapshot).map(channel => channel.name), one?.channel);
  return (
    <>
      {!is_snapshot && <Choice key={`schedule ${schedules.length}`} label="Schedule" name="schedule" defaultValue={one?.schedule} options={schedules.map((plan): [string, string] => [plan.name, `${plan.name}: ${plan.words}`])} />}
      {is_snapshot && <Choice label="Goes on with" name="based_on" value={base} onChange={event => set_base(event.currentTarget.value)} options={[...(has_run && one.based_on ? [] : [["", "nothing: every domain from the beginning"] as [string, string]]), ...bases.map((name): [string, string] => [name, `what ${name} has left`])]} />}
      <Field label="Most objects of a domain" name="max_objects" inputMode="numeric" pattern="\d*" defaultValue={limit_text(one?.max_objects ?? -1)} hint="Empty: any number." />
      <Field label="Most bytes of a domain" name="max_bytes" inputMode="numeric" pattern="\d*" defaultValue={limit_text(one?.max_bytes ?? -1)} hint="Empty: any size." />
      <Field label="Longest time of a job" name="max_seconds" inputMode="numeric" pattern="\d*" defaultValue={one?.max_seconds ? String(one.max_seconds) : ""} hint="Seconds. Empty: any time." />
      <Choice key={`channel ${ways.length}`} label="Channel" name="channel" defaultValue={one?.channel} options={[["", "the default one"], ...ways.map((name): [string, string] => [name, name])]} />
      <Area label="Crawler traps" name="traps" rows={2} defaultValue={one?.traps} hint="Expressions, one a line, that fit a whole URL." />
      <Field label="Audience" name="audience" defaultValue={one?.audience} />
      <Area label="Comments" name="comments" rows={2} defaultValue={one?.comments} />
    </>
  );
}

function document_of(fields: FormData) {
  return {
    comments: text_of(fields, "comments"), audience: text_of(fields, "audience"), traps: text_of(fields, "traps"),
    channel: text_of(fields, "channel"), schedule: text_of(fields, "schedule"), based_on: text_of(fields, "based_on"),
    max_objects: limit_of(text_of(fields, "max_objects")), max_bytes: limit_of(text_of(fields, "max_bytes")),
    max_seconds: Number(text_of(fields, "max_seconds") || "0"),
  };
}

export function HarvestState(props: {harvest: Harvest}) {
  const {harvest} = props;
  if (harvest.is_active && harvest.waits) return <span class="state warn">waits</span>;
  if (harvest.is_active) return <span class="state good">active</span>;
  if (harvest.problem) return <span class="state bad">deactivated</span>;
  return <span class="state plain">{harvest.runs > 0 ? "over" : "inactive"}</span>;
}

export function HarvestsPage(props: {may_change: boolean}) {
  const {value, error, again} = useAsked("harvests", () => get<{harvests: Harvest[]}>("/api/harvests"), 10_000);
  const [kind, set_kind] = useState("selective");
  const create = async (fields: FormData) => {
    const name = text_of(fields, "name");
    await post_json("/api/harvests", {name, kind, ...document_of(fields)});
    again();
    location.hash = link(["harvests", name]);
  };
  return (
    <>
      <h1 tabIndex={-1}>Harvests</h1>
      <Section title="All harvests">
        {!value ? <Loading what="harvests" error={error} /> : (
          <Table caption="Harvests" hide_caption rows={value.harvests} key_of={one => one.name} none="There is no harvest yet." columns={[
            {head: "Harvest", row_head: true, cell: one => <a href={link(["harvests", one.name])}>{one.name}</a>},
            {head: "Kind", cell: one => one.kind},
            {head: "State", cell: one => <HarvestState harvest={one} />},
            {head: "Domains", number: true, cell: one => one.kind === "snapshot" ? "all" : count(one.configurations)},
            {head: "Schedule", cell: one => one.schedule || "–"},
            {head: "Next run", cell: one => one.is_active ? time(one.next_run) : "–"},
            {head: "Runs", number: true, cell: one => count(one.runs)},
          ]} />
        )}
      </Section>
      {props.may_change && (
        <Section title="New harvest">
          <AskForm send={create} button="Create" label="New harvest">
            <Field label="Name" name="name" required />
            <Choice label="Kind" value={kind} options={kKinds} onChange={event => set_kind(event.currentTarget.value)} />
            <HarvestFields key={kind} kind={kind} harvests={value?.harvests ?? []} />
          </AskForm>
        </Section>
      )}
    </>
  );
}

interface Added {
  added: number;
  created_domains: number;
  problems: string[];
}

function Told(props: {added: Added | null}) {
  const {added} = props;
  if (!added) return null;
  return (
    <>
      <p role="status">{plural(added.added, "configuration")} added; {plural(added.created_domains, "domain")} created.</p>
      {added.problems.map(problem => <Failure key={problem} error={problem} />)}
    </>
  );
}

function Members(props: {harvest: Harvest; may_change: boolean; again: () => void}) {
  const {harvest} = props;
  const [after, set_after] = useState("");
  const [told, set_told] = useState<Added | null>(null);
  const members = useAsked(`members ${harvest.name} ${after} ${harvest.edition} ${harvest.configurations}`, () => get<{configurations: {domain: string; shown: string; configuration: string}[]; next: string | null}>(path_of(harvest.name, "/configurations"), {after, limit: 100}));
  const templates = useAsked("templates", () => get<{templates: Template[]}>("/api/templates"));
  const add = async (fields: FormData, form: HTMLFormElement) => {
    const names = text_of(fields, "names").split("\n").map(line => line.trim()).filter(line => line !== "");
    const configuration = text_of(fields, "configuration");
    set_told(await post_json<Added>(path_of(harvest.name, "/configurations"), {add: names.map(domain => ({domain, configuration}))}));
    form.reset();
    props.again();
  };
  const add_seeds = async (fields: FormData, form: HTMLFormElement) => {
    set_told(await post_json<Added>(path_of(harvest.name, "/seeds"), {
      seeds: text_of(fields, "seeds"), template: text_of(fields, "template"),
      max_objects: limit_of(text_of(fields, "max_objects")), max_bytes: limit_of(text_of(fields, "max_bytes")),
    }));
    form.reset();
    props.again();
  };
  const remove = async (domain: string, configuration: string) => {
    await post_json(path_of(harvest.name, "/configurations"), {remove: [{domain, configuration}]});
    props.again();
  };
  return (
    <Section title="Domains">
      {!members.value ? <Loading what="domains" error={members.error} /> : (
        <>
          <Table caption="Domains" hide_caption rows={members.value.configurations} key_of={one => `${one.domain} ${one.configuration}`} none="It has no domains yet." columns={[
            {head: "Domain", row_head: true, cell: one => <a href={link(["domains", one.domain])}>{one.shown}</a>},
            {head: "Configuration", cell: one => one.configuration},
            {head: "Do", cell: one => props.may_change ? <Act act={() => remove(one.domain, one.configuration)} label={`Remove ${one.domain}`}>Remove</Act> : "–"},
          ]} />
          <p class="buttons">
            {after && <button type="button" onClick={() => set_after("")}>From the beginning</button>}
            {members.value.next && <button type="button" onClick={() => set_after(members.value!.next!)}>More</button>}
          </p>
        </>
      )}
      {props.may_change && harvest.kind === "selective" && (
        <AskForm send={add} button="Add domains" label="Add domains">
          <Area label="Domains" name="names" rows={3} required hint="One a line. Those that are not there are created." />
          <Field label="Configuration" name="configuration" hint="Empty: the default one of each domain." />
        </AskForm>
      )}
      {props.may_change && harvest.kind === "event" && (
        <AskForm send={add_seeds} button="Add seeds" label="Add seeds">
          <Area label="Seeds" name="seeds" rows={4} required hint="One a line. Each domain that they name gets a configuration for this event." />
          <Choice label="Template" name="template" options={(templates.value?.templates ?? []).map((one): [string, string] => [one.name, one.name])} />
          <Field label="Most objects of a domain" name="max_objects" inputMode="numeric" pattern="\d*" />
          <Field label="Most bytes of a domain" name="max_bytes" inputMode="numeric" pattern="\d*" />
        </AskForm>
      )}
      <Told added={told} />
    </Section>
  );
}

// What people who may not change it do not see in a form.
function Facts(props: {harvest: Harvest}) {
  const {harvest} = props;
  return (
    <Section title="The harvest">
      {harvest.comments && <p>{harvest.comments}</p>}
      {harvest.traps ? <><h3>Crawler traps</h3><Lines label="Crawler traps" text={harvest.traps} /></> : <p class="quiet">It has no crawler traps of its own.</p>}
      <OwnValues target="harvest" values={harvest.fields} />
    </Section>
  );
}

function Activation(props: {harvest: Harvest; again: () => void}) {
  const {harvest, again} = props;
  const does = (verb: string) => () => post_json(path_of(harvest.name, `/${verb}`), {}).then(again);
  if (harvest.is_active) {
    return (
      <>
        {harvest.kind !== "snapshot" && <Act act={does("run")} done="It runs once more, at once.">Run now</Act>}
        <Act act={does("deactivate")} done="It does not run any more.">Deactivate</Act>
      </>
    );
  }
  if (harvest.kind === "snapshot" && harvest.runs > 0) return null;
  return <Act act={does("activate")} kind="main" done="It is active.">Activate</Act>;
}

function Withdrawal(props: {name: string; again: () => void}) {
  const [asks, set_asks] = useState(false);
  const send = async () => {
    const done = await post_json<{withdrawn: number}>(path_of(props.name, "/withdraw"), {});
    tell(`${plural(done.withdrawn, "job")} withdrawn.`);
    props.again();
  };
  return (
    <p class="buttons">
      <Act act={async () => set_asks(true)} kind="danger">Withdraw the jobs that wait</Act>
      {asks && <Confirm title="Withdraw all jobs that wait?" text="No harvester takes them. The next step of a snapshot takes their domains; each job can be taken up again." button="Withdraw" act={send} close={() => set_asks(false)} />}
    </p>
  );
}

export function HarvestPage(props: {name: string; may_change: boolean}) {
  const rights = useRights();
  const [own, set_own] = useState<Value[] | null>(null);
  const [run, set_run] = useState("");
  const asked = useAsked(`harvest ${props.name}`, () => get<Harvest>(path_of(props.name)), 5000);
  const all = useAsked("harvests", () => get<{harvests: Harvest[]}>("/api/harvests"));
  const [before, set_before] = useState("");
  const jobs = useAsked(`jobs of ${props.name} ${before}`, () => get<{jobs: Job[]; next: string | null}>("/api/jobs", {harvest: props.name, before: before || 0, limit: 200}), 5000);
  const harvest = asked.value;
  const words = usePlans().schedules.find(plan => plan.name === harvest?.schedule)?.words;
  if (!harvest) return <><h1 tabIndex={-1}>{props.name}</h1><Loading what="the harvest" error={asked.error} /></>;
  const save = async (fields: FormData) => {
    await send_json("PUT", path_of(harvest.name), {kind: harvest.kind, edition: harvest.edition, ...document_of(fields), fields: own ?? harvest.fields});
    set_own(null);
    tell("The harvest was saved.");
    asked.again();
  };
  const remove = async () => {
    await ask("DELETE", path_of(harvest.name));
    location.hash = link(["harvests"]);
  };
  return (
    <>
      <h1 tabIndex={-1}>{harvest.name}</h1>
      {harvest.problem && <Failure error={`It was deactivated: ${harvest.problem}`} />}
      {harvest.is_active && harvest.waits && <p class="remark">It waits for {harvest.waits}.</p>}
      <Figures label="Harvest" figures={[
        ["Kind", harvest.kind],
        ["State", <HarvestState harvest={harvest} />],
        ["Schedule", harvest.schedule ? `${harvest.schedule}: ${words ?? ""}` : "–"],
        ["Next run", harvest.is_active ? time(harvest.next_run) : "–"],
        ["Runs", count(harvest.runs)],
        ["Dates left out", count(harvest.missed)],
        ["Of each domain", `${objects(harvest.max_objects)}, ${size(harvest.max_bytes)}`],
        ["Longest time of a job", harvest.max_seconds ? plural(harvest.max_seconds, "second") : "any time"],
        ["Channel", harvest.channel],
        ["Audience", harvest.audience || "–"],
        ["Made by", harvest.made_by || "–"],
        ["Goes on with", harvest.based_on || "–"],
      ]} />
      {props.may_change && (
        <p class="buttons">
          <Activation harvest={harvest} again={asked.again} />
          {harvest.runs === 0 && !harvest.is_active && <Act act={remove} kind="danger">Remove</Act>}
        </p>
      )}
      <Section title="Jobs">
        {!jobs.value ? <Loading what="jobs" error={jobs.error} /> : (
          <>
            <JobTable jobs={jobs.value.jobs} again={jobs.again} />
            <More start="The latest" is_first={before === ""} next={jobs.value.next} go={set_before} />
            {may_steer(rights, harvest.made_by) && jobs.value.jobs.some(job => job.state === "NEW") && <Withdrawal name={harvest.name} again={jobs.again} />}
          </>
        )}
      </Section>
      <Runs harvest={harvest} />
      {harvest.runs > 1 && <div class="fields"><Choice label="Results of" value={run} options={[["", "all runs"], ...Array.from({length: Math.min(harvest.runs, 500)}, (_, at): [string, string] => [String(harvest.runs - 1 - at), `run ${harvest.runs - 1 - at}`])]} onChange={event => set_run(event.currentTarget.value)} /></div>}
      <StopReasons harvest={harvest.name} run={run} />
      <Results key={run} of={run === "" ? {harvest: harvest.name} : {harvest: harvest.name, run: Number(run)}} />
      {harvest.kind !== "snapshot" && <Members harvest={harvest} may_change={props.may_change} again={asked.again} />}
      {props.may_change && (
        <Section title="Change it">
          <AskForm key={harvest.edition} send={save} button="Save" label="The harvest"><HarvestFields kind={harvest.kind} one={harvest} harvests={all.value?.harvests ?? []} /><OwnFields target="harvest" values={own ?? harvest.fields} change={set_own} /></AskForm>
        </Section>
      )}
      {!props.may_change && <Facts harvest={harvest} />}
      <Section title="Changes"><Changes kind="harvest" name={harvest.name} /></Section>
    </>
  );
}
