// What was fetched of domains, and why it stopped: of a domain, a harvest or a job.

import {useState} from "preact/hooks";

import {address, get} from "../../engine/src/api";
import {useAsked} from "../../engine/src/ask";
import {bytes, count} from "../../engine/src/format";
import {Choice, Loading, Section, Table} from "../../engine/src/parts";
import {link} from "../../engine/src/route";
import {More} from "./more";
import type {ResultLine} from "./types";
import {time} from "./words";

type Of = {domain?: string; harvest?: string; run?: number; job?: number};

const kReasons = ["completed", "object-limit", "size-limit", "config-object-limit", "config-size-limit", "time-limit", "unfinished"];

export function Results(props: {of: Of; title?: string}) {
  const [before, set_before] = useState("");
  const [reason, set_reason] = useState("");
  const of = reason === "" ? props.of : {...props.of, stop_reason: reason};
  const query = {...of, before: before || 0, limit: 200};
  const {value, error} = useAsked(JSON.stringify(query), () => get<{results: ResultLine[]; next: string | null}>("/api/results", query), 15_000);
  const csv = <a href={address("/api/results", {...of, format: "csv"})} download="results.csv">As CSV</a>;
  return (
    <Section title={props.title ?? "Results"} aside={csv}>
      <div class="fields"><Choice label="Stopped" value={reason} options={[["", "for any reason"], ...kReasons.map((name): [string, string] => [name, name])]} onChange={event => { set_reason(event.currentTarget.value); set_before(""); }} /></div>
      {!value ? <Loading what="results" error={error} /> : (
        <>
          <Table caption="Results" hide_caption rows={value.results} key_of={row => String(row.id)} none={reason ? "Nothing stopped for that." : "Nothing was harvested yet."} columns={[
            {head: "Domain", row_head: true, cell: row => <a href={link(["domains", row.domain])}>{row.shown}</a>},
            {head: "Configuration", cell: row => row.configuration},
            {head: "Harvest", cell: row => <a href={link(["harvests", row.harvest])}>{row.harvest}</a>},
            {head: "Run", number: true, cell: row => count(row.run)},
            {head: "Job", number: true, cell: row => <a href={link(["jobs", String(row.job)])}>{row.job}</a>},
            {head: "Objects", number: true, cell: row => count(row.objects)},
            {head: "Bytes", number: true, cell: row => bytes(row.bytes)},
            {head: "Stopped", cell: row => row.stop_reason},
            {head: "When", cell: row => time(row.time)},
          ]} />
          <More start="The latest" is_first={before === ""} next={value.next} go={set_before} />
        </>
      )}
    </Section>
  );
}
