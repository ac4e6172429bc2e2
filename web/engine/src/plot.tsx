// Curves of what a crawl did lately. They begin when the page is opened; going to another page keeps them.

import {useEffect, useRef} from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

import type {Status} from "./types";

const kMostPoints = 1800;

export interface History {
  times: number[];
  documents: number[];
  bytes: number[];
  queued: number[];
  failed: number[];
}

// By job, or by launch.
const histories = new Map<string, History>();

export function history_of(crawl: string): History {
  let found = histories.get(crawl);
  if (!found) histories.set(crawl, found = {times: [], documents: [], bytes: [], queued: [], failed: []});
  return found;
}

// What progress-statistics.log says, the oldest line first, goes before what was seen since.
export function recall(crawl: string, lines: string[]): void {
  const history = history_of(crawl);
  const first = history.times[0] ?? Infinity;
  const before: History = {times: [], documents: [], bytes: [], queued: [], failed: []};
  for (const line of lines) {
    // Time, discovered, queued, downloaded, doc/s(avg), KB/s(avg), dl-failures
    const [, time, queued, documents, kib, failed] = /^\s*(\d{4}-\d\d-\d\dT[\d:.]+Z)\s+\d+\s+(\d+)\s+\d+\s+([\d.]+)\S*\s+([\d.]+)\S*\s+(\d+)/.exec(line) ?? [];
    if (time === undefined) continue;
    const at = Date.parse(time) / 1000;
    if (at >= first || at <= (before.times[before.times.length - 1] ?? 0)) continue;
    before.times.push(at);
    before.queued.push(Number(queued));
    before.documents.push(Number(documents));
    before.bytes.push(Number(kib) * 1024);
    before.failed.push(Number(failed));
  }
  for (const name of Object.keys(before) as (keyof History)[]) history[name].unshift(...before[name]);
}

export function remember(crawl: string, status: Status): void {
  const history = history_of(crawl);
  const now = Date.now() / 1000;
  if (history.times.length > 0 && now - history.times[history.times.length - 1]! < 0.5) return;
  history.times.push(now);
  history.documents.push(status.documents_per_second);
  history.bytes.push(status.bytes_per_second);
  history.queued.push(status.queued);
  history.failed.push(status.failed);
  if (history.times.length > kMostPoints) for (const row of Object.values(history) as number[][]) row.shift();
}

const kShortest = 60;  // seconds

function span_of(low: number | null, high: number | null): [number, number] {
  const end = high ?? Date.now() / 1000;
  return [Math.min(low ?? end, end - kShortest), end];
}

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function make_plot(home: HTMLElement, unit: (value: number) => string, data: uPlot.AlignedData): uPlot {
  const axis = {stroke: colour("--quiet"), grid: {stroke: colour("--line"), width: 1}, ticks: {stroke: colour("--line"), width: 1}, font: "12px system-ui"};
  return new uPlot({
    width: home.clientWidth,
    height: 130,
    fmtDate: template => uPlot.fmtDate(template.replace("{M}/{D}/{YY}", "{YYYY}-{MM}-{DD}").replace("{M}/{D}", "{MM}-{DD}").replace("{h}", "{HH}").replace("{aa}", "")),
    legend: {show: false},
    cursor: {show: false},
    // A single point would stand among years.
    scales: {x: {range: (_self, low, high) => span_of(low, high)}, y: {range: (_self, _low, high) => [0, high > 0 ? high * 1.1 : 1]}},
    axes: [{...axis, space: 70}, {...axis, size: 64, values: (_self, values) => values.map(unit)}],
    series: [{}, {stroke: colour("--curve"), width: 2, fill: colour("--curve-fill"), points: {show: false}}],
  }, data, home);
}

// `least`: smaller values are not told apart, as they come from a log that counts in such steps.
export function Plot(props: {title: string; times: number[]; values: number[]; unit: (value: number) => string; least?: number}) {
  const home = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>();
  const data = useRef<uPlot.AlignedData>([[], []]);
  data.current = [props.times, props.values];
  useEffect(() => {
    const element = home.current!;
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const draw = () => {
      plot.current?.destroy();
      plot.current = make_plot(element, props.unit, data.current);
    };
    const watcher = new ResizeObserver(() => plot.current?.setSize({width: element.clientWidth, height: 130}));
    draw();
    watcher.observe(element);
    dark.addEventListener("change", draw);
    return () => {
      watcher.disconnect();
      dark.removeEventListener("change", draw);
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, []);
  const last = props.values[props.values.length - 1] ?? 0;
  const most = props.values.reduce((high, value) => Math.max(high, value), 0);
  useEffect(() => plot.current?.setData([props.times, props.values]), [props.times.length, last, props.times[0]]);
  const least = props.least ?? 0;
  const words = (value: number) => value < least ? `below ${props.unit(least)}` : props.unit(value);
  return (
    <figure class="plot">
      <figcaption>{props.title}: <strong>{words(last)}</strong> <span class="quiet">{most < least ? "" : `at most ${props.unit(most)}`}</span></figcaption>
      <div ref={home} aria-hidden="true" />
    </figure>
  );
}
