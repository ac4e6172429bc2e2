// Who looks at the pages, and what they may do: a curator says what is harvested, an operator steers besides, an admin everything.

import {createContext} from "preact";
import {useContext} from "preact/hooks";

import type {Me} from "../../engine/src/types";

export interface Rights {
  name: string;
  may_plan: boolean;   // domains, schedules, harvests, traps, verdicts
  may_steer: boolean;  // all jobs, channels, templates, fields, stores
  is_admin: boolean;
}

// A server without a log-in has nobody to tell of.
export function rights_of(me: Me | null): Rights {
  const role = me?.role ?? "admin";
  return {name: me?.name ?? "", may_plan: ["curator", "operator", "admin"].includes(role), may_steer: role === "operator" || role === "admin", is_admin: role === "admin"};
}

export const RightsContext = createContext<Rights>(rights_of(null));

export function useRights(): Rights {
  return useContext(RightsContext);
}

// The jobs of a harvest are steered by operators, and by who has made it.
export function may_steer(rights: Rights, made_by: string): boolean {
  return rights.may_steer || (rights.may_plan && made_by !== "" && made_by === rights.name);
}
