// Numbers, sizes and times in words that people read.

const kUnits = ["B", "KB", "MB", "GB", "TB", "PB"];

export function bytes(value: number | undefined): string {
  let left = value ?? 0;
  let unit = 0;
  while (left >= 1000 && unit < kUnits.length - 1) {
    left /= 1000;
    ++unit;
  }
  return `${unit === 0 || left >= 100 ? Math.round(left) : left.toFixed(1)} ${kUnits[unit]}`;
}

const kGrouped = new Intl.NumberFormat("en", {maximumFractionDigits: 0});

export function count(value: number | undefined): string {
  return kGrouped.format(value ?? 0);
}

export function rate(value: number | undefined): string {
  const number = value ?? 0;
  return number >= 100 ? count(number) : number.toFixed(1);
}

export function span(seconds: number | undefined): string {
  const all = Math.max(0, seconds ?? 0);
  if (all < 10) return `${all.toFixed(1)} s`;
  if (all < 120) return `${Math.round(all)} s`;
  if (all < 7200) return `${Math.floor(all / 60)} min ${Math.round(all % 60)} s`;
  if (all < 172800) return `${Math.floor(all / 3600)} h ${Math.floor((all % 3600) / 60)} min`;
  return `${Math.floor(all / 86400)} d ${Math.floor((all % 86400) / 3600)} h`;
}

// "20261124170530" and ISO 8601 alike.
export function moment(text: string | undefined): string {
  if (!text) return "–";
  const digits = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(text);
  if (digits) return `${digits[1]}-${digits[2]}-${digits[3]} ${digits[4]}:${digits[5]}:${digits[6]}`;
  return text.replace("T", " ").replace(/(\.\d+)?Z$/, "");
}

export function plural(number: number, one: string, many = one + "s"): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}
