// What waits: queues of hosts, one host with the orders for it, URLs by expression, and their deletion.

import {useState} from "preact/hooks";

import type {Query} from "../api";
import {useAsked} from "../ask";
import {Deletion} from "../by_hand";
import {count, plural, span} from "../format";
import {Act, AskForm, Choice, Confirm, Failure, Field, Figures, Section, Table, text_of} from "../parts";
import type {Host, Queue, UrlReport, WaitingUrl} from "../types";
import type {JobView} from "./job";
import {NotRunning, tab_link} from "./job";
import {AddUrls, host_of, queue_columns} from "./overview";

// A list that comes in parts: what has come so far, and where it goes on.
interface Parts<T> {
  rows: T[];
  marker: string;
}

function Queues(props: {view: JobView}) {
  const {view} = props;
  const [by, set_by] = useState("size");
  const [all, set_all] = useState<Parts<Queue> | null>(null);
  const {value, error} = useAsked(`queues ${view.job} ${by}`, () => view.crawl.get<Queue[]>("/queues", {by, limit: 50}), 5000);
  const more = async () => {
    const part = await view.crawl.get<{queues: Queue[]; marker: string}>("/queues", {all: true, limit: 100, marker: all?.marker});
    set_all({rows: [...(all?.rows ?? []), ...part.queues], marker: part.marker});
  };
  return (
    <Section title="Hosts and queues">
      <div class="fields">
        <Choice label="Order" value={all ? "all" : by} onChange={event => {
          const chosen = event.currentTarget.value;
          if (chosen === "all") return void more().catch(() => set_all({rows: [], marker: ""}));
          set_all(null);
          set_by(chosen);
        }} options={[["size", "Largest first"], ["wait", "Longest waiting first"], ["failures", "Most failures first"], ["all", "All, also those on disk"]]} />
      </div>
      <Failure error={error} />
      {(all || value) && <Table caption={all ? `${plural(all.rows.length, "queue")} so far` : "The first 50 queues in memory"} rows={all ? all.rows : value!} key_of={queue => queue.queue}
                                none="No queue has URLs." columns={queue_columns(view)} />}
      {all && all.marker !== "" && <Act act={more}>More queues</Act>}
    </Section>
  );
}

function Orders(props: {view: JobView; host: Host; again: () => void}) {
  const {view, host} = props;
  const [asks, set_asks] = useState(false);
  const path = `/hosts/${encodeURIComponent(host.host)}`;
  const change = async (query: Query) => {
    await view.crawl.post(path, query);
    props.again();
  };
  const send = async (fields: FormData) => {
    // An empty field means "as the settings say", so it is sent, too.
    const query = `?delay=${encodeURIComponent(text_of(fields, "delay"))}&budget=${encodeURIComponent(text_of(fields, "budget"))}`;
    await view.crawl.post(path + query);
    props.again();
  };
  return (
    <>
      <h3>Orders for this host</h3>
      <AskForm send={send} button="Give these orders" label="Delay and budget" done="The orders are in force.">
        <Field key={`delay ${host.delay_seconds}`} label="Delay between visits" name="delay" placeholder="as the settings say" defaultValue={host.delay_seconds === undefined ? "" : `${host.delay_seconds}s`} hint="Such as 500ms or 30s. Empty: as the settings say." />
        <Field key={`budget ${host.budget}`} label="Budget of URLs" name="budget" inputMode="numeric" placeholder="as the settings say" defaultValue={host.budget === undefined ? "" : String(host.budget)} hint="0: any number. Empty: as the settings say." />
      </AskForm>
      <div class="buttons">
        {host.blocked ? <Act act={() => change({block: "0"})} done="The host is visited again.">Unblock</Act>
          : <button type="button" class="danger" onClick={() => set_asks(true)}>Block</button>}
        <Act act={() => change({retire: host.retired ? "0" : "1"})} done={host.retired ? "Its URLs do not wait for you any more." : "Its URLs wait until you take it up again."}>{host.retired ? "Take up again" : "Retire"}</Act>
        <Act act={async () => { await view.crawl.post("/wake", {host: host.host}); props.again(); }} done="What failed is tried again now.">Try failures now</Act>
      </div>
      {asks && <Confirm title={`Block ${host.host}?`} text="Its URLs that wait are given up for good, and so are those that are found later." button="Block"
                        act={() => change({block: "1"})} done="The host is blocked." close={() => set_asks(false)} />}
      <p class="hint">Block: its URLs are given up for good. Retire: they wait, and nothing is visited.</p>
    </>
  );
}

