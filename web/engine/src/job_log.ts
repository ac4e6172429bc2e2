// Lines of job.log: a time, a level, and words. An entry of several lines has time and level on each of them.

const kError = /^(\S+)\s+SEVERE\s+(.*)$/;

// The latest error, without time and level; empty if there is none. `lines`: the oldest first.
export function last_error(lines: string[]): string {
  const words: string[] = [];
  let time = "";
  for (const line of [...lines].reverse()) {
    const found = kError.exec(line);
    if (words.length > 0 && found?.[1] !== time) break;
    if (!found) continue;
    time = found[1]!;
    words.unshift(found[2]!);
  }
  return words.join("\n");
}
