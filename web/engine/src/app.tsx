// The frame of all pages: who is logged in, which page the address names, and where the keyboard stands after a change of it.

import "./app.css";

import {render} from "preact";
import {useCallback, useEffect, useState} from "preact/hooks";

import {HarvestMenu, HarvestPages} from "../../harvest/src/pages";
import {rights_of} from "../../harvest/src/rights";
import {ApiError, ask, get, mode, set_me, take_token_of_address, when_stranger} from "./api";
import {Notices, forget_errors} from "./notices";
import {EnginePage} from "./pages/engine";
import {JobPages} from "./pages/job";
import {LoginPage, TokenPage} from "./pages/login";
import {AccountPage, UsersPage} from "./pages/users";
import {link, useRoute} from "./route";
import type {Route} from "./route";
import type {Me} from "./types";

function Top(props: {route: Route; me: Me | null; log_out: () => void}) {
  const first = props.route.parts[0];
  return (
    <header class="top">
      <a class="brand" href={link([])}>Caddis</a>
      {mode !== "crawl" && props.me && (
        <nav aria-label={mode === "engine" ? "Engine" : "Archive"}>
          {mode === "harvest" ? <HarvestMenu first={first} /> : <a href={link([])} aria-current={first === undefined ? "page" : undefined}>Jobs</a>}
          {props.me.role === "admin" && <a href={link(["users"])} aria-current={first === "users" ? "page" : undefined}>Users</a>}
        </nav>
      )}
      {mode !== "crawl" && props.me && props.me.name && (
        <div class="who"><span><a href={link(["account"])}>{props.me.name}</a> <span class="quiet">({props.me.role})</span></span> <button type="button" onClick={props.log_out}>Log out</button></div>
      )}
    </header>
  );
}

function Page(props: {route: Route; me: Me | null}) {
  const {parts} = props.route;
  if (mode === "crawl") return <JobPages job="" page={parts[0] ?? ""} rest={parts.slice(1)} query={props.route.query} may_change />;
  if (parts[0] === "users") return <UsersPage />;
  if (parts[0] === "account" && props.me) return <AccountPage me={props.me} />;
  if (mode === "harvest") return <HarvestPages route={props.route} rights={rights_of(props.me)} />;
  const may_change = props.me?.role !== "viewer" && props.me?.role !== "curator";
  if (parts[0] === "jobs" && parts[1])
    return <JobPages key={parts[1]} job={parts[1]} page={parts[2] ?? ""} rest={parts.slice(3)} query={props.route.query} may_change={may_change} />;
  return <EnginePage may_change={may_change} />;
}

function App() {
  const route = useRoute();
  const [me, set_known] = useState<Me | null>(null);
  const [asks, set_asks] = useState<"nothing" | "login" | "wait">("wait");
  const learn = useCallback(async () => {
    if (mode === "crawl") {
      try {
        await get("/status");
        set_asks("nothing");
      } catch (error) {
        set_asks((error as ApiError).status === 401 ? "login" : "nothing");
      }
      return;
    }
    try {
      const found = await get<Me>("/api/me");
      set_me(found);
      set_known(found);
      set_asks("nothing");
    } catch (error) {
      // An engine without a log-in has nobody to tell of.
      if ((error as ApiError).status === 404) {
        set_known({name: "", role: "admin"});
        set_asks("nothing");
      } else {
        set_asks("login");
      }
    }
  }, []);
  useEffect(() => {
    when_stranger(() => set_asks("login"));
    void learn();
  }, []);
  const at = route.parts.join("/");
  useEffect(() => {
    forget_errors();
    if (asks !== "nothing") return;
    const names = route.parts.filter(part => part !== "jobs");
    document.title = [...names.reverse(), "Caddis"].join(" – ");
  }, [at, asks]);
  useEffect(() => {
    // A click on a link leads on; the keyboard and the screen reader have to follow it.
    const follow = () => requestAnimationFrame(() => document.querySelector<HTMLElement>("h1")?.focus());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const log_out = async () => {
    await ask("POST", "/logout").catch(() => undefined);
    set_me(null);
    set_known(null);
    set_asks("login");
  };
  return (
    <>
      <a class="skip" href="#main" onClick={event => { event.preventDefault(); document.querySelector<HTMLElement>("h1")?.focus(); }}>To the content</a>
      <Top route={route} me={asks === "nothing" ? me : null} log_out={log_out} />
      <main id="main">
        {asks === "wait" && <h1 tabIndex={-1}>One moment …</h1>}
        {asks === "login" && (mode === "crawl" ? <TokenPage done={learn} /> : <LoginPage done={learn} />)}
        {asks === "nothing" && <Page route={route} me={me} />}
      </main>
      <Notices />
    </>
  );
}

take_token_of_address();
render(<App />, document.getElementById("app")!);
