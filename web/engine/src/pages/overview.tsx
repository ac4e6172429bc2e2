// How a crawl does: curves, figures, what holds it up, what it is visiting, its limits and alerts.

import {ApiError, get, job_path, mode} from "../api";
import {useAsked} from "../ask";
import {bytes, count, moment, plural, rate, span} from "../format";
import {Act, Area, AskForm, Check, Failure, Figures, Lines, Section, Table, text_of} from "../parts";
import {Plot, history_of, recall} from "../plot";
import {last_error} from "../job_log";
import {tell} from "../notices";
import type {Column} from "../parts";
import type {Queue, Status, Visit} from "../types";
import type {JobView} from "./job";
import {tab_link} from "./job";

export function host_of(origin: string): string {
  return origin.replace(/^[a-z]+:\/\//, "").replace(/:\d+$/, "").replace(/\/$/, "");
}

const kLeastInLog = 1024;  // bytes: progress-statistics.log has whole KB/s, a running crawl is finer

// The curves of the running crawl, or of the latest launch.
function Plots(props: {view: JobView}) {
  const {view} = props;
  const launch = view.detail?.last_launch ?? "";
  const of = view.status ? view.job : `${view.job} ${launch}`;
  const past = useAsked(`progress ${of} ${launch}`, async () => {
    if (launch === "") return 0;
    const path = job_path(view.job, `/launches/${launch}/logs/progress-statistics.log`);
    try {
      const {lines} = await get<{lines: string[]}>(path, {reverse: true, limit: 1500});
      recall(of, lines.reverse());
      return lines.length;
    } catch (error) {
      // A launch that has only begun, or ended at once, has no such log.
      if (error instanceof ApiError && error.status === 404) return 0;
      throw error;
    }
  });
  const history = history_of(of);
  if (!view.status && history.times.length < 2) return past.error ? <Failure error={past.error} /> : null;
  return (
    <Section title={view.status ? "Now" : "The latest launch"}>
      <div class="plots">
        <Plot title="Documents a second" times={history.times} values={history.documents} unit={rate} />
        <Plot title="Bytes a second" times={history.times} values={history.bytes} unit={bytes} least={view.status ? 0 : kLeastInLog} />
        <Plot title="URLs that wait" times={history.times} values={history.queued} unit={count} />
        <Plot title="Failures" times={history.times} values={history.failed} unit={count} />
      </div>
      {mode === "crawl" && <p class="hint">The curves begin when this page is opened.</p>}
    </Section>
  );
}

function CrawlFigures(props: {status: Status}) {
  const {status} = props;
  return (
    <Section title="Figures">
      <Figures label="Figures of the crawl" figures={[
        ["Documents", count(status.documents)],
        ["Documents a second, on average", rate(status.documents_per_second_average)],
        ["Received", bytes(status.bytes)],
        ["Received a second, on average", bytes(status.bytes_per_second_average)],
        ["In WARC files", bytes(status.warc_bytes)],
        ["Waiting", count(status.queued)],
        ["Known URLs", count(status.seen)],
        ["Being visited", count(status.visiting)],
        ["Failed", count(status.failed)],
        ["Left out", count(status.excluded)],
        ["Hosts", count(status.hosts)],
        ["Hosts set aside", count(status.hosts_aside)],
        ["Running for", span(status.elapsed_seconds)],
      ]} />
    </Section>
  );
}

function Alerts(props: {view: JobView; status: Status | null}) {
  const problems = props.view.detail?.problems ?? [];
  const standing = props.status?.standing ?? [];
  const {detail} = props.view;
  const reason = detail?.exit === "ABNORMAL" ? last_error(detail.log_tail) : "";
  if (problems.length === 0 && standing.length === 0 && reason === "") return null;
  return (
    <Section title="Alerts">
      <ul>
        {reason && <li class="alert" id="reason">The launch ended in disorder: {reason}</li>}
        {problems.map(text => <li key={text} class="alert">{text}</li>)}
        {standing.map(lane => <li key={lane.lane} class="alert">{lane.text}</li>)}
      </ul>
    </Section>
  );
}

export function queue_columns(view: JobView) {
  return [
    {head: "Host", row_head: true, cell: (queue: Queue) => <a href={tab_link(view.job, "frontier", {host: host_of(queue.queue)})}>{queue.queue}</a>},
    {head: "Waiting", number: true, cell: (queue: Queue) => count(queue.queued)},
    {head: "Why not now", cell: (queue: Queue) => queue.over_quota ? `${queue.state}: ${queue.over_quota}` : queue.state},
    {head: "Waits still", number: true, cell: (queue: Queue) => span(queue.wait_seconds)},
    {head: "Last fetch took", number: true, cell: (queue: Queue) => span(queue.last_fetch_seconds)},
    {head: "Failures in a row", number: true, cell: (queue: Queue) => count(queue.failures)},
  ];
}

function Slowest(props: {view: JobView; status: Status}) {
  const {status} = props;
  return (
    <Section title="What holds it up">
      {status.slow_because && <p><strong>{status.slow_because}</strong></p>}
      {status.waits.length > 0 && (
        <p>{status.waits.map(one => `${one.state}: ${plural(one.queues, "queue")} with ${plural(one.urls, "URL")}`).join("; ")}</p>
      )}
      <Table caption="Slowest hosts" rows={status.slowest} key_of={queue => queue.queue} none="No host waits." columns={queue_columns(props.view)} />
    </Section>
  );
}

function Visits(props: {view: JobView}) {
  const {view} = props;
  const {value, error, again} = useAsked(`visits ${view.job}`, () => view.crawl.get<{running: number; visits: Visit[]}>("/visits", {limit: 50}), 3000);
  const columns: Column<Visit>[] = [
    {head: "URL", row_head: true, cell: (visit: Visit) => visit.url},
    {head: "Step", cell: (visit: Visit) => visit.pipeline === "url" ? visit.step : `${visit.step} (${visit.pipeline})`},
    {head: "In this step", number: true, cell: (visit: Visit) => span(visit.step_seconds)},
    {head: "Since", number: true, cell: (visit: Visit) => span(visit.seconds)},
  ];
  const end: Column<Visit> = {head: "Do", cell: (visit: Visit) => (
    <Act label={`End the visit of ${visit.url}`} done="The visit is being ended." act={async () => { await view.crawl.post("/visits/end", {url: visit.url}); again(); }}>End</Act>
  )};
  return (
    <Section title="Visits that run">
      <Failure error={error} />
      {value && <Table caption={`${plural(value.running, "visit")}, the longest first`} rows={value.visits} key_of={visit => `${visit.lane} ${visit.url}`}
                       none="No visit runs." columns={view.may_change ? [...columns, end] : columns} />}
    </Section>
  );
}

function Limits(props: {view: JobView; status: Status}) {
  const unit = (name: string, value: number) => /byte/.test(name) ? bytes(value) : /time|second/.test(name) ? span(value) : count(value);
  return (
    <Section title="Limits" aside={<a href={tab_link(props.view.job, "settings")}>Change</a>}>
      <Table caption="Limits that are set" hide_caption rows={props.status.limits} key_of={limit => limit.name} none="No limit is set." columns={[
        {head: "Limit", row_head: true, cell: limit => limit.name},
        {head: "Used", cell: limit => <><progress aria-label={limit.name} max={limit.limit} value={limit.used} /> {unit(limit.name, limit.used)} of {unit(limit.name, limit.limit)}</>},
      ]} />
    </Section>
  );
}

export function AddUrls(props: {view: JobView}) {
  const send = async (fields: FormData, form: HTMLFormElement) => {
    const query = {seed: fields.get("seed") !== null, force: fields.get("force") !== null};
    const made = await props.view.crawl.post<{given: number; added: number; over_budget: number}>("/urls", query, text_of(fields, "urls"));
    tell(`${count(made.added)} of ${plural(made.given, "URL")} added${made.added === made.given ? "." : `; the others were known${made.over_budget ? `, or over the budget (${made.over_budget})` : ""}.`}`);
    form.reset();
  };
  return (
    <Section title="Add URLs">
      <AskForm send={send} button="Add" label="Add URLs">
        <Area label="URLs" name="urls" required hint="One a line. The scope is not asked." />
        <div class="wide"><Check label="They are seeds" name="seed" /> &nbsp; <Check label="Visit them though they are known" name="force" /></div>
      </AskForm>
    </Section>
  );
}

function Launches(props: {view: JobView}) {
  const {view} = props;
  const to = (page: string, launch: string) => tab_link(view.job, page, {launch});
  return (
    <Section title="Launches">
      <Table caption="The newest first" rows={[...view.launches].sort((a, b) => b.name.localeCompare(a.name))} key_of={launch => launch.name} none="It was not launched yet." columns={[
        {head: "Launch", row_head: true, cell: launch => moment(launch.name)},
        {head: "Ended", cell: launch => launch.ended ? `${moment(launch.ended)} ${launch.exit}` : launch.exit || "–"},
        {head: "Documents", number: true, cell: launch => count(launch.documents)},
        {head: "Bytes", number: true, cell: launch => bytes(launch.bytes)},
        {head: "See", cell: launch => <span class="buttons">
          <a href={to("logs", launch.name)} aria-label={`Logs of ${launch.name}`}>Logs</a>
          <a href={to("reports", launch.name)} aria-label={`Reports of ${launch.name}`}>Reports</a>
          <a href={tab_link(view.job, `files/${launch.name}`)} aria-label={`Files of ${launch.name}`}>Files</a>
        </span>},
      ]} />
    </Section>
  );
}

export function Overview(props: {view: JobView}) {
  const {view} = props;
  const {status, detail} = view;
  return (
    <>
      <Alerts view={view} status={status} />
      <Plots view={view} />
      {status && <CrawlFigures status={status} />}
      {status && <Slowest view={view} status={status} />}
      {status && <Visits view={view} />}
      {status && <Limits view={view} status={status} />}
      {mode === "engine" && <Launches view={view} />}
      {detail && (
        <Section title="Log of the job">
          <Lines label="Log of the job" text={detail.log_tail.join("\n") || "It is empty."} />
          <p class="quiet">Its settings are in <code>{detail.config_file}</code></p>
        </Section>
      )}
      {status && view.may_change && <AddUrls view={view} />}
    </>
  );
}
