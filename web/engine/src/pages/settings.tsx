// Settings: forms made from the schema, the file as YAML, and what of a running crawl may change now.

import {useMemo, useState} from "preact/hooks";

import {ask, get, get_text, job_path, mode} from "../api";
import {useAsked} from "../ask";
import {plural} from "../format";
import {tell} from "../notices";
import {Act, Choice, Failure, Field, Loading, Section} from "../parts";
import type {Remark, Setting, SettingKind} from "../types";
import {edit_yaml} from "../yaml_edit";
import type {Edits} from "../yaml_edit";
import {ApplyChanges} from "./changes";
import type {JobView} from "./job";
import {SettingRow, is_list} from "./setting_row";

const kShownAtOnce = 60;

type Kinds = Map<string, SettingKind>;

function useKinds(): Kinds {
  const {value} = useAsked("schema", async () => mode === "engine" ? await get<{settings: SettingKind[]}>("/api/schema") : {settings: []});
  return useMemo(() => new Map((value?.settings ?? []).map(kind => [kind.name, kind])), [value]);
}

export interface Check {
  ok: boolean;
  errors: string[];
  remarks: Remark[];
}

export async function check_config(job: string, text: string): Promise<Check> {
  return (await ask("POST", job_path(job, "/config/check"), {}, text, "text/yaml")).json() as Promise<Check>;
}

export function CheckResult(props: {check: Check}) {
  const {check} = props;
  return (
    <div role="status">
      {check.errors.map(error => <p key={error} class="error">{error}</p>)}
      {check.remarks.map(remark => <p key={remark.text} class="remark">{remark.text}</p>)}
      {check.ok && check.remarks.every(remark => remark.severity !== "warning") && <p class="fine">A crawl can start with this.</p>}
    </div>
  );
}

// Changes the file. It is checked first; with errors nothing is written.
function SaveToFile(props: {view: JobView; edits: Edits; kinds: Kinds; done: () => void}) {
  const {view, edits} = props;
  const [check, set_check] = useState<Check | null>(null);
  const save = async () => {
    const before = await get_text(job_path(view.job, "/config"));
    const after = edit_yaml(before, edits, name => is_list(props.kinds.get(name), edits[name] ?? ""));
    const found = await check_config(view.job, after);
    set_check(found);
    if (found.errors.length > 0) throw new Error("Nothing is saved: the settings have errors.");
    await ask("PUT", job_path(view.job, "/config"), {}, after, "text/yaml");
    props.done();
    tell("The settings are saved. A launch that runs keeps its own.");
  };
  return (
    <div>
      {check && <CheckResult check={check} />}
      <Act act={save} kind="main">Check and save</Act>
    </div>
  );
}

function SettingsForm(props: {view: JobView; settings: Setting[]; kinds: Kinds; of_crawl: boolean; again: () => void}) {
  const {view, settings, kinds} = props;
  const [edits, set_edits] = useState<Edits>({});
  const [words, set_words] = useState("");
  const sections = useMemo(() => [...new Set(settings.map(setting => setting.name.split(".")[0]!))], [settings]);
  const [section, set_section] = useState(sections[0] ?? "");
  const wanted = words.toLowerCase().split(/\s+/).filter(word => word !== "");
  const matches = (setting: Setting) => {
    const text = `${setting.name} ${setting.doc}`.toLowerCase();
    return wanted.every(word => text.includes(word));
  };
  const is_set = (setting: Setting) => (setting.origins[setting.origins.length - 1]?.from ?? "default") !== "default";
  const shown = settings.filter(setting => wanted.length > 0 ? matches(setting) : section === "*" ? is_set(setting) : setting.name.startsWith(section + "."));
  const number = Object.keys(edits).length;
  const edit = (name: string, value: string | null | undefined) => set_edits(before => {
    const after = {...before};
    if (value === undefined) delete after[name];
    else after[name] = value;
    return after;
  });
  const done = () => {
    set_edits({});
    props.again();
  };
  const set = Object.entries(edits).filter((one): one is [string, string] => one[1] !== null);
  const unset = Object.keys(edits).filter(name => edits[name] === null);
  const body = set.flatMap(([name, value]) => is_list(kinds.get(name), value) ? (value.trim() === "" ? [""] : value.split("\n")).map(item => `${name}=${item}`) : [`${name}=${value}`]).join("\n");
  return (
    <>
      <div class="fields">
        <Choice label="Section" value={section} onChange={event => { set_section(event.currentTarget.value); set_words(""); }}
                options={[["*", "All that are set"], ...sections.map((name): [string, string] => [name, name])]} />
        <Field label="Search all sections" type="search" value={words} onInput={event => set_words(event.currentTarget.value)} />
      </div>
      <p class="quiet" role="status">{plural(shown.length, "setting")}{shown.length > kShownAtOnce ? `, the first ${kShownAtOnce} are shown` : ""}</p>
      {shown.slice(0, kShownAtOnce).map(setting => (
        <SettingRow key={setting.name} setting={setting} kind={kinds.get(setting.name)} edited={edits[setting.name]} edit={value => edit(setting.name, value)}
                    fixed={!view.may_change || (props.of_crawl && !setting.live)} of_crawl={props.of_crawl} />
      ))}
      {view.may_change && number > 0 && (
        <div class="remark">
          <p><strong>{plural(number, "setting")} edited:</strong> {Object.keys(edits).join(", ")}</p>
          {!props.of_crawl && <SaveToFile view={view} edits={edits} kinds={kinds} done={done} />}
          {props.of_crawl && set.length > 0 && <ApplyChanges view={view} path="/settings" query={{}} body={body} done={done} />}
          {props.of_crawl && set.length === 0 && <ApplyChanges view={view} path="/settings/unset" query={{}} body={unset.join("\n")} done={done} />}
          {props.of_crawl && set.length > 0 && unset.length > 0 && <p class="hint">Those that get their defaults come after these.</p>}
          <button type="button" onClick={() => set_edits({})}>Forget the edits</button>
        </div>
      )}
    </>
  );
}

