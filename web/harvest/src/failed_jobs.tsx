// Jobs that have failed: in which part and why, and several of them resubmitted at once, or done with.

import {useState} from "preact/hooks";

import {post_json} from "../../engine/src/api";
import {Act, Table} from "../../engine/src/parts";
import {link} from "../../engine/src/route";
import {may_steer, useRights} from "./rights";
import type {Job} from "./types";
import {time} from "./words";

function counted(jobs: Job[]) {
  return jobs.length === 1 ? "1 job" : `${jobs.length} jobs`;
}

// One after another: each has its own place in the list of changes. What one is refused for does not keep the others.
async function act_on(jobs: Job[], verb: string, done: (job: Job) => void) {
  const problems: string[] = [];
  for (const job of jobs) {
    try {
      await post_json(`/api/jobs/${job.job}/${verb}`, {});
      done(job);
    } catch (error) {
      problems.push(`Job ${job.job}: ${(error as Error).message}`);
    }
  }
  if (problems.length > 0) throw new Error(problems.join("; "));
}

function Why(props: {job: Job}) {
  const {harvest_error, upload_error} = props.job;
  if (!harvest_error && !upload_error) return <>–</>;
  return (
    <>
      {harvest_error && <div>The harvest: {harvest_error}</div>}
      {upload_error && <div>Handing over: {upload_error}</div>}
    </>
  );
}

export function FailedJobs(props: {jobs: Job[]; again: () => void}) {
  const {jobs, again} = props;
  const rights = useRights();
  const steered = jobs.filter(job => may_steer(rights, job.made_by));
  const [ticked, set_ticked] = useState<number[]>([]);
  const chosen = jobs.filter(job => ticked.includes(job.job)).sort((a, b) => a.job - b.job);
  const tick = (job: Job, is_on: boolean) => set_ticked(before => is_on ? [...before, job.job] : before.filter(other => other !== job.job));
  const does = (verb: string) => () => act_on(chosen, verb, job => tick(job, false)).finally(again);
  return (
    <>
      <Table caption="Failed jobs" hide_caption rows={jobs} key_of={job => String(job.job)} none="No job has failed." columns={[
        ...steered.length > 0 ? [{head: "Choose", cell: (job: Job) => !steered.includes(job) ? "–" : <input type="checkbox" aria-label={`Choose job ${job.job}`} checked={ticked.includes(job.job)} onChange={event => tick(job, event.currentTarget.checked)} />}] : [],
        {head: "Job", row_head: true, cell: job => <a href={link(["jobs", String(job.job)])}>{job.job}</a>},
        {head: "Harvest", cell: job => <><a href={link(["harvests", job.harvest])}>{job.harvest}</a> <span class="quiet">run {job.run}</span></>},
        {head: "Why", cell: job => <Why job={job} />},
        {head: "Harvester", cell: job => job.harvester || "–"},
        {head: "Since", cell: job => time(job.ended ?? job.started ?? job.submitted ?? job.created)},
      ]} />
      {steered.length > 0 && (
        <p class="buttons">
          <button type="button" onClick={() => set_ticked(chosen.length === steered.length ? [] : steered.map(job => job.job))}>{chosen.length === steered.length ? "Choose none" : "Choose all"}</button>
          <Act act={does("resubmit")} disabled={chosen.length === 0} done="They were resubmitted.">Resubmit {counted(chosen)}</Act>
          <Act act={does("reject-failure")} disabled={chosen.length === 0} done="They are not to be resubmitted.">Do not resubmit {counted(chosen)}</Act>
        </p>
      )}
    </>
  );
}
