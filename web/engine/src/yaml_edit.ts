// Changes single settings in the text of a crawl.yaml. What stands there besides, comments too, stays as it is.

import {isMap, parseDocument} from "yaml";

// Section and name, and the value as text (items of a list are lines); null takes the setting out.
export type Edits = Record<string, string | null>;

function plain(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(text) ? Number(text) : text;
}

export function edit_yaml(text: string, edits: Edits, is_list: (name: string) => boolean): string {
  const document = parseDocument(text);
  if (document.errors.length > 0) throw new Error(`The file is no YAML: ${document.errors[0]!.message}`);
  if (!isMap(document.contents)) document.contents = document.createNode({}) as unknown as typeof document.contents;
  for (const [name, value] of Object.entries(edits)) {
    const [section, key] = name.split(/\.(.*)/s) as [string, string];
    if (value === null) {
      document.deleteIn([section, key]);
      const left = document.get(section);
      if (isMap(left) && left.items.length === 0) document.delete(section);
      continue;
    }
    if (!isMap(document.get(section))) document.set(section, document.createNode({}));
    document.setIn([section, key], is_list(name) ? document.createNode(value.split("\n").filter(item => item.trim() !== "").map(plain)) : plain(value));
  }
  return document.toString({lineWidth: 0});
}
