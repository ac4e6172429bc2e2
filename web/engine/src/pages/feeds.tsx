// Sites whose feeds are polled: what they are at, what they have found, and those that an operator names here.

import {useState} from "preact/hooks";

import {useAsked} from "../ask";
import {count, moment, span} from "../format";
import {Act, Area, AskForm, Confirm, Failure, Field, Section, Table, text_of} from "../parts";
import type {Feed, FeedSite, FeedSites} from "../types";
import {NotRunning} from "./job";
import type {JobView} from "./job";

function state_of(site: FeedSite): string {
  if (site.state === "waiting" && !site.active) return "paused";
  return site.in_progress > 0 ? `${site.state}, ${count(site.in_progress)} to do` : site.state;
}

function trouble_of(site: FeedSite): string {
  const failing = site.feeds.filter(feed => feed.trouble !== "");
  return failing.length === 0 ? "–" : failing.map(feed => `${feed.url}: ${feed.trouble} (${count(feed.failures)} in a row)`).join("; ");
}

// A line a feed: its URL, then its implied pages.
function feeds_of(text: string) {
  return text.split("\n").map(line => line.trim().split(/\s+/)).filter(words => words[0] !== "").map(([url, ...pages]) => ({url, implied_pages: pages}));
}

function Sites(props: {view: JobView; sites: FeedSite[]; again: () => void}) {
  const {view, sites, again} = props;
  const [asks, set_asks] = useState("");
  const poll = async (site: string) => {
    await view.crawl.post("/feeds/poll", {site});
    again();
  };
  const remove = async () => {
    await view.crawl.post("/feeds/remove", {site: asks});
    set_asks("");
    again();
  };
  return (
    <Section title="Sites">
      <Table caption="Sites whose feeds are polled" rows={sites} key_of={one => one.name} none="No site is polled." columns={[
        {head: "Site", row_head: true, cell: one => one.name},
        {head: "State", cell: state_of},
        {head: "Wait", cell: one => span(one.wait_seconds)},
        {head: "Last poll", cell: one => moment(one.last_poll)},
        {head: "Next poll", cell: one => moment(one.next_poll)},
        {head: "Polls", number: true, cell: one => count(one.round)},
        {head: "Items", number: true, cell: one => count(one.items)},
        {head: "Captured", number: true, cell: one => count(one.captured)},
        {head: "Failed", number: true, cell: one => count(one.failed)},
        {head: "Trouble", cell: trouble_of},
        {head: "Named by", cell: one => one.source},
        {head: "Do", cell: one => !view.may_change || one.state === "ended" ? "–" : (
          <span class="buttons">
            <Act label={`Poll ${one.name} now`} act={() => poll(one.name)} done={`${one.name} is polled.`}>Poll now</Act>
            {one.source === "api" && <button type="button" class="danger" aria-label={`Remove ${one.name}`} onClick={() => set_asks(one.name)}>Remove</button>}
          </span>
        )},
      ]} />
      {asks && <Confirm title={`Poll ${asks} no more?`} text="What its last poll has found is captured." button="Remove" act={remove} done={`${asks} is polled no more.`} close={() => set_asks("")} />}
    </Section>
  );
}

function Feeds(props: {sites: FeedSite[]}) {
  const rows: (Feed & {site: string})[] = props.sites.flatMap(site => site.feeds.map(feed => ({...feed, site: site.name})));
  return (
    <Section title="Feeds">
      <Table caption="All feeds" rows={rows} key_of={one => `${one.site} ${one.url}`} none="There is no feed." columns={[
        {head: "Feed", row_head: true, cell: one => one.url},
        {head: "Site", cell: one => one.site},
        {head: "Form", cell: one => one.form || "–"},
        {head: "Newest item", cell: one => moment(one.newest)},
        {head: "Last fetch", cell: one => moment(one.last_fetch)},
        {head: "Fetches", number: true, cell: one => count(one.fetches)},
        {head: "Unchanged", number: true, cell: one => count(one.unchanged)},
        {head: "Items", number: true, cell: one => count(one.items)},
        {head: "Implied pages", number: true, cell: one => count(one.implied_pages.length)},
        {head: "Failures in a row", number: true, cell: one => count(one.failures)},
        {head: "Left out until", cell: one => moment(one.not_before)},
      ]} />
    </Section>
  );
}

export function FeedsPage(props: {view: JobView}) {
  const {view} = props;
  const {value, error, again} = useAsked<FeedSites | null>(`feeds ${view.job} ${view.status !== null}`, async () => view.status ? view.crawl.get<FeedSites>("/feeds") : null, 3000);
  if (!view.status) return <Section title="Feeds"><NotRunning what="The report feeds-report of a launch tells of its feeds." /></Section>;
  const add = async (fields: FormData, form: HTMLFormElement) => {
    const site = {name: text_of(fields, "name"), wait: text_of(fields, "wait"), feeds: feeds_of(text_of(fields, "feeds"))};
    await view.crawl.post("/feeds", {}, JSON.stringify({sites: [site]}));
    form.reset();
    again();
  };
  const sites = value?.sites ?? [];
  return (
    <>
      <Failure error={error} />
      <Sites view={view} sites={sites} again={again} />
      <Feeds sites={sites} />
      {view.may_change && (
        <Section title="Name a site">
          <AskForm send={add} button="Poll it" label="Name a site" done="The site is polled.">
            <Field label="Name" name="name" required pattern="[^\s\/]{1,200}" hint="For reports, without blanks. A name that is known is polled otherwise from now on." />
            <Field label="Wait" name="wait" placeholder="1h30m" hint="From one poll to the next, at least one minute. Empty: as the settings say." />
            <Area label="Feeds" name="feeds" required rows={4} hint="A line each: the URL of the feed, then, after blanks, pages that change when it has new items." />
          </AskForm>
        </Section>
      )}
    </>
  );
}
