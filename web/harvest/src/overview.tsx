// How the archive stands: jobs that run, harvesters, what was changed lately.

import {useState} from "preact/hooks";

import {ask, get} from "../../engine/src/api";
import {useAsked} from "../../engine/src/ask";
import {bytes, count, moment, plural} from "../../engine/src/format";
import {Act, Figures, Loading, Section, Table} from "../../engine/src/parts";
import {link} from "../../engine/src/route";
import {JobTable} from "./jobs";
import {archive_address} from "./browse";
import {More} from "./more";
import {useRights} from "./rights";
import type {Change, Harvester, Job, Server} from "./types";
import {time} from "./words";

// The fields that were changed, each with what stood there before and after.
function Fields(props: {of: Change}) {
  const {fields} = props.of;
  if (fields.length === 0) return <>{props.of.what}</>;
  const value = (text: string) => text === "" ? <span class="quiet">nothing</span> : <span style="white-space: pre-line">{text}</span>;
  return (
    <details>
      <summary>{props.of.what}: {fields.map(field => field.name).join(", ")}</summary>
      <dl>{fields.map(field => <div key={field.name}><dt>{field.name}</dt><dd>{value(field.before)} → {value(field.after)}</dd></div>)}</dl>
    </details>
  );
}

export function Changes(props: {kind?: string; name?: string}) {
  const [before, set_before] = useState("");
  const {value, error} = useAsked(`changes ${props.kind} ${props.name} ${before}`, () => get<{changes: Change[]; next: string | null}>("/api/changes", {kind: props.kind, name: props.name, before: before || 0, limit: 50}), 15_000);
  if (!value) return <Loading what="changes" error={error} />;
  return (
    <>
      <Table caption="Changes" hide_caption rows={value.changes} key_of={row => `${row.time} ${row.kind} ${row.name} ${row.what}`} none="Nothing was changed." columns={[
        {head: "When", cell: row => time(row.time)},
        {head: "Who", cell: row => row.who},
        {head: "What", row_head: true, cell: row => `${row.kind} ${row.name}`},
        {head: "How", cell: row => <Fields of={row} />},
      ]} />
      <More start="The latest" is_first={before === ""} next={value.next} go={set_before} />
    </>
  );
}

export function Overview() {
  const server = useAsked("server", () => get<Server>("/api/server"), 5000);
  const harvesters = useAsked("harvesters", () => get<{harvesters: Harvester[]}>("/api/harvesters"), 5000);
  const rights = useRights();
  const remove = async (name: string) => {
    await ask("DELETE", `/api/harvesters/${encodeURIComponent(name)}`);
    harvesters.again();
  };
  const [before, set_before] = useState("");
  const running = useAsked(`running ${before}`, () => get<{jobs: Job[]; next: string | null}>("/api/jobs", {state: "SUBMITTED,STARTED", before: before || 0, limit: 200}), 3000);
  const known = server.value;
  return (
    <>
      <h1 tabIndex={-1}>Archive</h1>
      {!known ? <Loading what="the archive" error={server.error} /> : (
        <>
          <Figures label="Archive" figures={[
            ["Domains", count(known.counts.domains)],
            ["Harvests", count(known.counts.harvests)],
            ["Jobs that wait", count(known.counts.jobs["NEW"] ?? 0)],
            ["Jobs that run", count((known.counts.jobs["SUBMITTED"] ?? 0) + (known.counts.jobs["STARTED"] ?? 0))],
            ["Done", count(known.counts.jobs["DONE"] ?? 0)],
            ["Failed", count(known.counts.jobs["FAILED"] ?? 0)],
            ["Since", moment(known.started)],
            ["Version", known.version],
          ]} />
          {archive_address(known) && <p><a href={archive_address(known)}>Browse the archive</a></p>}
        </>
      )}
      <Section title="Running jobs">
        {!running.value ? <Loading what="jobs" error={running.error} /> : <JobTable jobs={running.value.jobs} again={running.again} none="No job runs." />}
        <More start="The latest" is_first={before === ""} next={running.value?.next} go={set_before} />
      </Section>
      <Section title="Harvesters">
        {!harvesters.value ? <Loading what="harvesters" error={harvesters.error} /> : (
          <Table caption={plural(harvesters.value.harvesters.length, "harvester")} rows={harvesters.value.harvesters} key_of={one => one.name} none="No harvester was heard of yet." columns={[
            {head: "Harvester", row_head: true, cell: one => one.name},
            {head: "State", cell: one => one.state === "lost" ? <><strong>lost</strong> since {time(one.seen)}{rights.may_steer && <> <Act act={() => remove(one.name)} label={`Remove ${one.name}`} done={`${one.name} is shown no more.`}>Remove</Act></>}</> : one.state},
            {head: "Job", cell: one => one.job ? <a href={link(["jobs", String(one.job)])}>{one.job}</a> : "–"},
            {head: "Channels", cell: one => one.channels.join(", ")},
            {head: "Disk free", number: true, cell: one => bytes(one.free_bytes)},
            {head: "Heard of", cell: one => time(one.seen)},
            {head: "Version", cell: one => one.version},
          ]} />
        )}
      </Section>
      <Section title="Changes"><Changes /></Section>
    </>
  );
}