function HostView(props: {view: JobView; host: string}) {
  const {view} = props;
  const {value: host, error, again} = useAsked(`host ${view.job} ${props.host}`, () => view.crawl.get<Host>(`/hosts/${encodeURIComponent(props.host)}`), 5000);
  return (
    <Section title={`Host ${props.host}`} aside={<a href={tab_link(view.job, "frontier")}>All hosts</a>}>
      <Failure error={error} />
      {host && !host.known && <p>Nothing is known of this host. Orders for it hold as soon as it is found.</p>}
      {host && host.known && (
        <Figures label="Host" figures={[
          ["Addresses", host.addresses.join(", ") || "not known"],
          ["Finished", count(host.finished)],
          ["Next visit in", span(host.wait_seconds)],
          ["Being visited", host.visiting || "–"],
          ["Sheets that hold", (host.sheets ?? []).join(", ") || "none"],
          ["Politeness group", host.group || "–"],
          ["State", [host.blocked && "blocked", host.retired && "retired", host.aside && "set aside", host.given_up !== 0 && `given up (${host.given_up})`].filter(Boolean).join(", ") || "in order"],
        ]} />
      )}
      {host && host.queues.length > 0 && <Table caption="Its queues" rows={host.queues} key_of={queue => queue.queue} columns={queue_columns(view)} />}
      {host && view.may_change && <Orders view={view} host={host} again={again} />}
    </Section>
  );
}

function Waiting(props: {view: JobView; host: string}) {
  const {view} = props;
  const [query, set_query] = useState<Query>({host: props.host, regex: ""});
  // Part by part.
  const go_through = async (dry: boolean) => {
    let sum = 0;
    let marker = "";
    do {
      const part: {deleted?: number; would_delete?: number; marker: string} = await view.crawl.post("/urls/delete", {...query, dry, marker});
      sum += part.deleted ?? part.would_delete ?? 0;
      marker = part.marker;
    } while (marker !== "");
    return sum;
  };
  const [list, set_list] = useState<Parts<WaitingUrl> | null>(null);
  const read = async (asked: Query, before: Parts<WaitingUrl> | null) => {
    const part = await view.crawl.get<{urls: WaitingUrl[]; marker: string}>("/urls", {...asked, limit: 100, marker: before?.marker, nearest: before !== null});
    set_list({rows: [...(before?.rows ?? []), ...part.urls], marker: part.marker});
  };
  const send = async (fields: FormData) => {
    const asked = {host: text_of(fields, "host"), regex: text_of(fields, "regex")};
    set_query(asked);
    await read(asked, null);
  };
  const is_bounded = query.host !== "" || query.regex !== "";
  return (
    <Section title="URLs that wait">
      <AskForm send={send} button="Show" label="URLs that wait">
        <Field label="Host" name="host" defaultValue={props.host} hint="Empty: of all hosts." />
        <Field label="Expression" name="regex" hint="An RE2 expression, found anywhere in the URL." />
      </AskForm>
      {list && (
        <>
          <Table caption={`${plural(list.rows.length, "URL")}${list.marker ? " so far" : ""}`} rows={list.rows} key_of={url => `${url.queue} ${url.where} ${url.url}`} none="No URL waits that matches." columns={[
            {head: "URL", row_head: true, cell: url => url.url},
            {head: "Found on", cell: url => url.via || "–"},
            {head: "Hops", cell: url => url.hops || "seed"},
            {head: "Waits in", cell: url => url.wait_seconds === undefined ? url.where : `${url.where}, ${span(url.wait_seconds)}`},
            {head: "Try", number: true, cell: url => count(url.attempt)},
          ]} />
          <div class="buttons">
            {list.marker !== "" && <Act act={() => read(query, list)}>More URLs</Act>}
            {view.may_change && is_bounded && <Deletion key={`${query.host} ${query.regex}`} go_through={go_through} done={() => void read(query, null)} />}
          </div>
        </>
      )}
    </Section>
  );
}

function Lookup(props: {view: JobView}) {
  const {view} = props;
  const [found, set_found] = useState<UrlReport | null>(null);
  return (
    <Section title="One URL">
      <AskForm send={async fields => set_found(await view.crawl.get<UrlReport>("/url", {url: text_of(fields, "url")}))} button="Look up" label="One URL">
        <Field label="URL" name="url" type="url" required />
      </AskForm>
      {found && (
        <div role="status">
          <p>{found.visiting ? `It is being visited, for ${span(found.visiting_seconds)}.` : found.waits.length > 0 ? "It waits." : found.seen ? "It was seen, and does not wait." : "It is not known."}
            {(found.sheets ?? []).length > 0 && ` Sheets that hold: ${found.sheets!.join(", ")}.`}</p>
          {found.waits.map(one => <p key={one.queue + one.where}>In {one.where} of {one.queue}{one.ahead !== undefined && `, ${plural(one.ahead, "URL")} before it`}; try {one.attempt}.</p>)}
        </div>
      )}
    </Section>
  );
}

export function FrontierPage(props: {view: JobView; query: URLSearchParams}) {
  const {view} = props;
  const host = props.query.get("host") ?? "";
  if (!view.status) return <Section title="Frontier"><NotRunning what="What it would visit is shown while it runs." /></Section>;
  return (
    <>
      <Section title="Find a host">
        <AskForm send={async fields => { location.hash = tab_link(view.job, "frontier", {host: host_of(text_of(fields, "host"))}); }} button="Show" label="Find a host">
          <Field label="Host" name="host" required placeholder="www.example.org" />
        </AskForm>
      </Section>
      {host ? <HostView key={host} view={view} host={host} /> : <Queues view={view} />}
      <Waiting key={"urls " + host} view={view} host={host} />
      <Lookup view={view} />
      {view.may_change && <AddUrls view={view} />}
    </>
  );
}
