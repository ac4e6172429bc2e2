// Which page the address names: "#/jobs/news/frontier?host=a.example" is {parts: ["jobs", "news", "frontier"], …}.

import {useEffect, useState} from "preact/hooks";

export interface Route {
  parts: string[];
  query: URLSearchParams;
}

export function parse_route(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  return {parts: path.split("/").filter(part => part !== "").map(decodeURIComponent), query: new URLSearchParams(query)};
}

export function link(parts: string[], query: Record<string, string> = {}): string {
  const asked = new URLSearchParams(query).toString();
  return `#/${parts.map(encodeURIComponent).join("/")}${asked ? "?" + asked : ""}`;
}

export function useRoute(): Route {
  const [route, set] = useState(() => parse_route(location.hash));
  useEffect(() => {
    const follow = () => set(parse_route(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}
