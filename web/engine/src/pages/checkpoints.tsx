// Points to which a crawl can go back: taken here, and launched from here.

import {useState} from "preact/hooks";

import {ask, job_path} from "../api";
import {bytes, count, moment} from "../format";
import {Act, AskForm, Confirm, Field, Section, Table, text_of} from "../parts";
import type {Checkpoint} from "../types";
import type {JobView} from "./job";

export function CheckpointsPage(props: {view: JobView}) {
  const {view} = props;
  const [asks, set_asks] = useState("");
  const known: Checkpoint[] = view.status?.checkpoints ?? view.detail?.checkpoints ?? [];
  const may = (action: string) => view.may_change && (view.detail?.actions.includes(action) ?? false);
  const take = async (fields: FormData, form: HTMLFormElement) => {
    await view.crawl.post("/checkpoint", {name: text_of(fields, "name")});
    form.reset();
    view.again();
  };
  const begin = async (action: string, checkpoint: string) => {
    await ask("POST", job_path(view.job, `/${action}`), {checkpoint});
    view.again();
  };
  return (
    <>
      {view.status && view.may_change && (
        <Section title="Take a checkpoint">
          <AskForm send={take} button="Take it" label="Take a checkpoint" done="The checkpoint is on disk.">
            <Field label="Name" name="name" pattern="[A-Za-z0-9._\-]{1,64}" hint="A named one is kept for ever. Without a name it gets one, and may be removed for newer ones." />
          </AskForm>
        </Section>
      )}
      <Section title="Checkpoints">
        <Table caption="The newest first" rows={[...known].reverse()} key_of={one => one.name} none="There is no checkpoint." columns={[
          {head: "Name", row_head: true, cell: one => one.name},
          {head: "Taken", cell: one => moment(one.time)},
          {head: "Kept for ever", cell: one => one.kept ? "yes" : "no"},
          {head: "Documents", number: true, cell: one => count(one.documents)},
          {head: "Bytes", number: true, cell: one => bytes(one.bytes)},
          {head: "Waiting then", number: true, cell: one => count(one.queued)},
          {head: "Do", cell: one => !may("launch") && !may("resume") ? "–" : (
            <span class="buttons">
              {may("launch") && <Act label={`Launch from ${one.name}`} act={() => begin("launch", one.name)} done="The job is launched from the checkpoint.">New launch from it</Act>}
              {may("resume") && <button type="button" class="danger" aria-label={`Go back to ${one.name}`} onClick={() => set_asks(one.name)}>Go back to it</button>}
            </span>
          )},
        ]} />
      </Section>
      {asks && <Confirm title={`Go back to ${asks}?`} text="The last launch goes on from there. What it captured since is moved aside, and visited again." button="Go back and resume"
                        act={() => begin("resume", asks)} done="The launch goes on from the checkpoint." close={() => set_asks("")} />}
    </>
  );
}
