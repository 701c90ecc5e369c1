/** The sign-in page: one file without anything from outside. The secret of a link is in the fragment, which no server and no log sees. */
import { hash } from 'node:crypto';
import { MIN_PASSWORD } from '../../../people/passwords.ts';
import type { Answer } from '../../../platform/http/endpoint.ts';

const SCRIPT = `
const by = (id) => document.getElementById(id);
const say = (text) => { by('said').textContent = text; };
const secret = location.hash.slice(1);
const done = (name) => { by('forms').hidden = true; say('Signed in' + (name ? ' as ' + name : '') + '. You can close this page.'); };
history.replaceState(null, '', location.pathname);
by(secret.length > 20 ? 'link' : 'password').hidden = false;
if (secret === 'signed-in') fetch('/session').then(async (answer) => done(answer.ok ? (await answer.json()).person.email : ''));
const send = async (body) => {
  const answer = await fetch('/sign-in', {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
  });
  const told = await answer.json();
  if (answer.ok) done(told.person.email); else say(told.detail);
};
const fields = (form) => Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''));
for (const id of ['link', 'password'])
  by(id).addEventListener('submit', (event) => {
    event.preventDefault();
    send({ ...(id === 'link' && { link: secret }), ...fields(event.target) });
  });
`;

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 4rem auto; padding: 0 1rem; }
label, input, button, a.button { display: block; width: 100%; box-sizing: border-box; margin: .4rem 0; }
input, button { font: inherit; padding: .5rem; }
[hidden] { display: none; }
`;

const page = (has_provider: boolean): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sign in to Weir</title>
<style>${STYLE}</style>
<h1>Sign in to Weir</h1>
<p id="said" role="status"></p>
<div id="forms">
<form id="link" hidden>
<label>Password for later sign-ins (optional, at least ${MIN_PASSWORD} characters)
<input name="password" type="password" autocomplete="new-password" minlength="${MIN_PASSWORD}"></label>
<button>Sign in</button>
</form>
<form id="password" hidden>
<label>Email <input name="email" type="email" autocomplete="username" required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button>
${has_provider ? '<p><a href="/sign-in/oidc">Sign in with your organisation’s account</a></p>' : ''}
</form>
</div>
<script>${SCRIPT}</script>
</html>
`;

const digest = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;

const POLICY = [
  "default-src 'none'",
  `script-src ${digest(SCRIPT)}`,
  `style-src ${digest(STYLE)}`,
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function signInPage(has_provider: boolean): Answer {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  };
  return { headers, body: page(has_provider) };
}
