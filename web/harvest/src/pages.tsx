// Which page of a harvest server the address names, and the menu.

import {link} from "../../engine/src/route";
import type {Route} from "../../engine/src/route";
import {AliasesPage, DomainPage, DomainsPage} from "./domains";
import {HarvestPage, HarvestsPage} from "./harvests";
import {JobPage, JobsPage} from "./jobs";
import {Overview} from "./overview";
import {StoresPage} from "./stores";
import {RightsContext} from "./rights";
import type {Rights} from "./rights";
import {RulesPage, SchedulesPage, TemplatePage, TemplatesPage} from "./plans";

const kMenu: [string, string][] = [
  ["", "Archive"], ["domains", "Domains"], ["harvests", "Harvests"], ["jobs", "Jobs"], ["schedules", "Schedules"], ["templates", "Templates"], ["rules", "Traps, channels"], ["stores", "Stores"],
];

export function HarvestMenu(props: {first: string | undefined}) {
  return (
    <>
      {kMenu.map(([part, name]) => <a key={part} href={link(part ? [part] : [])} aria-current={(props.first ?? "") === part ? "page" : undefined}>{name}</a>)}
    </>
  );
}

export function HarvestPages(props: {route: Route; rights: Rights}) {
  return <RightsContext.Provider value={props.rights}><PageOf route={props.route} rights={props.rights} /></RightsContext.Provider>;
}

function PageOf(props: {route: Route; rights: Rights}) {
  const [first, name] = props.route.parts;
  const may_change = props.rights.may_plan;
  if (first === "domains") return name ? <DomainPage key={name} name={name} may_change={may_change} /> : <DomainsPage may_change={may_change} />;
  if (first === "harvests") return name ? <HarvestPage key={name} name={name} may_change={may_change} /> : <HarvestsPage may_change={may_change} />;
  if (first === "jobs") return name ? <JobPage key={name} number={name} may_change={may_change} /> : <JobsPage />;
  if (first === "schedules") return <SchedulesPage may_change={may_change} />;
  if (first === "templates") return name ? <TemplatePage key={name} name={name} may_change={props.rights.may_steer} /> : <TemplatesPage may_change={props.rights.may_steer} />;
  if (first === "aliases") return <AliasesPage may_change={may_change} />;
  if (first === "stores") return <StoresPage may_change={props.rights.may_steer} />;
  if (first === "rules") return <RulesPage may_change={may_change} />;
  return <Overview />;
}
