// The stores in which the files of the archive are kept, and what is not as it should be there.

import {useState} from "preact/hooks";

import {get, post_json} from "../../engine/src/api";
import {useAsked} from "../../engine/src/ask";
import {bytes, count, plural} from "../../engine/src/format";
import {tell} from "../../engine/src/notices";
import {Act, Loading, Section, Table} from "../../engine/src/parts";
import {link} from "../../engine/src/route";
import {time} from "./words";

interface Store {
  name: string;
  place: string;
  stored: number;
  bytes: number;
  wanted: number;
  missing: number;
  wrong: number;
  oldest_check: number;
}

interface Copy {
  file: number;
  job: number;
  name: string;
  state: string;
  checked: number;
  problem: string;
}

function Differences(props: {store: Store}) {
  const {store} = props;
  const [after, set_after] = useState(0);
  const {value, error} = useAsked(`copies ${store.name} ${after} ${store.missing} ${store.wrong} ${store.wanted}`, () => get<{files: Copy[]; next: string | null}>(`/api/stores/${encodeURIComponent(store.name)}/files`, {after, limit: 100}));
  return (
    <Section title={`What is not as it should be in ${store.name}`}>
      {!value ? <Loading what="files" error={error} /> : (
        <>
          <Table caption="Files" hide_caption rows={value.files} key_of={one => String(one.file)} none="Every file is there." columns={[
            {head: "File", row_head: true, cell: one => one.name},
            {head: "Job", number: true, cell: one => <a href={link(["jobs", String(one.job)])}>{one.job}</a>},
            {head: "State", cell: one => <span class={"state " + (one.state === "wanted" ? "warn" : "bad")}>{one.state}</span>},
            {head: "Why", cell: one => one.problem || "–"},
            {head: "Looked at", cell: one => time(one.checked)},
          ]} />
          <p class="buttons">
            {after > 0 && <button type="button" onClick={() => set_after(0)}>From the beginning</button>}
            {value.next && <button type="button" onClick={() => set_after(Number(value.next))}>More</button>}
          </p>
        </>
      )}
    </Section>
  );
}

export function StoresPage(props: {may_change: boolean}) {
  const {value, error, again} = useAsked("stores", () => get<{stores: Store[]}>("/api/stores"), 5000);
  const does = (store: Store, verb: string, words: string) => async () => {
    const told = await post_json<{files: number; left?: number}>(`/api/stores/${encodeURIComponent(store.name)}/${verb}`, {});
    const left = told.left ? ` ${plural(told.left, "file")} cannot be repaired: no other store is known to have it whole.` : "";
    tell(`${plural(told.files, "file")} ${words}.${left}`);
    again();
  };
  return (
    <>
      <h1 tabIndex={-1}>Stores</h1>
      <Section title="Where the archive is kept">
        {!value ? <Loading what="stores" error={error} /> : (
          <Table caption="Stores" hide_caption rows={value.stores} key_of={one => one.name} columns={[
            {head: "Store", row_head: true, cell: one => one.name},
            {head: "Place", cell: one => one.place},
            {head: "Files", number: true, cell: one => count(one.stored)},
            {head: "Bytes", number: true, cell: one => bytes(one.bytes)},
            {head: "To be copied", number: true, cell: one => count(one.wanted)},
            {head: "Missing", number: true, cell: one => count(one.missing)},
            {head: "Wrong", number: true, cell: one => count(one.wrong)},
            {head: "All looked at since", cell: one => time(one.oldest_check)},
            {head: "Do", cell: one => props.may_change ? (
              <span class="buttons">
                <Act act={does(one, "check", "will be looked at")} label={`Check ${one.name}`}>Check</Act>
                {one.missing + one.wrong > 0 && <Act act={does(one, "repair", "will be put there again")} label={`Repair ${one.name}`}>Repair</Act>}
              </span>
            ) : "–"},
          ]} />
        )}
      </Section>
      {(value?.stores ?? []).filter(one => one.missing + one.wrong + one.wanted > 0).map(one => <Differences key={one.name} store={one} />)}
    </>
  );
}
