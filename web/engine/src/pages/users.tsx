// People who may log in, tokens for programs, and one's own password.

import {useState} from "preact/hooks";

import {ask, get, mode, post_json, send_json} from "../api";
import {useAsked} from "../ask";
import {moment, plural} from "../format";
import {tell} from "../notices";
import {Act, AskForm, Choice, Confirm, Failure, Field, Section, Table, text_of} from "../parts";
import type {Me} from "../types";

interface User {
  name: string;
  role: string;
  tokens: number;
}

interface Token {
  id: string;
  user: string;
  role: string;
  purpose: string;
  expires: string | null;
}

const kRoles: [string, string][] = [["viewer", "viewer: sees all of the jobs"],
  ...(mode === "harvest" ? [["curator", "curator: and says what is harvested"] as [string, string]] : []),
  ["operator", "operator: and changes jobs"], ["admin", "admin: and users, and the engine"],
  ...(mode === "harvest" ? [["harvester", "harvester: a machine that takes jobs, and does nothing else"] as [string, string]] : [])];
const kRoleNames = kRoles.map(([name]): [string, string] => [name, name]);

function RoleOf(props: {user: User; again: () => void}) {
  const [role, set_role] = useState(props.user.role);
  const save = async () => {
    await send_json("PUT", `/api/users/${encodeURIComponent(props.user.name)}`, {role});
    props.again();
  };
  return (
    <span class="buttons">
      <select aria-label={`Role of ${props.user.name}`} value={role} onChange={event => set_role(event.currentTarget.value)}>{kRoleNames.map(([name]) => <option key={name} value={name}>{name}</option>)}</select>
      {role !== props.user.role && <Act act={save} done={`${props.user.name} is ${role} now.`} label={`Save the role of ${props.user.name}`}>Save</Act>}
    </span>
  );
}

function Users() {
  const {value, error, again} = useAsked("users", () => get<{users: User[]}>("/api/users"));
  const [leaving, set_leaving] = useState("");
  const add = async (fields: FormData, form: HTMLFormElement) => {
    const name = text_of(fields, "name");
    await post_json("/api/users", {name, role: text_of(fields, "role"), password: String(fields.get("password") ?? "")});
    form.reset();
    again();
    tell(`${name} may log in.`);
  };
  return (
    <>
      <Section title="Users">
        <Failure error={error} />
        {value && <Table caption={plural(value.users.length, "user")} rows={value.users} key_of={user => `${user.name} ${user.role}`} columns={[
          {head: "Name", row_head: true, cell: user => user.name},
          {head: "Role", cell: user => <RoleOf user={user} again={again} />},
          {head: "Do", cell: user => <button type="button" class="danger" aria-label={`Remove ${user.name}`} onClick={() => set_leaving(user.name)}>Remove</button>},
        ]} />}
      </Section>
      <Section title="New user">
        <AskForm send={add} button="Add" label="New user">
          <Field label="Name" name="name" required />
          <Choice label="Role" name="role" options={kRoles} />
          <Field label="Password" name="password" type="password" autocomplete="new-password" required />
        </AskForm>
      </Section>
      {leaving && <Confirm title={`Remove ${leaving}?`} text="The user cannot log in any more, and is logged out." button="Remove" done="The user is removed."
                           act={async () => { await ask("DELETE", `/api/users/${encodeURIComponent(leaving)}`); again(); }} close={() => set_leaving("")} />}
    </>
  );
}

function Tokens(props: {role: string}) {
  const {value, error, again} = useAsked("tokens", () => get<{tokens: Token[]}>("/api/tokens"));
  const [made, set_made] = useState("");
  const add = async (fields: FormData, form: HTMLFormElement) => {
    const days = text_of(fields, "days");
    const answer = await post_json<{token: string}>("/api/tokens", {purpose: text_of(fields, "purpose"), role: text_of(fields, "role"), ...(days ? {days} : {})});
    set_made(answer.token);
    form.reset();
    again();
  };
  const remove = async (token: Token) => {
    await ask("DELETE", `/api/tokens/${encodeURIComponent(token.id)}`);
    again();
  };
  const mine = kRoles.slice(0, kRoles.findIndex(([name]) => name === props.role) + 1);
  return (
    <Section title="Tokens for programs">
      <Failure error={error} />
      {value && <Table caption={plural(value.tokens.length, "token")} rows={value.tokens} key_of={token => token.id} none="There is no token." columns={[
        {head: "For", row_head: true, cell: token => token.purpose || token.id},
        {head: "Of", cell: token => token.user},
        {head: "Role", cell: token => token.role},
        {head: "Ends", cell: token => token.expires ? moment(token.expires) : "never"},
        {head: "Do", cell: token => <Act kind="danger" label={`Remove the token ${token.purpose || token.id}`} done="The token is removed." act={() => remove(token)}>Remove</Act>},
      ]} />}
      <AskForm send={add} button="Make a token" label="New token">
        <Field label="What it is for" name="purpose" required />
        <Choice label="Role" name="role" options={mine} />
        <Field label="Days until it ends" name="days" inputMode="numeric" pattern="[0-9]*" defaultValue="90" hint="Empty: it does not end." />
      </AskForm>
      {made && <p role="status" class="fine">The token, shown this once: <code>{made}</code></p>}
    </Section>
  );
}

function Password() {
  const send = async (fields: FormData, form: HTMLFormElement) => {
    await send_json("PUT", "/api/me/password", {old: String(fields.get("old")), new: String(fields.get("new"))});
    form.reset();
    tell("The password is changed. Log in again where you are asked to.");
  };
  return (
    <Section title="Your password">
      <AskForm send={send} button="Change it" label="Your password">
        <Field label="Old password" name="old" type="password" autocomplete="current-password" required />
        <Field label="New password" name="new" type="password" autocomplete="new-password" required />
      </AskForm>
    </Section>
  );
}

export function UsersPage() {
  return (
    <>
      <h1 tabIndex={-1}>Users</h1>
      <Users />
    </>
  );
}

export function AccountPage(props: {me: Me}) {
  return (
    <>
      <h1 tabIndex={-1}>{props.me.name}</h1>
      <Password />
      <Tokens role={props.me.role} />
    </>
  );
}
