// Ways into what was harvested: the whole archive, and one job alone.

import {useState} from "preact/hooks";

import {post_json} from "../../engine/src/api";
import {Act, Lines, Section} from "../../engine/src/parts";
import type {Job, Server} from "./types";

// Where the archive is shown: by another server, or by this one at a port of its own. Empty if nobody shows it.
export function archive_address(server: Server | undefined): string {
  if (!server) return "";
  if (server.replay) return server.replay;
  return server.replay_port ? `${location.protocol}//${location.hostname}:${server.replay_port}/` : "";
}

function Alone(props: {job: Job; archive: string}) {
  const [place, set_place] = useState("");
  const show = async () => {
    const shown = await post_json<{collection: string}>(`/api/jobs/${props.job.job}/show`, {});
    set_place(`${props.archive}${shown.collection}/`);
  };
  if (!place) return <p class="buttons"><Act act={show}>Show this job alone</Act></p>;
  return <p><a href={place}>Pages of this job</a>, and <a href={place + "qa"}>what they ask for and do not get</a></p>;
}

export function Browse(props: {job: Job; server: Server | undefined}) {
  const archive = archive_address(props.server);
  const launch = props.job.stored?.find(file => file.kind === "index")?.name.replace(/\.cdxj$/, "");
  return (
    <Section title="Look at it">
      {archive && <p><a href={archive}>Browse the archive</a></p>}
      {launch && props.server?.replay_port ? <Alone job={props.job} archive={archive} /> : null}
      {launch && !props.server?.replay_port ? <><p class="quiet">This job alone, with what its pages ask for and do not get on the page /qa:</p><Lines label="Command" text={`caddis serve archive --launch ${launch}`} /></> : null}
    </Section>
  );
}
