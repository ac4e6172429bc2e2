// The folder of a launch: its WARC files, logs, reports and indexes, to be looked at and taken home.

import {file_path} from "../api";
import {useAsked} from "../ask";
import {bytes, moment, plural} from "../format";
import {Failure, Section, Table} from "../parts";
import type {JobView} from "./job";
import {tab_link} from "./job";
import {list_folder} from "./listing";

export function FilesPage(props: {view: JobView; rest: string[]}) {
  const {view} = props;
  const [launch = "latest", ...folders] = props.rest;
  const path = folders.join("/");
  const {value, error} = useAsked(`files ${view.job} ${launch} ${path}`, () => list_folder(view.job, launch, path === "" ? "" : path + "/"));
  const to = (...parts: string[]) => tab_link(view.job, ["files", launch, ...parts].join("/"));
  if (view.launches.length === 0) return <Section title="Files"><p class="quiet">It was not launched yet, so there are no files.</p></Section>;
  return (
    <>
      <Section title="Launches">
        <p class="buttons">{["latest", ...view.launches.map(one => one.name).sort().reverse()].map(name => (
          <a key={name} href={tab_link(view.job, `files/${name}`)} aria-current={name === launch ? "true" : undefined}>{name === "latest" ? "The latest" : moment(name)}</a>
        ))}</p>
      </Section>
      <Section title="Files">
        <nav aria-label="Folders"><a href={to()}>{launch}</a>{folders.map((folder, place) => (
          <span key={place}> / <a href={to(...folders.slice(0, place + 1))}>{folder}</a></span>
        ))}</nav>
        <Failure error={error} />
        {value && <Table caption={plural(value.length, "entry", "entries")} rows={value} key_of={entry => entry.name} none="The folder is empty." columns={[
          {head: "Name", row_head: true, cell: entry => entry.is_folder
            ? <a href={to(...folders, entry.name)}>{entry.name}/</a>
            : <a href={file_path(view.job, launch, [...folders, entry.name].join("/"))} download={entry.name}>{entry.name}</a>},
          {head: "Size", number: true, cell: entry => entry.is_folder ? "–" : bytes(entry.bytes)},
        ]} />}
        <p class="hint">To browse what was captured, as it looked: <code>caddis serve JOBS/{view.job}/{launch}</code></p>
      </Section>
    </>
  );
}
