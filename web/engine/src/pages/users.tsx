// People who may log in, and tokens for programs. Only admins see this.

import {useState} from "preact/hooks";

import {ask, get, post_json} from "../api";
import {useAsked} from "../ask";
import {moment, plural} from "../format";
import {Act, AskForm, Choice, Confirm, Failure, Field, Section, Table, text_of} from "../parts";
import {tell} from "../notices";

interface User {
  name: string;
  role: string;
}

interface Token {
  name: string;
  role: string;
  expires?: string;
}

const kRoles: [string, string][] = [["viewer", "viewer: sees everything of the jobs"], ["operator", "operator: and changes jobs"], ["admin", "admin: and users, and the engine"]];

function Users() {
  const {value, error, again} = useAsked("users", () => get<{users: User[]}>("/api/users"));
  const [leaving, set_leaving] = useState("");
  const add = async (fields: FormData, form: HTMLFormElement) => {
    await post_json("/api/users", {name: text_of(fields, "name"), role: text_of(fields, "role"), password: String(fields.get("password") ?? "")});
    form.reset();
    again();
  };
  return (
    <>
      <Section title="Users">
        <Failure error={error} />
        {value && <Table caption={plural(value.users.length, "user")} rows={value.users} key_of={user => user.name} columns={[
          {head: "Name", row_head: true, cell: user => user.name},
          {head: "Role", cell: user => user.role},
          {head: "Do", cell: user => <button type="button" class="danger" aria-label={`Remove ${user.name}`} onClick={() => set_leaving(user.name)}>Remove</button>},
        ]} />}
      </Section>
      <Section title="New user">
        <AskForm send={add} button="Add" label="New user" done="The user may log in.">
          <Field label="Name" name="name" required />
          <Choice label="Role" name="role" options={kRoles} />
          <Field label="Password" name="password" type="password" autocomplete="new-password" required minLength={8} hint="Eight characters at least." />
        </AskForm>
      </Section>
      {leaving && <Confirm title={`Remove ${leaving}?`} text="The user cannot log in any more, and is logged out." button="Remove" done="The user is removed."
                           act={async () => { await ask("DELETE", `/api/users/${encodeURIComponent(leaving)}`); again(); }} close={() => set_leaving("")} />}
    </>
  );
}

function Tokens() {
  const {value, error, again} = useAsked("tokens", () => get<{tokens: Token[]}>("/api/tokens"));
  const [made, set_made] = useState("");
  const add = async (fields: FormData, form: HTMLFormElement) => {
    const days = Number(text_of(fields, "days") || "0");
    const answer = await post_json<{token: string}>("/api/tokens", {name: text_of(fields, "name"), role: text_of(fields, "role"), days});
    set_made(answer.token);
    form.reset();
    again();
  };
  return (
    <Section title="Tokens for programs">
      <Failure error={error} />
      {value && <Table caption={plural(value.tokens.length, "token")} rows={value.tokens} key_of={token => token.name} none="There is no token." columns={[
        {head: "Name", row_head: true, cell: token => token.name},
        {head: "Role", cell: token => token.role},
        {head: "Ends", cell: token => token.expires ? moment(token.expires) : "never"},
        {head: "Do", cell: token => <Act kind="danger" label={`Remove the token ${token.name}`} act={async () => { await ask("DELETE", `/api/tokens/${encodeURIComponent(token.name)}`); again(); tell("The token is removed."); }}>Remove</Act>},
      ]} />}
      <AskForm send={add} button="Make a token" label="New token">
        <Field label="Name" name="name" required />
        <Choice label="Role" name="role" options={kRoles} />
        <Field label="Days until it ends" name="days" inputMode="numeric" defaultValue="90" />
      </AskForm>
      {made && <p role="status" class="fine">The token, shown this once: <code>{made}</code></p>}
    </Section>
  );
}

export function UsersPage() {
  return (
    <>
      <h1 tabIndex={-1}>Users</h1>
      <Users />
      <Tokens />
    </>
  );
}
