// One setting in a form: what it does, its unit, range and default, where its value comes from, and the field for it.

import {useId} from "preact/hooks";

import type {Setting, SettingKind} from "../types";

export function is_list(kind: SettingKind | undefined, value: string): boolean {
  return kind ? kind.type.startsWith("list") : value.includes("\n");
}

function choices_of(kind: SettingKind | undefined, value: string): string[] {
  if (kind && kind.choices.length > 0) return kind.choices;
  const is_boolean = kind ? kind.type === "true or false" : value === "true" || value === "false";
  return is_boolean ? ["true", "false"] : [];
}

function default_of(setting: Setting, kind: SettingKind | undefined): string {
  return (kind?.default ?? setting.origins.find(origin => origin.from === "default")?.value ?? "").replace(/\n/g, ", ");
}

function facts_of(setting: Setting, kind: SettingKind | undefined): string {
  const origin = setting.origins[setting.origins.length - 1];
  const from = !origin || origin.from === "default" ? "the default holds" : origin.is_sheet ? `from the sheet ${origin.from}` : origin.from === "crawl" ? "set for the crawl" : `from ${origin.from}`;
  const kind_words = [kind?.type, kind && kind.choices.length === 0 && kind.range].filter(word => word).join(", ");
  return [kind_words, `default: ${default_of(setting, kind) || "empty"}`, from, setting.live ? "live" : "fixed while it runs", setting.per_site && "per site", setting.per_host && "per host", kind?.expert && "for experts"]
    .filter(word => word).join(" · ");
}

export function SettingRow(props: {
  setting: Setting;
  kind: SettingKind | undefined;
  edited: string | null | undefined;
  edit: (value: string | null | undefined) => void;
  fixed: boolean;
  of_crawl: boolean;
}) {
  const {setting, kind, edited, fixed} = props;
  const id = useId();
  const value = edited === undefined ? setting.value : edited ?? setting.origins.find(origin => origin.from === "default")?.value ?? "";
  const change = (text: string) => props.edit(text === setting.value ? undefined : text);
  const common = {id, "aria-describedby": `${id}-doc ${id}-facts`, disabled: fixed};
  const choices = choices_of(kind, setting.value);
  const is_set = (setting.origins[setting.origins.length - 1]?.from ?? "default") !== "default";
  return (
    <div class="setting">
      <div>
        <label for={id}><strong>{setting.name}</strong></label>{edited !== undefined && <span class="state warn">edited</span>}
        <p class="doc" id={id + "-doc"}>{setting.doc}</p>
        <p class="hint" id={id + "-facts"}>{facts_of(setting, kind)}</p>
        {setting.remarks.map(remark => <p key={remark.text} class="remark">{remark.text}</p>)}
      </div>
      <div>
        {choices.length > 0
          ? <select {...common} value={value} onChange={event => change(event.currentTarget.value)}>{[...new Set([value, ...choices])].map(one => <option key={one} value={one}>{one}</option>)}</select>
          : is_list(kind, setting.value)
            ? <textarea {...common} value={value} placeholder="an item a line" onInput={event => change(event.currentTarget.value)} />
            : <input {...common} type="text" autocomplete="off" spellcheck={false} value={value} onInput={event => change(event.currentTarget.value)} />}
        {!fixed && (edited !== undefined
          ? <button type="button" class="link" onClick={() => props.edit(undefined)}>Undo<span class="unseen"> the edit of {setting.name}</span></button>
          : is_set && <button type="button" class="link" onClick={() => props.edit(null)}>Back to the default<span class="unseen"> of {setting.name}</span></button>)}
      </div>
    </div>
  );
}
