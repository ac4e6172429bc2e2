// Fields of an archive's own, on domains and harvests: what they are, and what stands in them.

import {ask, get, post_json} from "../../engine/src/api";
import {useAsked} from "../../engine/src/ask";
import {Act, Area, AskForm, Check, Choice, Field, Lines, Loading, Section, Table, text_of} from "../../engine/src/parts";
import type {ExtendedField, Value} from "./types";

const kTargets: [string, string][] = [["domain", "domains"], ["harvest", "harvests"]];
const kKinds: [string, string][] = [["text", "a line"], ["note", "a text"], ["number", "a number"], ["flag", "yes or no"], ["date", "a day"], ["choice", "one of several"]];

export function useFields(target: string): ExtendedField[] {
  return useAsked(`fields ${target}`, () => get<{fields: ExtendedField[]}>("/api/fields", {target})).value?.fields ?? [];
}

function Input(props: {field: ExtendedField; value: string; change: (value: string) => void}) {
  const {field, value, change} = props;
  const label = field.is_mandatory ? `${field.name} (needed)` : field.name;
  if (field.kind === "flag") return <Choice label={label} value={value} options={[["", "not said"], ["true", "yes"], ["false", "no"]]} onChange={event => change(event.currentTarget.value)} />;
  if (field.kind === "choice") return <Choice label={label} value={value} options={[["", "not said"], ...field.choices.map((one): [string, string] => [one, one])]} onChange={event => change(event.currentTarget.value)} />;
  if (field.kind === "note") return <Area label={label} rows={3} value={value} maxLength={field.most_length} onInput={event => change(event.currentTarget.value)} />;
  const type = field.kind === "number" ? "number" : field.kind === "date" ? "date" : "text";
  return <Field label={label} type={type} step={type === "number" ? "any" : undefined} value={value} maxLength={type === "text" ? field.most_length : undefined} onInput={event => change(event.currentTarget.value)} />;
}

// The fields of one domain or harvest, as its editor shows them.
export function OwnFields(props: {target: string; values: Value[]; change: (values: Value[]) => void}) {
  const fields = useFields(props.target);
  if (fields.length === 0) return null;
  const value_of = (name: string) => props.values.find(one => one.name === name)?.value ?? "";
  const change = (name: string, value: string) => props.change(fields.map(field => ({name: field.name, value: field.name === name ? value : value_of(field.name)})));
  return (
    <fieldset>
      <legend>Fields of this archive</legend>
      <div class="fields">{fields.map(field => <Input key={field.name} field={field} value={value_of(field.name)} change={value => change(field.name, value)} />)}</div>
    </fieldset>
  );
}

// The same for people who may only look: what is said in them, a line each.
export function OwnValues(props: {target: string; values: Value[]}) {
  const fields = useFields(props.target);
  const shown = fields.map(field => ({field, value: props.values.find(one => one.name === field.name)?.value ?? ""})).filter(one => one.value !== "");
  if (shown.length === 0) return null;
  const words = (field: ExtendedField, value: string) => field.kind === "flag" ? (value === "true" ? "yes" : "no") : value;
  return (
    <Table caption="Fields of this archive" rows={shown} key_of={one => one.field.name} columns={[
      {head: "Field", row_head: true, cell: one => one.field.name},
      {head: "Value", cell: one => one.field.kind === "note" ? <Lines label={one.field.name} text={one.value} /> : words(one.field, one.value)},
    ]} />
  );
}

export function FieldsSection(props: {may_change: boolean}) {
  const {value, error, again} = useAsked("all fields", async () => {
    const all = await Promise.all(kTargets.map(([target]) => get<{fields: ExtendedField[]}>("/api/fields", {target})));
    return all.flatMap(one => one.fields);
  });
  const save = async (data: FormData, form: HTMLFormElement) => {
    const name = text_of(data, "name");
    const target = text_of(data, "target");
    const known = value?.find(one => one.name === name && one.target === target);
    await post_json("/api/fields", {
      name, target, kind: text_of(data, "kind"), edition: known?.edition ?? 0,
      choices: text_of(data, "choices").split("\n").map(line => line.trim()).filter(line => line !== ""),
      default_value: text_of(data, "default_value"), is_mandatory: data.get("is_mandatory") === "on",
      most_length: Number(text_of(data, "most_length") || "1000"), place: Number(text_of(data, "place") || "0"),
    });
    form.reset();
    again();
  };
  return (
    <Section title="Fields of this archive">
      {!value ? <Loading what="fields" error={error} /> : (
        <Table caption="Fields" hide_caption rows={value} key_of={one => `${one.target} ${one.name}`} none="There are none. A field is shown with every domain, or every harvest, and takes what you want to note there." columns={[
          {head: "Field", row_head: true, cell: one => one.name},
          {head: "Of", cell: one => kTargets.find(([target]) => target === one.target)?.[1] ?? one.target},
          {head: "Kind", cell: one => <>{kKinds.find(([kind]) => kind === one.kind)?.[1] ?? one.kind}{one.choices.length > 0 && <span class="quiet"> ({one.choices.join(", ")})</span>}</>},
          {head: "Needed", cell: one => one.is_mandatory ? "yes" : "no"},
          {head: "Do", cell: one => props.may_change ? <Act act={() => ask("DELETE", `/api/fields/${encodeURIComponent(one.name)}`, {target: one.target}).then(again)} label={`Remove ${one.name}`} done={`${one.name} was removed.`}>Remove</Act> : "–"},
        ]} />
      )}
      {props.may_change && (
        <AskForm send={save} button="Save" label="Field" done="The field was saved.">
          <Field label="Name" name="name" required hint="That of a field that is there changes it." />
          <Choice label="Of" name="target" options={kTargets} />
          <Choice label="Kind" name="kind" options={kKinds} />
          <Area label="Choices" name="choices" rows={2} hint="One a line, if it is one of several." />
          <Field label="At first" name="default_value" hint="What stands in it until somebody says otherwise." />
          <Field label="Most characters" name="most_length" inputMode="numeric" pattern="\d*" defaultValue="1000" />
          <Field label="Place" name="place" inputMode="numeric" pattern="\d*" hint="The lowest number comes first." />
          <Check label="It is needed" name="is_mandatory" />
        </AskForm>
      )}
    </Section>
  );
}
