// Limits and times in words that people read, and read from what they write.

import {bytes, count} from "../../engine/src/format";

export function time(seconds: number | null | undefined): string {
  return seconds ? new Date(seconds * 1000).toISOString().replace("T", " ").replace(".000Z", "") : "–";
}

export function objects(limit: number): string {
  return limit < 0 ? "any number" : count(limit);
}

export function size(limit: number): string {
  return limit < 0 ? "any size" : bytes(limit);
}

// An empty field is no limit.
export function limit_of(text: string): number {
  if (text === "") return -1;
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0) throw new Error(`“${text}” is no limit: write a whole number, or nothing.`);
  return number;
}

export function limit_text(limit: number): string {
  return limit < 0 ? "" : String(limit);
}

// “2026-01-31T08:00” in UTC, as a browser gives it.
export function moment_of(text: string): number | null {
  return text === "" ? null : Math.floor(Date.parse(text + "Z") / 1000);
}

export function number_of(text: string): number | null {
  return text === "" ? null : Number(text);
}

export function moment_text(seconds: number | null | undefined): string {
  return seconds ? new Date(seconds * 1000).toISOString().slice(0, 16) : "";
}

export function number_text(number: number | null | undefined): string {
  return number === null || number === undefined ? "" : String(number);
}
