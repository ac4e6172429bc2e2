// Domains: found, created one by one or many at once, and edited as a whole.

import {useEffect, useState} from "preact/hooks";

import {get, post, post_json, send_json} from "../../engine/src/api";
import {useAsked} from "../../engine/src/ask";
import {count, plural} from "../../engine/src/format";
import {tell} from "../../engine/src/notices";
import {Act, Area, AskForm, Choice, Field, Lines, Loading, Section, Table, text_of} from "../../engine/src/parts";
import {link} from "../../engine/src/route";
import {OwnFields, OwnValues} from "./fields";
import {Changes} from "./overview";
import {Results} from "./results";
import type {Alias, Configuration, Credential, Domain, DomainLine, SeedList, Template} from "./types";
import {limit_of, limit_text, objects, size, time} from "./words";

interface Uploaded {
  created: number;
  existing: number;
  wrong: number;
  errors: {line: number; text: string; error: string}[];
}

function NewDomains(props: {made: () => void}) {
  const [told, set_told] = useState<Uploaded | null>(null);
  const send = async (fields: FormData, form: HTMLFormElement) => {
    const file = fields.get("file");
    const text = file instanceof File && file.size > 0 ? await file.text() : text_of(fields, "names");
    const uploaded = await post<Uploaded>("/api/domains", {}, text);
    set_told(uploaded);
    form.reset();
    props.made();
  };
  return (
    <Section title="New domains">
      <AskForm send={send} button="Create" label="New domains">
        <Area label="Names" name="names" rows={4} hint="One a line, as example.org. Each gets one configuration, and http://www.example.org as its only seed. Or CSV, with the columns domain, seeds, max_bytes, max_objects, template, comments in its first line." />
        <Field label="Or a file with them" name="file" type="file" accept=".txt,.csv,text/plain,text/csv" />
      </AskForm>
      {told && (
        <>
          <p role="status">{plural(told.created, "domain")} created; {count(told.existing)} were there; {plural(told.wrong, "line")} wrong.</p>
          {told.errors.length > 0 && (
            <Table caption="Lines that are wrong" rows={told.errors} key_of={row => String(row.line)} columns={[
              {head: "Line", row_head: true, cell: row => row.line},
              {head: "Text", cell: row => row.text},
              {head: "Why", cell: row => row.error},
            ]} />
          )}
        </>
      )}
    </Section>
  );
}

function Statistics() {
  const {value, error} = useAsked("statistics", () => get<{suffixes: {suffix: string; domains: number}[]}>("/api/statistics"));
  return (
    <Section title="How many there are">
      {!value ? <Loading what="numbers" error={error} /> : (
        <Table caption="Domains by their ends" hide_caption rows={value.suffixes} key_of={one => one.suffix} none="There is no domain yet." columns={[
          {head: "End", row_head: true, cell: one => one.suffix},
          {head: "Domains", number: true, cell: one => count(one.domains)},
        ]} />
      )}
    </Section>
  );
}

export function DomainsPage(props: {may_change: boolean}) {
  const [part, set_part] = useState("");
  const [after, set_after] = useState("");
  const {value, error, again} = useAsked(`domains ${part} ${after}`, () => get<{domains: DomainLine[]; next: string | null}>("/api/domains", {part, after, limit: 100}));
  return (
    <>
      <h1 tabIndex={-1}>Domains</h1>
      <Section title="Find domains">
        <Field label="Part of the name" type="search" value={part} hint="With * at the end: what names begin with." onInput={event => { set_part(event.currentTarget.value); set_after(""); }} />
        {!value ? <Loading what="domains" error={error} /> : (
          <>
            <Table caption="Domains" hide_caption rows={value.domains} key_of={one => one.name} none="No domain has such a name." columns={[
              {head: "Domain", row_head: true, cell: one => <a href={link(["domains", one.name])}>{one.shown}</a>},
              {head: "Alias of", cell: one => one.alias_of ? <a href={link(["domains", one.alias_of])}>{one.alias_of_shown}</a> : "–"},
              {head: "Configurations", number: true, cell: one => count(one.configurations)},
              {head: "Created", cell: one => time(one.created)},
            ]} />
            <p class="buttons">
              {after && <button type="button" onClick={() => set_after("")}>From the beginning</button>}
              {value.next && <button type="button" onClick={() => set_after(value.next!)}>More</button>}
            </p>
          </>
        )}
      </Section>
      {props.may_change && <NewDomains made={again} />}
      <Statistics />
      <Section title="Aliases"><p><a href={link(["aliases"])}>Domains with the pages of others</a></p></Section>
    </>
  );
}

