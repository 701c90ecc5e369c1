/**
 * A message in the form that its endpoint takes: as it is, as an incoming webhook of Slack or Teams shows it, or as mail. The
 * links lead to the page where a person decides, after signing in; they decide nothing by themselves.
 */

import type { WebhookFormat } from '../storage/ports/webhooks.ts';

export const webhookFormats = ['standard', 'slack', 'teams', 'email'] as const satisfies readonly WebhookFormat[];

/** For people rather than programs: without a choice they get only what concerns decisions. */
export const PEOPLE_TYPES = ['event.held', 'event.decided'];

/** The members of a message that are shown. */
interface Message {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** One message as text, the same for every form. */
interface Shown {
  title: string;
  facts: [name: string, value: string][];
  reasons: string[];
  links: { title: string; url: string }[];
}

/** Longer texts are cut: a section of Slack has at most 3,000 characters, and a person reads less. */
const LONGEST = 300;
const MOST_REASONS = 3;

const TITLES: Record<string, (data: Message['data']) => string> = {
  'event.held': ({ risk_level, action }) => `Decision needed: ${text(action)} (${text(risk_level)})`,
  'event.decided': ({ state, event_id }) => `The held event ${text(event_id)} is ${text(state)}`,
  'event.scored': ({ risk_level, event_id }) => `The event ${text(event_id)} was scored ${text(risk_level)}`,
  'token.revoked': ({ jti }) => `The token ${text(jti)} was revoked`,
  'key.rotated': ({ key_id }) => `The signing key ${text(key_id)} signs now`,
  'webhook.test': () => 'A test message from Weir',
};

const FACTS: [field: string, name: string][] = [
  ['action', 'Action'],
  ['score', 'Score'],
  ['agent_id', 'Agent'],
  ['user_id', 'User'],
  ['target', 'Target'],
  ['event_id', 'Event'],
  ['expires_at', 'Decide until'],
  ['decided_at', 'At'],
];

function shownOf(body: string): Shown {
  const { type, data } = JSON.parse(body) as Message;
  const link = typeof data['link'] === 'string' ? data['link'] : null;
  const reasons = (data['reasons'] as { text: string }[] | undefined) ?? [];
  return {
    title: TITLES[type]?.(data) ?? type,
    facts: FACTS.flatMap(([field, name]) =>
      data[field] == null ? [] : [[name, text(data[field])] as [string, string]],
    ),
    reasons: reasons.slice(0, MOST_REASONS).map((reason) => text(reason.text)),
    links:
      link === null
        ? []
        : [
            { title: 'Approve', url: `${link}&decision=approve` },
            { title: 'Reject', url: `${link}&decision=reject` },
            { title: 'Show', url: link },
          ],
  };
}

/** One line; a target as `type:id`. */
function text(value: unknown): string {
  const parts =
    typeof value === 'object' && value !== null ? Object.values(value).filter((part) => part != null) : [value];
  const line = parts.join(':').replaceAll(/\p{C}+/gu, ' ');
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}

/** The body for an incoming webhook of Slack, or of a chat that takes the same (Mattermost, Rocket.Chat). */
export function slackBody(body: string): string {
  const { title, facts, reasons, links } = shownOf(body);
  const escaped = (one: string): string => one.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const lines = [
    `*${escaped(title)}*`,
    ...reasons.map((reason) => `• ${escaped(reason)}`),
    ...facts.map(([name, value]) => `${name}: ${escaped(value)}`),
  ];
  const buttons = links.map(({ title: label, url }) => ({
    type: 'button',
    text: { type: 'plain_text', text: label },
    url,
    ...(label === 'Approve' && { style: 'primary' }),
    ...(label === 'Reject' && { style: 'danger' }),
  }));
  const section = { type: 'section', text: { type: 'mrkdwn', text: lines.join('\n').slice(0, 3_000) } };
  const blocks = buttons.length === 0 ? [section] : [section, { type: 'actions', elements: buttons }];
  return JSON.stringify({ text: escaped(title), blocks });
}

/** The body for an incoming webhook of Teams (a workflow): an adaptive card. */
export function teamsBody(body: string): string {
  const { title, facts, reasons, links } = shownOf(body);
  const escaped = (one: string): string => one.replaceAll(/[\\`*_[\]()#~<>]/g, (sign) => `\\${sign}`);
  const block = (words: string, more: object = {}) => ({
    type: 'TextBlock',
    text: escaped(words),
    wrap: true,
    ...more,
  });
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      block(title, { weight: 'Bolder', size: 'Medium' }),
      ...reasons.map((reason) => block(reason)),
      { type: 'FactSet', facts: facts.map(([name, value]) => ({ title: name, value: escaped(value) })) },
    ],
    actions: links.map(({ title: label, url }) => ({ type: 'Action.OpenUrl', title: label, url })),
  };
  return JSON.stringify({
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  });
}

export interface MailText {
  subject: string;
  text: string;
}

/** Plain text: what an agent wrote cannot become markup. */
export function mailText(body: string): MailText {
  const { title, facts, reasons, links } = shownOf(body);
  const parts = [
    title,
    reasons.map((reason) => `- ${reason}`).join('\n'),
    facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
    links.map(({ title: label, url }) => `${label}: ${url}`).join('\n'),
    links.length === 0 ? '' : 'The links ask you to sign in, and to confirm.',
  ];
  return { subject: `[Weir] ${title}`, text: `${parts.filter(Boolean).join('\n\n')}\n` };
}
