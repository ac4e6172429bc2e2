// The documents of the two interfaces, as far as the pages show them: api/engine.yaml and api/openapi.yaml.

export interface Machine {
  version: string;
  jobs_dir: string;
  started: string;
  processors: number;
  memory: {total: number; available: number};
  disk: {total: number; free: number};
  max_running: number;
  allowance: {memory: number; processors: number; bandwidth: number; disk: number};
  running: number;
}

export interface Summary {
  name: string;
  is_profile: boolean;
  state: string;
  exit: string;
  status: string;
  launch_count: number;
  last_launch: string;
  actions: string[];
  documents: number;
  bytes: number;
  documents_per_second: number;
  alerts: number;
}

export interface Launch {
  name: string;
  started: string;
  ended: string;
  exit: string;
  documents: number;
  bytes: number;
}

export interface Detail extends Summary {
  config_file: string;
  config_kind: "yaml" | "cxml";
  launches: Launch[];
  log_tail: string[];
  checkpoints: Checkpoint[];
  problems: string[];
  crawl: Status | null;
}

export interface Checkpoint {
  name: string;
  time: string;
  kept: boolean;
  documents: number;
  bytes: number;
  queued: number;
  seen: number;
}

// A feed that is polled; times are empty if there was none.
export interface Feed {
  url: string;
  title: string;
  form: string;
  newest: string;
  last_fetch: string;
  last_found: string;
  not_before: string;
  items: number;
  fetches: number;
  unchanged: number;
  failures: number;
  trouble: string;
  implied_pages: string[];
}

export interface FeedSite {
  name: string;
  source: string;
  state: string;
  active: boolean;
  wait_seconds: number;
  round: number;
  last_poll: string;
  next_poll: string;
  in_progress: number;
  items: number;
  captured: number;
  failed: number;
  feeds: Feed[];
}

export interface FeedSites {
  sites: FeedSite[];
}

export interface Queue {
  queue: string;
  queued: number;
  state: string;
  wait_seconds: number;
  visiting_seconds: number;
  failures: number;
  last_fetch_seconds: number;
  finished: number;
  retries: number;
  over_quota: string;
  retired: boolean;
  given_up: number;
}

export interface Limit {
  name: string;
  used: number;
  limit: number;
  text: string;
}

export interface Status {
  state: string;
  waits_for: string;
  elapsed_seconds: number;
  documents: number;
  bytes: number;
  failed: number;
  excluded: number;
  queued: number;
  seen: number;
  visiting: number;
  hosts: number;
  hosts_aside: number;
  late_median_seconds: number;
  queued_retired: number;
  queued_over_quota: number;
  warc_bytes: number;
  backlog_bytes: number;
  limits: Limit[];
  documents_per_second: number;
  documents_per_second_average: number;
  bytes_per_second: number;
  bytes_per_second_average: number;
  slow_because: string;
  waits: {state: string; queues: number; urls: number}[];
  slowest: Queue[];
  checkpoints: Checkpoint[];
  standing: {lane: number; url: string; step: string; seconds: number; text: string}[];
}

export interface Visit {
  url: string;
  pipeline: string;
  step: string;
  step_seconds: number;
  seconds: number;
  lane: number;
}

export interface Host {
  host: string;
  known: boolean;
  addresses: string[];
  blocked: boolean;
  retired: boolean;
  delay_seconds?: number;
  budget?: number;
  sheets?: string[];
  group?: string;
  dns_failures: number;
  aside: boolean;
  given_up: number;
  wait_seconds: number;
  finished: number;
  in_inbox: number;
  visiting: string;
  queues: Queue[];
}

export interface WaitingUrl {
  url: string;
  via: string;
  hops: string;
  seed: string;
  queue: string;
  where: string;
  precedence: string;
  attempt: number;
  wait_seconds?: number;
  ahead?: number;
}

export interface UrlReport {
  url: string;
  seen: boolean;
  visiting: boolean;
  visiting_seconds: number;
  waits: WaitingUrl[];
  sheets?: string[];
  host: Host;
}

export interface Origin {
  from: string;
  value: string;
  is_sheet: boolean;
  until?: string;
}

export interface Remark {
  severity: string;
  setting: string;
  text: string;
}

export interface Setting {
  name: string;
  value: string;
  doc: string;
  live: boolean;
  per_site: boolean;
  per_host: boolean;
  origins: Origin[];
  remarks: Remark[];
}

// A row of GET /api/schema.
export interface SettingKind {
  name: string;
  type: string;  // in words: "true or false", "list of texts", "whole number"
  unit: string;
  default: string;
  range: string;
  choices: string[];
  secret: boolean;
  expert: boolean;
}

export interface Change {
  name: string;
  before: string;
  after: string;
  refused?: string;
}

export interface Changes {
  applied: boolean;
  changes: Change[];
  remarks: Remark[];
}

export interface Sheet {
  name: string;
  sites: string[];
  urls: string[];
  times: string[];
  when: string;
  settings: {name: string; value: string}[];
}

export interface ScopeReport {
  url: string;
  accepted: boolean;
  rule: string;
  detail: string;
  explanation: string;
  sheets: string[];
  rules: {rule: string; name: string; verdict: string; reason: string}[];
}

export interface Report {
  report: string;
  title: string;
  columns: string[];
  rows: Record<string, unknown>[];
  "is-cut"?: boolean;
}

export interface Me {
  name: string;
  role: string;
  how?: string;
  csrf?: string;
}