function replaced<T>(items: T[], at: number, change: Partial<T>): T[] {
  return items.map((item, place) => place === at ? {...item, ...change} : item);
}

// With the names that parts have now, so that they can be renamed.
function with_names(domain: Domain): Domain {
  const named = <T extends {name: string}>(items: T[]) => items.map(item => ({...item, was: item.name}));
  return {...domain, seed_lists: named(domain.seed_lists), credentials: named(domain.credentials), configurations: named(domain.configurations)};
}

// Takes a name when it is typed to its end, and refuses that of another part: configurations name parts by it.
function take_name(field: HTMLInputElement, taken: string[], take: (name: string) => void) {
  const is_taken = taken.includes(field.value);
  field.setCustomValidity(is_taken ? "Another part has this name." : "");
  if (is_taken) field.reportValidity();
  else take(field.value);
}

function others_than<T extends {name: string}>(items: T[], at: number): string[] {
  return items.filter((_, place) => place !== at).map(one => one.name);
}

// Names of items that were renamed, or removed, as they are now.
function followed(names: string[], before: {name: string}[], after: {name: string}[]): string[] {
  if (before.length !== after.length) return names.filter(name => after.some(one => one.name === name));
  return names.map(name => after[before.findIndex(one => one.name === name)]?.name ?? name);
}

function SeedLists(props: {lists: SeedList[]; change: (lists: SeedList[]) => void}) {
  return (
    <>
      {props.lists.map((list, at) => (
        <fieldset key={at}>
          <legend>List of seeds {list.name}</legend>
          <Field label="Name" value={list.name} onChange={event => take_name(event.currentTarget, others_than(props.lists, at), name => props.change(replaced(props.lists, at, {name})))} />
          <Area label="Seeds" rows={4} value={list.seeds} hint="One a line; lines with # are remarks." onInput={event => props.change(replaced(props.lists, at, {seeds: event.currentTarget.value}))} />
          {props.lists.length > 1 && <button type="button" onClick={() => props.change(props.lists.filter((_, place) => place !== at))}>Remove {list.name}</button>}
        </fieldset>
      ))}
      <p><button type="button" onClick={() => props.change([...props.lists, {name: `seeds ${props.lists.length + 1}`, seeds: "", comments: ""}])}>Add a list of seeds</button></p>
    </>
  );
}

function Credentials(props: {all: Credential[]; change: (all: Credential[]) => void}) {
  const set = (at: number, part: Partial<Credential>) => props.change(replaced(props.all, at, part));
  return (
    <>
      {props.all.map((one, at) => (
        <fieldset key={at}>
          <legend>Credentials {one.name}</legend>
          <div class="fields">
            <Field label="Name of the credentials" value={one.name} onChange={event => take_name(event.currentTarget, others_than(props.all, at), name => set(at, {name}))} />
            <Field label="Realm" value={one.realm} hint="Of HTTP, as the server asks for it. Empty: a page with a form." onInput={event => set(at, {realm: event.currentTarget.value})} />
            <Field label="Page with the form" value={one.url} type="url" onInput={event => set(at, {url: event.currentTarget.value})} />
            <Field label="User name" value={one.username} onInput={event => set(at, {username: event.currentTarget.value})} />
            <Field label="Password" type="password" autocomplete="new-password" value={one.password ?? ""} hint={one.has_password ? "Empty: it stays as it is." : undefined} onInput={event => set(at, {password: event.currentTarget.value})} />
            <Field label="Remark" value={one.comments} onInput={event => set(at, {comments: event.currentTarget.value})} />
          </div>
          <p><button type="button" onClick={() => props.change(props.all.filter((_, place) => place !== at))}>Remove {one.name}</button></p>
        </fieldset>
      ))}
      <p><button type="button" onClick={() => props.change([...props.all, {name: `login ${props.all.length + 1}`, url: "", realm: "", username: "", password: "", comments: ""}])}>Add credentials</button></p>
    </>
  );
}

