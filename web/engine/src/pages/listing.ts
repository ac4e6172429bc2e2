// Folders of launches, as the engine lists them.

import {file_path, get} from "../api";

export interface Entry {
  name: string;
  is_folder: boolean;
  bytes: number;
}

export async function list_folder(job: string, launch: string, path: string): Promise<Entry[]> {
  const {files} = await get<{files: Entry[]}>(file_path(job, launch, path));
  return files.sort((a, b) => Number(b.is_folder) - Number(a.is_folder) || a.name.localeCompare(b.name));
}
