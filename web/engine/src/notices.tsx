// What is said at the foot of the page: that something is done, or has failed. Screen readers hear it.

import {useEffect, useState} from "preact/hooks";

interface Notice {
  id: number;
  text: string;
  is_error: boolean;
}

let notices: Notice[] = [];
let told: () => void = () => {};
let last_id = 0;

function add(text: string, is_error: boolean): void {
  const id = ++last_id;
  notices = [...notices.slice(-2), {id, text, is_error}];
  told();
  if (!is_error) setTimeout(() => remove(id), 6000);
}

function remove(id: number): void {
  notices = notices.filter(notice => notice.id !== id);
  told();
}

export function tell(text: string): void {
  add(text, false);
}

export function tell_error(text: string): void {
  add(text, true);
}

// Errors belong to the page on which they happened; the rest goes by itself.
export function forget_errors(): void {
  notices = notices.filter(notice => !notice.is_error);
  told();
}

export function Notices() {
  const [shown, set] = useState(notices);
  useEffect(() => {
    told = () => set(notices);
    return () => { told = () => {}; };
  }, []);
  const of = (is_error: boolean) => shown.filter(notice => notice.is_error === is_error).map(notice => (
    <p key={notice.id} class={is_error ? "notice bad" : "notice"}>
      <span>{notice.text}</span>
      <button type="button" aria-label="Close this message" onClick={() => remove(notice.id)}>×</button>
    </p>
  ));
  return (
    <div class="notices">
      <div role="status">{of(false)}</div>
      <div role="alert">{of(true)}</div>
    </div>
  );
}