function ConfigurationFields(props: {one: Configuration; lists: SeedList[]; credentials: Credential[]; templates: string[]; taken: string[]; change: (change: Partial<Configuration>) => void}) {
  const {one, change} = props;
  const [objects, set_objects] = useState(limit_text(one.max_objects));
  const [bytes, set_bytes] = useState(limit_text(one.max_bytes));
  const take = (name: "max_objects" | "max_bytes", text: string) => {
    if (/^\d*$/.test(text)) change({[name]: limit_of(text)});
  };
  const toggle = (name: string, is_on: boolean) =>
    change({seed_lists: is_on ? [...one.seed_lists, name] : one.seed_lists.filter(other => other !== name)});
  return (
    <>
      <Field label="Name" value={one.name} onChange={event => take_name(event.currentTarget, props.taken, name => change({name}))} />
      <Choice label="Template" value={one.template} options={props.templates.map((name): [string, string] => [name, name])} onChange={event => change({template: event.currentTarget.value})} />
      <Field label="Most objects" inputMode="numeric" pattern="\d*" value={objects} hint="Empty: any number." onInput={event => { set_objects(event.currentTarget.value); take("max_objects", event.currentTarget.value); }} />
      <Field label="Most bytes" inputMode="numeric" pattern="\d*" value={bytes} hint="Empty: any size." onInput={event => { set_bytes(event.currentTarget.value); take("max_bytes", event.currentTarget.value); }} />
      <fieldset>
        <legend>Lists of seeds</legend>
        {props.lists.map(list => <label key={list.name} class="check"><input type="checkbox" checked={one.seed_lists.includes(list.name)} onChange={event => toggle(list.name, event.currentTarget.checked)} /> {list.name}</label>)}
      </fieldset>
      {props.credentials.length > 0 && (
        <fieldset>
          <legend>Credentials</legend>
          {props.credentials.map(login => <label key={login.name} class="check"><input type="checkbox" checked={one.credentials.includes(login.name)} onChange={event => change({credentials: event.currentTarget.checked ? [...one.credentials, login.name] : one.credentials.filter(other => other !== login.name)})} /> {login.name}</label>)}
        </fieldset>
      )}
      <Area label="Settings of its own" rows={3} value={one.overrides} hint="YAML, laid over the template: scope: {max-hops: 3}" onInput={event => change({overrides: event.currentTarget.value})} />
    </>
  );
}

