// The buttons that take a job from one state to the next. The engine says which of them there are now.

import {useState} from "preact/hooks";

import {ask, job_path, post_json} from "../api";
import {Act, AskForm, Check, Confirm, Dialog, Field, text_of} from "../parts";
import {plural} from "../format";
import {link} from "../route";
import {tell} from "../notices";
import type {Summary} from "../types";

const kWords: Record<string, [button: string, done: string]> = {
  build: ["Build", "The job is built: its settings are read and hold."],
  launch: ["Launch", "The job is launched."],
  resume: ["Resume", "The last launch goes on."],
  pause: ["Pause", "The crawl pauses."],
  unpause: ["Go on", "The crawl goes on."],
  checkpoint: ["Checkpoint", "A checkpoint is taken."],
  terminate: ["Terminate", "The crawl ends: what is in flight is finished."],
  teardown: ["Tear down", "The job is torn down."],
  dequeue: ["Take out of the queue", "The job does not wait any more."],
  copy: ["Copy", "The job is copied."],
  delete: ["Delete", "The job is deleted."],
};
const kOrder = Object.keys(kWords);
const kInTable = ["build", "launch", "resume", "pause", "unpause", "terminate", "teardown", "dequeue"];
const kAsked = ["terminate", "copy", "delete"];

function CopyDialog(props: {job: Summary; close: () => void; done: () => void}) {
  const send = async (fields: FormData) => {
    const name = text_of(fields, "name");
    await post_json(job_path(props.job.name, "/copy"), {name, as_profile: fields.get("as_profile") !== null});
    props.done();
    props.close();
    tell(`${name} is made.`);
    location.hash = link(["jobs", name]);
  };
  return (
    <Dialog title={`Copy ${props.job.name}`} close={props.close}>
      <AskForm send={send} button="Copy" label="Copy">
        <Field label="Name of the copy" name="name" required pattern="[A-Za-z0-9_.\-]+" />
        <div class="wide"><Check label="As a profile: it is not launched itself, others begin from it" name="as_profile" /></div>
      </AskForm>
    </Dialog>
  );
}

function DeleteDialog(props: {job: Summary; close: () => void; done: () => void}) {
  const {job} = props;
  const send = async (fields: FormData) => {
    await post_json(job_path(job.name, "/delete"), {launches: fields.get("launches") !== null});
    props.close();
    tell(`${job.name} is deleted.`);
    location.hash = link([]);
    props.done();
  };
  return (
    <Dialog title={`Delete ${job.name}?`} close={props.close}>
      <AskForm send={send} button="Delete for good" kind="danger" label="Delete">
        <p class="wide">Its settings and its log are deleted. This cannot be taken back.</p>
        {job.launch_count > 0 && <div class="wide"><Check label={`Delete what it has captured, too, in ${plural(job.launch_count, "launch", "launches")}`} name="launches" required /></div>}
      </AskForm>
    </Dialog>
  );
}

export function Actions(props: {job: Summary; short?: boolean; done: () => void}) {
  const {job} = props;
  const [asks, set_asks] = useState("");
  const run = async (action: string) => {
    await ask("POST", job_path(job.name, `/${action}`));
    props.done();
  };
  const actions = kOrder.filter(action => job.actions.includes(action) && (!props.short || kInTable.includes(action)));
  const main = actions.includes("launch") ? "launch" : actions[0];
  const close = () => set_asks("");
  return (
    <div class="buttons">
      {actions.map(action => {
        const [word, done] = kWords[action]!;
        const label = props.short ? `${word} ${job.name}` : undefined;
        if (kAsked.includes(action))
          return <button key={action} type="button" class={action === "copy" ? undefined : "danger"} aria-label={label} onClick={() => set_asks(action)}>{word}</button>;
        return <Act key={action} act={() => run(action)} done={`${job.name}: ${done}`} label={label} kind={action === main && !props.short ? "main" : undefined}>{word}</Act>;
      })}
      {asks === "terminate" && <Confirm title={`Terminate ${job.name}?`} text="No visit begins any more. Those in flight get a moment to end, then everything is written. The launch can be resumed later." button="Terminate" act={() => run("terminate")} done={kWords["terminate"]![1]} close={close} />}
      {asks === "copy" && <CopyDialog job={job} close={close} done={props.done} />}
      {asks === "delete" && <DeleteDialog job={job} close={close} done={props.done} />}
    </div>
  );
}
