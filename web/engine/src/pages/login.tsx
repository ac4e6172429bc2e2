// Where people say who they are: by name and password to an engine, by its token to a crawl.

import {ApiError, get, post_json, set_token} from "../api";
import {AskForm, Field, Section, text_of} from "../parts";

export function LoginPage(props: {done: () => Promise<void>}) {
  const send = async (fields: FormData) => {
    await post_json("/login", {name: text_of(fields, "name"), password: String(fields.get("password") ?? "")});
    await props.done();
  };
  return (
    <>
      <h1 tabIndex={-1}>Log in</h1>
      <Section title="Who are you?">
        <AskForm send={send} button="Log in" label="Log in">
          <Field label="Name" name="name" autocomplete="username" required />
          <Field label="Password" name="password" type="password" autocomplete="current-password" required />
        </AskForm>
        <p class="hint">The engine printed the password of the first user, admin, when it was started for the first time. Others are made with <code>caddis users add</code>.</p>
      </Section>
    </>
  );
}

export function TokenPage(props: {done: () => Promise<void>}) {
  const send = async (fields: FormData) => {
    set_token(text_of(fields, "token"));
    try {
      await get("/status");
    } catch (error) {
      if ((error as ApiError).status === 401) throw new Error("This is not the token of the crawl.");
      throw error;
    }
    await props.done();
  };
  return (
    <>
      <h1 tabIndex={-1}>Caddis crawl</h1>
      <Section title="This crawl asks for its token">
        <AskForm send={send} button="Show" label="Token">
          <Field label="Token" name="token" required
                 hint={<>The crawl printed it when it began, and keeps it in <code>state/control.token</code> of its folder.</>} />
        </AskForm>
      </Section>
    </>
  );
}