function Editor(props: {domain: Domain; saved: () => void}) {
  const [domain, set] = useState(() => with_names(props.domain));
  useEffect(() => set(with_names(props.domain)), [props.domain.edition]);
  const templates = useAsked("templates", () => get<{templates: Template[]}>("/api/templates"));
  const names = templates.value?.templates.map(one => one.name) ?? domain.configurations.map(one => one.template);
  const change = (part: Partial<Domain>) => set(before => ({...before, ...part}));
  const change_lists = (seed_lists: SeedList[]) =>
    change({seed_lists, configurations: domain.configurations.map(one => ({...one, seed_lists: followed(one.seed_lists, domain.seed_lists, seed_lists)}))});
  const change_credentials = (credentials: Credential[]) =>
    change({credentials, configurations: domain.configurations.map(one => ({...one, credentials: followed(one.credentials, domain.credentials, credentials)}))});
  const change_configuration = (at: number, part: Partial<Configuration>) => {
    const configurations = replaced(domain.configurations, at, part);
    change({configurations, default_configuration: followed([domain.default_configuration], domain.configurations, configurations)[0]!});
  };
  const save = async () => {
    await send_json("PUT", `/api/domains/${encodeURIComponent(domain.name)}`, domain);
    tell("The domain was saved.");
    props.saved();
  };
  const add = () => change({configurations: [...domain.configurations, {name: `configuration ${domain.configurations.length + 1}`, template: names[0] ?? "default", max_objects: -1, max_bytes: -1, overrides: "", comments: "", seed_lists: domain.seed_lists.slice(0, 1).map(list => list.name), credentials: []}]});
  return (
    <form class="fields" aria-label="The domain" onSubmit={event => event.preventDefault()}>
      <Area label="Comments" rows={2} value={domain.comments} onInput={event => change({comments: event.currentTarget.value})} />
      <SeedLists lists={domain.seed_lists} change={change_lists} />
      <Credentials all={domain.credentials} change={change_credentials} />
      {domain.configurations.map((one, at) => (
        <fieldset key={at}>
          <legend>Configuration {one.name}</legend>
          <ConfigurationFields one={one} lists={domain.seed_lists} credentials={domain.credentials} templates={names} taken={others_than(domain.configurations, at)} change={part => change_configuration(at, part)} />
        </fieldset>
      ))}
      <p><button type="button" onClick={add}>Add a configuration</button></p>
      <Choice label="Configuration for snapshots" value={domain.default_configuration} options={domain.configurations.map((one): [string, string] => [one.name, one.name])} onChange={event => change({default_configuration: event.currentTarget.value})} />
      <Area label="Crawler traps" rows={3} value={domain.traps} hint="Expressions, one a line, that fit a whole URL: .*calendar.*" onInput={event => change({traps: event.currentTarget.value})} />
      <Field label="Alias of" value={domain.alias_of} hint="A domain with the same pages. Snapshots leave aliases out for a year after they were confirmed." onInput={event => change({alias_of: event.currentTarget.value, alias_confirmed: null})} />
      <OwnFields target="domain" values={domain.fields} change={fields => change({fields})} />
      <div class="buttons"><Act act={save} kind="main">Save</Act></div>
    </form>
  );
}

// The domain for people who may not change it: all that the editor has, but secrets.
function Facts(props: {domain: Domain}) {
  const {domain} = props;
  const names = (list: string[]) => list.length > 0 ? list.join(", ") : "–";
  return (
    <>
      {domain.comments && <p>{domain.comments}</p>}
      <Table caption="Configurations" rows={domain.configurations} key_of={one => one.name} columns={[
        {head: "Configuration", row_head: true, cell: one => <>{one.name}{one.name === domain.default_configuration && <span class="quiet"> for snapshots</span>}</>},
        {head: "Template", cell: one => one.template},
        {head: "Most objects", number: true, cell: one => objects(one.max_objects)},
        {head: "Most bytes", number: true, cell: one => size(one.max_bytes)},
        {head: "Lists of seeds", cell: one => names(one.seed_lists)},
        {head: "Credentials", cell: one => names(one.credentials)},
        {head: "Settings of its own", cell: one => one.overrides ? <Lines label={`Settings of ${one.name}`} text={one.overrides} /> : "–"},
        {head: "Comments", cell: one => one.comments || "–"},
      ]} />
      <Table caption="Lists of seeds" rows={domain.seed_lists} key_of={one => one.name} none="There is no list of seeds." columns={[
        {head: "List", row_head: true, cell: one => one.name},
        {head: "Seeds", cell: one => <Lines label={`Seeds of ${one.name}`} text={one.seeds} />},
        {head: "Comments", cell: one => one.comments || "–"},
      ]} />
      {domain.credentials.length > 0 && (
        <Table caption="Credentials" rows={domain.credentials} key_of={one => one.name} columns={[
          {head: "Credentials", row_head: true, cell: one => one.name},
          {head: "For", cell: one => one.realm ? `the realm ${one.realm}` : one.url},
          {head: "User name", cell: one => one.username},
          {head: "Remark", cell: one => one.comments || "–"},
        ]} />
      )}
      {domain.traps ? <><h3>Crawler traps</h3><Lines label="Crawler traps" text={domain.traps} /></> : <p class="quiet">It has no crawler traps of its own.</p>}
      <OwnValues target="domain" values={domain.fields} />
    </>
  );
}