function ConfigText(props: {view: JobView}) {
  const {view} = props;
  const asked = useAsked(`config ${view.job}`, () => get_text(job_path(view.job, "/config")));
  const [edited, set_edited] = useState<string | null>(null);
  const [check, set_check] = useState<Check | null>(null);
  if (asked.value === undefined) return <Loading what="the file" error={asked.error} />;
  const text = edited ?? asked.value;
  const save = async () => {
    const found = await check_config(view.job, text);
    set_check(found);
    if (found.errors.length > 0) throw new Error("Nothing is saved: the file has errors.");
    await ask("PUT", job_path(view.job, "/config"), {}, text, "text/yaml");
    set_edited(null);
    asked.again();
    tell("The settings are saved. A launch that runs keeps its own.");
  };
  return (
    <>
      <textarea class="tall" aria-label={view.detail?.config_file ?? "Settings file"} spellcheck={false} value={text} readOnly={!view.may_change}
                onInput={event => { set_edited(event.currentTarget.value); set_check(null); }} />
      {check && <CheckResult check={check} />}
      {view.may_change && (
        <div class="buttons">
          <Act act={async () => set_check(await check_config(view.job, text))}>Check</Act>
          <Act act={save} kind="main" disabled={edited === null}>Check and save</Act>
          {edited !== null && <button type="button" onClick={() => { set_edited(null); set_check(null); }}>Forget the edits</button>}
        </div>
      )}
    </>
  );
}

function Difference(props: {view: JobView}) {
  const {value, error} = useAsked(`diff ${props.view.job}`, () => get<{profile: string; lines: string[]}>(job_path(props.view.job, "/config/diff")));
  if (!value) return <Loading what="the difference" error={error} />;
  const tone = (line: string) => line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : undefined;
  return (
    <>
      <p>{value.profile ? `What differs from the profile ${value.profile}` : "What differs from the defaults"}: lines with + are of this job, lines with − of the {value.profile ? "profile" : "defaults"}.</p>
      {value.lines.length === 0 ? <p class="quiet">Nothing differs.</p>
        : <pre tabIndex={0} role="group" aria-label="Difference">{value.lines.map((line, place) => <span key={place} class={tone(line)}>{line + "\n"}</span>)}</pre>}
    </>
  );
}

function FormOf(props: {view: JobView; kinds: Kinds; of_crawl: boolean}) {
  const {view, of_crawl} = props;
  const asked = useAsked(`settings ${view.job} ${of_crawl}`, () => of_crawl ? view.crawl.get<{settings: Setting[]}>("/settings") : get<{settings: Setting[]}>(job_path(view.job, "/settings")));
  if (!asked.value) return <Loading what="the settings" error={asked.error} />;
  return <><Failure error={asked.error} /><SettingsForm view={view} settings={asked.value.settings} kinds={props.kinds} of_crawl={of_crawl} again={asked.again} /></>;
}

type View = "crawl" | "form" | "text" | "diff";

export function SettingsPage(props: {view: JobView}) {
  const {view} = props;
  const kinds = useKinds();
  const is_yaml = view.detail?.config_kind !== "cxml";
  const views: [View, string][] = [];
  if (view.status) views.push(["crawl", "Of the running crawl"]);
  if (mode === "engine" && is_yaml) views.push(["form", "Form"]);
  if (mode === "engine") views.push(["text", is_yaml ? "File (YAML)" : "File"]);
  if (mode === "engine" && is_yaml) views.push(["diff", "Difference from the profile"]);
  const [chosen, choose] = useState<View | null>(null);
  const shown = views.find(([name]) => name === chosen)?.[0] ?? views[0]?.[0];
  return (
    <Section title="Settings" aside={
      <div class="buttons" role="group" aria-label="Ways to see the settings">
        {views.map(([name, word]) => <button key={name} type="button" aria-pressed={name === shown} class={name === shown ? "main" : undefined} onClick={() => choose(name)}>{word}</button>)}
      </div>}>
      {shown === "crawl" && <p class="quiet">What is marked live takes effect at once, and is kept. Anything else holds from the next launch on.</p>}
      {shown === "crawl" && <FormOf key="crawl" view={view} kinds={kinds} of_crawl />}
      {shown === "form" && <FormOf key="form" view={view} kinds={kinds} of_crawl={false} />}
      {shown === "text" && <ConfigText view={view} />}
      {shown === "diff" && <Difference view={view} />}
      {shown === undefined && <p class="quiet">The crawl has ended.</p>}
    </Section>
  );
}
