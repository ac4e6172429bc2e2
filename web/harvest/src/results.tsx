// What was fetched of domains, and why it stopped: of a domain, a harvest or a job.

import {useState} from "preact/hooks";

import {address, get} from "../../engine/src/api";
import {useAsked} from "../../engine/src/ask";
import {bytes, count} from "../../engine/src/format";
import {Loading, Section, Table} from "../../engine/src/parts";
import {link} from "../../engine/src/route";
import {More} from "./more";
import type {ResultLine} from "./types";
import {time} from "./words";

type Of = {domain?: string; harvest?: string; run?: number; job?: number};

export function Results(props: {of: Of; title?: string}) {
  const [before, set_before] = useState("");
  const query = {...props.of, before: before || 0, limit: 200};
  const {value, error} = useAsked(JSON.stringify(query), () => get<{results: ResultLine[]; next: string | null}>("/api/results", query), 15_000);
  const csv = <a href={address("/api/results", {...props.of, format: "csv"})} download="results.csv">As CSV</a>;
  return (
    <Section title={props.title ?? "Results"} aside={csv}>
      {!value ? <Loading what="results" error={error} /> : (
        <>
          <Table caption="Results" hide_caption rows={value.results} key_of={row => String(row.id)} none="Nothing was harvested yet." columns={[
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