// An alias counts for a year after somebody has looked.
export function AliasesPage(props: {may_change: boolean}) {
  const {value, error, again} = useAsked("aliases", () => get<{aliases: Alias[]}>("/api/aliases"));
  const confirm = async (name: string) => {
    const domain = await get<Domain>(`/api/domains/${encodeURIComponent(name)}`);
    await send_json("PUT", `/api/domains/${encodeURIComponent(name)}`, {...domain, alias_confirmed: null});
    again();
  };
  const now = Date.now() / 1000;
  return (
    <>
      <h1 tabIndex={-1}>Aliases</h1>
      <Section title="Domains with the pages of others">
        {!value ? <Loading what="aliases" error={error} /> : (
          <Table caption="Aliases" hide_caption rows={value.aliases} key_of={one => one.alias} none="No domain is an alias." columns={[
            {head: "Alias", row_head: true, cell: one => <a href={link(["domains", one.alias])}>{one.shown_alias}</a>},
            {head: "Of", cell: one => <a href={link(["domains", one.domain])}>{one.shown}</a>},
            {head: "Confirmed", cell: one => time(one.confirmed)},
            {head: "State", cell: one => one.expires > now ? <span class="state good">left out</span> : <span class="state warn">expired</span>},
            {head: "Until", cell: one => time(one.expires)},
            {head: "Do", cell: one => props.may_change ? <Act act={() => confirm(one.alias)} label={`Confirm ${one.alias}`} done={`${one.alias} is confirmed.`}>Confirm</Act> : "–"},
          ]} />
        )}
      </Section>
    </>
  );
}

function Owners(props: {domain: Domain; may_change: boolean; again: () => void}) {
  const {domain} = props;
  const send = async (fields: FormData, form: HTMLFormElement) => {
    await post_json(`/api/domains/${encodeURIComponent(domain.name)}/owners`, {text: text_of(fields, "text")});
    form.reset();
    props.again();
  };
  return (
    <Section title="Owners">
      <Table caption="Owners" hide_caption rows={domain.owners} key_of={one => `${one.time} ${one.text}`} none="Nothing is noted." columns={[
        {head: "When", cell: one => time(one.time)},
        {head: "Who", cell: one => one.who},
        {head: "Note", row_head: true, cell: one => one.text},
      ]} />
      {props.may_change && <AskForm send={send} button="Note" label="Owner"><Field label="Note" name="text" required /></AskForm>}
    </Section>
  );
}

export function DomainPage(props: {name: string; may_change: boolean}) {
  const {value: domain, error, again} = useAsked(`domain ${props.name}`, () => get<Domain>(`/api/domains/${encodeURIComponent(props.name)}`));
  if (!domain) return <><h1 tabIndex={-1}>{props.name}</h1><Loading what="the domain" error={error} /></>;
  return (
    <>
      <h1 tabIndex={-1}>{domain.shown}</h1>
      <p class="quiet">{domain.name}, created {time(domain.created)}{domain.alias_of && <>, an alias of <a href={link(["domains", domain.alias_of])}>{domain.alias_of_shown}</a> (confirmed {time(domain.alias_confirmed)})</>}</p>
      <Results of={{domain: domain.name}} title="What was harvested" />
      <Section title="The domain">
        {props.may_change ? <Editor domain={domain} saved={again} /> : <Facts domain={domain} />}
      </Section>
      <Owners domain={domain} may_change={props.may_change} again={again} />
      <Section title="Changes"><Changes kind="domain" name={domain.name} /></Section>
    </>
  );
}
