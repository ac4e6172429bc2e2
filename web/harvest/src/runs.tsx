// A harvest run by run, and why its domains stopped: sums over jobs and results.

import {useState} from "preact/hooks";

import {get} from "../../engine/src/api";
import {useAsked} from "../../engine/src/ask";
import {bytes, count} from "../../engine/src/format";
import {Loading, Section, Table} from "../../engine/src/parts";
import {More} from "./more";
import type {Harvest, ReasonTotals, RunTotals} from "./types";
import {time} from "./words";

function jobs_of(run: RunTotals): string {
  const open = run.open > 0 ? `, ${count(run.open)} open` : "";
  return count(run.jobs) + open + (run.failed > 0 ? `, ${count(run.failed)} failed` : "");
}

export function Runs(props: {harvest: Harvest}) {
  const {harvest} = props;
  const [before, set_before] = useState("");
  const {value, error} = useAsked(`runs of ${harvest.name} ${before}`, () => get<{runs: RunTotals[]; next: string | null}>(`/api/harvests/${encodeURIComponent(harvest.name)}/runs`, {before: before || undefined, limit: 50}), 15_000);
  return (
    <Section title="Runs">
      {!value ? <Loading what="runs" error={error} /> : (
        <>
          <Table caption="Runs" hide_caption rows={value.runs} key_of={one => String(one.run)} none="There is no run with jobs yet." columns={[
            {head: "Run", row_head: true, cell: one => count(one.run)},
            {head: "Jobs made", cell: one => time(one.created)},
            {head: "Started", cell: one => time(one.started)},
            {head: "Ended", cell: one => time(one.ended)},
            {head: "Jobs", number: true, cell: jobs_of},
            {head: "Objects", number: true, cell: one => count(one.objects)},
            {head: "Bytes", number: true, cell: one => bytes(one.bytes)},
          ]} />
          <More start="The latest" is_first={before === ""} next={value.next} go={set_before} />
        </>
      )}
    </Section>
  );
}

// `run` empty: of all runs.
export function StopReasons(props: {harvest: string; run: string}) {
  const {harvest, run} = props;
  const {value, error} = useAsked(`stop reasons of ${harvest} ${run}`, () => get<{stop_reasons: ReasonTotals[]}>(`/api/harvests/${encodeURIComponent(harvest)}/stop-reasons`, {run: run || undefined}), 15_000);
  return (
    <Section title="Why domains stopped">
      {!value ? <Loading what="sums" error={error} /> : (
        <Table caption="Why domains stopped" hide_caption rows={value.stop_reasons} key_of={one => one.stop_reason} none="Nothing was harvested yet." columns={[
          {head: "Stopped", row_head: true, cell: one => one.stop_reason},
          {head: "Results", number: true, cell: one => count(one.results)},
          {head: "Objects", number: true, cell: one => count(one.objects)},
          {head: "Bytes", number: true, cell: one => bytes(one.bytes)},
        ]} />
      )}
    </Section>
  );
}
