// Requests to the server that these pages come from, and to no other. With an engine or a harvest server a cookie says who asks; with a
// single crawl it is the token that the crawl printed.

import type {Me} from "./types";

export type Mode = "engine" | "crawl" | "harvest";
export const mode: Mode = (document.documentElement.dataset.mode as Mode | undefined) ?? "engine";

export class ApiError extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

// Told when a request was refused for want of a log-in.
let on_stranger: () => void = () => {};
export function when_stranger(told: () => void): void {
  on_stranger = told;
}

let token = "";
let csrf = "";

export function take_token_of_address(): void {
  token = sessionStorage.getItem("token") ?? "";
  const given = new URLSearchParams(location.search).get("token");
  if (given === null) return;
  set_token(given);
  history.replaceState(null, "", location.pathname + location.hash);
}

export function set_token(value: string): void {
  token = value.trim();
  sessionStorage.setItem("token", token);
}

export function set_me(me: Me | null): void {
  csrf = me?.csrf ?? "";
}

export type Query = Record<string, string | number | boolean | undefined>;

export function address(path: string, query: Query = {}): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === "" || value === false) continue;
    parts.push(`${name}=${encodeURIComponent(value === true ? "1" : String(value))}`);
  }
  return parts.length === 0 ? path : `${path}?${parts.join("&")}`;
}

async function message_of(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    const said = JSON.parse(text) as {error?: string};
    if (said.error) return said.error;
  } catch {
    // Not of ours: a proxy's page, for one.
  }
  return text.length > 0 && text.length < 300 ? text : `The server answered ${answer.status}.`;
}

export async function ask(method: string, path: string, query: Query = {}, body?: string,
                          type = "text/plain"): Promise<Response> {
  const headers: Record<string, string> = {};
  if (mode === "crawl" && token) headers["Authorization"] = `Bearer ${token}`;
  if (csrf !== "" && method !== "GET") headers["X-Caddis-CSRF"] = csrf;
  if (body !== undefined) headers["Content-Type"] = type;
  let answer: Response;
  try {
    answer = await fetch(address(path, query), {method, headers, body, credentials: "same-origin"});
  } catch {
    throw new ApiError(0, mode === "crawl" ? "The crawl has ended, or cannot be reached." : "The server cannot be reached.");
  }
  if (answer.ok) return answer;
  if (answer.status === 401) on_stranger();
  throw new ApiError(answer.status, await message_of(answer));
}

export async function get<T>(path: string, query: Query = {}): Promise<T> {
  return (await ask("GET", path, query)).json() as Promise<T>;
}

export async function get_text(path: string, query: Query = {}): Promise<string> {
  return (await ask("GET", path, query)).text();
}

export async function post<T>(path: string, query: Query = {}, body?: string): Promise<T> {
  return (await ask("POST", path, query, body)).json() as Promise<T>;
}

export async function send_json<T>(method: string, path: string, document: unknown): Promise<T> {
  const answer = await ask(method, path, {}, JSON.stringify(document), "application/json");
  const text = await answer.text();
  return (text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : {}) as T;
}

export function post_json<T>(path: string, document: unknown): Promise<T> {
  return send_json<T>("POST", path, document);
}

// One crawl that runs, whoever passes the requests on.
export class Crawl {
  constructor(readonly base: string) {}
  get<T>(path: string, query: Query = {}): Promise<T> {
    return get<T>(this.base + path, query);
  }
  text(path: string, query: Query = {}): Promise<string> {
    return get_text(this.base + path, query);
  }
  post<T>(path: string, query: Query = {}, body?: string): Promise<T> {
    return post<T>(this.base + path, query, body);
  }
}

export function job_path(job: string, rest = ""): string {
  return `/api/jobs/${encodeURIComponent(job)}${rest}`;
}

export function crawl_of(job: string): Crawl {
  return new Crawl(mode === "crawl" ? "" : job_path(job, "/control"));
}

export function file_path(job: string, launch: string, path: string): string {
  const parts = path.split("/").map(encodeURIComponent).join("/");
  return job_path(job, `/launches/${encodeURIComponent(launch)}/files/${parts}`);
}
