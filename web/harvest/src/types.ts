// The documents of api/harvest.yaml, as far as pages use them. Times are seconds since 1970; a limit of -1 is none.

export interface Value {
  name: string;
  value: string;
}

export interface SeedList {
  name: string;
  was?: string; // the name under which it is saved
  seeds: string;
  comments: string;
}

export interface Configuration {
  name: string;
  was?: string;
  template: string;
  max_objects: number;
  max_bytes: number;
  overrides: string;
  comments: string;
  seed_lists: string[];
  credentials: string[];
}

export interface Credential {
  name: string;
  was?: string;
  url: string;
  realm: string;
  username: string;
  password?: string;
  has_password?: boolean;
  comments: string;
}

export interface Domain {
  name: string;
  shown: string;
  comments: string;
  traps: string;
  default_configuration: string;
  alias_of: string;
  alias_of_shown: string;
  alias_confirmed: number | null;
  created: number;
  edition: number;
  seed_lists: SeedList[];
  credentials: Credential[];
  configurations: Configuration[];
  owners: {time: number; who: string; text: string}[];
  fields: Value[];
}

export interface DomainLine {
  name: string;
  shown: string;
  alias_of: string;
  alias_of_shown: string;
  configurations: number;
  created: number;
}

export interface Schedule {
  name: string;
  words?: string;
  unit: string;
  every: number;
  minute: number | null;
  hour: number | null;
  weekday: number | null;
  day: number | null;
  zone: string;
  starts: number | null;
  ends: number | null;
  times: number | null;
  comments: string;
  edition: number;
}

export interface Channel {
  name: string;
  is_snapshot: boolean;
  is_default: boolean;
  comments: string;
  edition: number;
}

export interface ExtendedField {
  name: string;
  target: string;
  kind: string;
  choices: string[];
  default_value: string;
  is_mandatory: boolean;
  most_length: number;
  place: number;
  edition: number;
}

export interface Alias {
  alias: string;
  shown_alias: string;
  domain: string;
  shown: string;
  confirmed: number;
  expires: number;
}

export interface TrapList {
  name: string;
  description: string;
  traps: string;
  is_active: boolean;
  edition: number;
}

export interface Template {
  name: string;
  kind: string;
  source?: string;
  settings?: string;
  remarks: string[];
  is_active: boolean;
  comments: string;
  edition: number;
}

export interface Harvest {
  name: string;
  kind: string;
  made_by: string;
  comments: string;
  audience: string;
  traps: string;
  channel: string;
  schedule: string;
  max_objects: number;
  max_bytes: number;
  max_seconds: number;
  based_on: string;
  is_active: boolean;
  next_run: number | null;
  runs: number;
  missed: number;
  problem: string;
  waits: string;
  created: number;
  edition: number;
  configurations: number;
  fields: Value[];
}

export interface Progress {
  state: string;
  documents: number;
  bytes: number;
  documents_per_second: number;
  alerts: number;
  crawl: {queued?: number; hosts?: number; slow_because?: string} | null;
}

export interface Job {
  job: number;
  harvest: string;
  made_by: string;
  kind: string;
  run: number;
  channel: string;
  state: string;
  template: string;
  max_objects: number;
  max_bytes: number;
  max_seconds: number;
  expected: number;
  configurations: number;
  seeds: number;
  created: number;
  submitted: number | null;
  started: number | null;
  ended: number | null;
  heard: number | null;
  harvester: string;
  wish: string;
  continues: number | null;
  resubmitted_as: number | null;
  patches: number | null;
  left_by: string;
  left_why: string;
  has_live_limits: boolean;
  harvest_error: string;
  harvest_details: string;
  upload_error: string;
  upload_details: string;
  command: string;
  exit: string;
  verdict: string;
  verdict_note: string;
  objects: number;
  bytes: number;
  progress: Progress | null;
  files?: string[];
  stored?: {name: string; kind: string; bytes: number; sha256: string}[];
}

export interface ResultLine {
  id: number;
  job: number;
  harvest: string;
  run: number;
  domain: string;
  shown: string;
  configuration: string;
  objects: number;
  bytes: number;
  stop_reason: string;
  time: number;
}

export interface JobDomain {
  domain: string;
  shown: string;
  configuration: string;
  max_objects: number;
  max_bytes: number;
  expected: number;
  traps: string;
}

export interface RunTotals {
  run: number;
  jobs: number;
  open: number;
  failed: number;
  objects: number;
  bytes: number;
  created: number;
  started: number | null;
  ended: number | null;
}

export interface ReasonTotals {
  stop_reason: string;
  results: number;
  objects: number;
  bytes: number;
}

export interface Change {
  time: number;
  who: string;
  kind: string;
  name: string;
  what: string;
  fields: {name: string; before: string; after: string}[];
}

export interface Server {
  version: string;
  started: string;
  database: string;
  replay: string;
  replay_port: number;
  time: number;
  counts: {domains: number; harvests: number; jobs: Record<string, number>};
}

export interface Harvester {
  name: string;
  seen: number;
  host: string;
  version: string;
  free_bytes: number;
  state: string;
  job: number | null;
  channels: string[];
}

// A question to a crawl that runs, and its answer if there is one.
export interface Question<Answer> {
  question: number;
  job: number;
  state: "open" | "answered" | "problem";
  asked: number;
  heard: number;
  done: number;
  given_up: boolean;
  answer?: Answer;
  problem?: string;
}

export interface Gone {
  deleted?: number;
  would_delete?: number;
  at_least?: boolean;
}

// A count or a deletion of URLs in the frontier of a job that runs.
export interface LongQuestion extends Question<Gone> {
  text: {host: string; regex: string; dry: boolean; actor: string};
}
