// What pages are made of: buttons that say when they are done, tables, dialogs, figures.

import type {ComponentChildren, JSX} from "preact";
import {useEffect, useId, useRef, useState} from "preact/hooks";

import {tell, tell_error} from "./notices";

// A button that does something that takes time. It cannot be pressed twice; a failure is told.
export function Act(props: {
  children: ComponentChildren;
  act: () => Promise<unknown>;
  done?: string;
  label?: string;
  kind?: "main" | "danger";
  disabled?: boolean;
}) {
  const [busy, set_busy] = useState(false);
  const press = async () => {
    if (busy) return;
    set_busy(true);
    try {
      await props.act();
      if (props.done) tell(props.done);
    } catch (error) {
      tell_error((error as Error).message);
    } finally {
      set_busy(false);
    }
  };
  return (
    <button type="button" class={props.kind} aria-label={props.label} aria-busy={busy} disabled={props.disabled || busy} onClick={press}>
      {props.children}
    </button>
  );
}

// A form whose sending takes time. `send` gets its fields.
export function AskForm(props: {
  children: ComponentChildren;
  send: (fields: FormData, form: HTMLFormElement) => Promise<unknown>;
  button: string;
  kind?: "main" | "danger";
  done?: string;
  label?: string;
  class?: string;
}) {
  const [busy, set_busy] = useState(false);
  const [error, set_error] = useState("");
  const submit = async (event: JSX.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    set_busy(true);
    set_error("");
    try {
      await props.send(new FormData(form), form);
      if (props.done) tell(props.done);
    } catch (failure) {
      set_error((failure as Error).message);
    } finally {
      set_busy(false);
    }
  };
  return (
    <form class={props.class ?? "fields"} aria-label={props.label} onSubmit={submit}>
      {props.children}
      <div class="buttons"><button class={props.kind ?? "main"} aria-busy={busy} disabled={busy}>{props.button}</button></div>
      {error && <p class="error" role="alert">{error}</p>}
    </form>
  );
}

export function text_of(fields: FormData, name: string): string {
  return String(fields.get(name) ?? "").trim();
}

type InputProps = Omit<JSX.InputHTMLAttributes<HTMLInputElement>, "label">;

export function Field(props: {label: string; hint?: ComponentChildren; children?: ComponentChildren} & InputProps) {
  const {label, hint, children, ...input} = props;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} type="text" autocomplete="off" spellcheck={false} aria-describedby={hint ? id + "-hint" : undefined} {...input} />
      {hint && <p class="hint" id={id + "-hint"}>{hint}</p>}
      {children}
    </div>
  );
}

export function Area(props: {label: string; hint?: ComponentChildren} & JSX.TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const {label, hint, ...area} = props;
  const id = useId();
  return (
    <div class="field wide">
      <label for={id}>{label}</label>
      <textarea id={id} spellcheck={false} aria-describedby={hint ? id + "-hint" : undefined} {...area} />
      {hint && <p class="hint" id={id + "-hint"}>{hint}</p>}
    </div>
  );
}

export function Choice(props: {label: string; hint?: string; options: [string, string][]} & JSX.SelectHTMLAttributes<HTMLSelectElement>) {
  const {label, hint, options, ...select} = props;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} aria-describedby={hint ? id + "-hint" : undefined} {...select}>
        {options.map(([value, text]) => <option key={value} value={value}>{text}</option>)}
      </select>
      {hint && <p class="hint" id={id + "-hint"}>{hint}</p>}
    </div>
  );
}

export function Check(props: {label: string} & InputProps) {
  const {label, ...input} = props;
  return <label class="check"><input type="checkbox" {...input} /> {label}</label>;
}

export interface Column<T> {
  head: string;
  cell: (row: T) => ComponentChildren;
  number?: boolean;
  row_head?: boolean;
}

// On a narrow screen each row becomes a card; the roles keep it a table for screen readers.
export function Table<T>(props: {caption: string; hide_caption?: boolean; columns: Column<T>[]; rows: T[]; key_of: (row: T) => string; none?: string}) {
  if (props.rows.length === 0) return <p class="quiet">{props.none ?? "There is nothing here."}</p>;
  return (
    <table role="table">
      <caption class={props.hide_caption ? "unseen" : undefined}>{props.caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {props.columns.map(column => <th key={column.head} role="columnheader" scope="col" class={column.number ? "number" : undefined}>{column.head}</th>)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {props.rows.map(row => (
          <tr key={props.key_of(row)} role="row">
            {props.columns.map(column => column.row_head
              ? <th key={column.head} role="rowheader" scope="row" data-head={column.head}><span>{column.cell(row)}</span></th>
              : <td key={column.head} role="cell" data-head={column.head} class={column.number ? "number" : undefined}><span>{column.cell(row)}</span></td>)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Figures(props: {label: string; figures: [string, ComponentChildren][]}) {
  return (
    <dl class="figures" aria-label={props.label}>
      {props.figures.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}
    </dl>
  );
}

export function Section(props: {title: string; children: ComponentChildren; aside?: ComponentChildren}) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div class="section-head"><h2 id={id}>{props.title}</h2>{props.aside}</div>
      {props.children}
    </section>
  );
}

// Long lines that scroll by themselves, reachable by keyboard.
export function Lines(props: {label: string; text: string; class?: string}) {
  return <pre tabIndex={0} role="group" aria-label={props.label} class={props.class}>{props.text}</pre>;
}

export function Failure(props: {error: string}) {
  return props.error ? <p class="error" role="alert">{props.error}</p> : null;
}

export function Loading(props: {what: string; error: string}) {
  return props.error ? <Failure error={props.error} /> : <p class="quiet">Asking for {props.what} …</p>;
}

const kTones: Record<string, string> = {
  RUNNING: "good", FINISHED: "good", READY: "plain", PAUSED: "warn", PAUSING: "warn", EMPTY: "warn", STOPPING: "warn", ABORTED: "bad", ABNORMAL: "bad",
};

// How a job ended says more than that it did.
export function State(props: {state: string; exit?: string}) {
  const is_end = props.state === "FINISHED" && props.exit;
  const shown = is_end ? props.exit! : props.state;
  return <span class={"state " + (kTones[shown.toUpperCase()] ?? (is_end ? "good" : "plain"))}>{shown.toLowerCase().replace(/_/g, " ")}</span>;
}

// Shown as long as it is there; Escape and the button close it.
export function Dialog(props: {title: string; children: ComponentChildren; close: () => void}) {
  const self = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = self.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={self} aria-labelledby={id} onCancel={event => { event.preventDefault(); props.close(); }}>
      <div class="section-head">
        <h2 id={id}>{props.title}</h2>
        <button type="button" aria-label="Close" onClick={props.close}>×</button>
      </div>
      {props.children}
    </dialog>
  );
}

// What cannot be taken back is asked about first.
export function Confirm(props: {title: string; text: ComponentChildren; button: string; act: () => Promise<unknown>; close: () => void; done?: string}) {
  return (
    <Dialog title={props.title} close={props.close}>
      <p>{props.text}</p>
      <AskForm send={async () => { await props.act(); props.close(); }} button={props.button} kind="danger" done={props.done} label={props.title} class="plain">
        {null}
      </AskForm>
    </Dialog>
  );
}
