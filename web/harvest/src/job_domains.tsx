// The domains of a job: by which configuration each is in it, and how far it may go. Known from the moment at which it is made.

import {useState} from "preact/hooks";

import {get} from "../../engine/src/api";
import {useAsked} from "../../engine/src/ask";
import {count, plural} from "../../engine/src/format";
import {Lines, Loading, Section, Table} from "../../engine/src/parts";
import {link} from "../../engine/src/route";
import {More} from "./more";
import type {Job, JobDomain} from "./types";
import {objects, size} from "./words";

function least(one: number, other: number): number {
  return one < 0 ? other : other < 0 ? one : Math.min(one, other);
}

function traps_of(text: string): string[] {
  return text.split("\n").filter(line => line.trim() !== "");
}

export function JobDomains(props: {job: Job}) {
  const {job} = props;
  const [after, set_after] = useState("");
  const {value, error} = useAsked(`domains of job ${job.job} ${after}`, () => get<{configurations: JobDomain[]; next: string | null}>(`/api/jobs/${job.job}/configurations`, {after, limit: 100}));
  return (
    <Section title="Its domains">
      {!value ? <Loading what="its domains" error={error} /> : (
        <>
          <Table caption="Its domains" hide_caption rows={value.configurations} key_of={one => `${one.domain} ${one.configuration}`} none="It has no domains of its own." columns={[
            {head: "Domain", row_head: true, cell: one => <a href={link(["domains", one.domain])}>{one.shown}</a>},
            {head: "Configuration", cell: one => one.configuration},
            {head: "Most objects", number: true, cell: one => objects(least(one.max_objects, job.max_objects))},
            {head: "Most bytes", number: true, cell: one => size(least(one.max_bytes, job.max_bytes))},
            {head: "Expected objects", number: true, cell: one => count(one.expected)},
            {head: "Crawler traps now", cell: one => one.traps ? <details><summary>{plural(traps_of(one.traps).length, "trap")}</summary><Lines label={`Traps of ${one.shown}`} text={one.traps} /></details> : "–"},
          ]} />
          <More start="From the beginning" is_first={after === ""} next={value.next} go={set_after} />
        </>
      )}
    </Section>
  );
}
