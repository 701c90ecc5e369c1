/** Mail through the operator's SMTP server (`SMTP_URL`): one attempt, with bounded waits. */
import type { Transporter } from 'nodemailer';
import type { MailText } from './formats.ts';
import type { Result } from './send.ts';

export interface Mail extends MailText {
  to: string;
  /** Becomes the Message-ID, so that a mail that came twice can be told. */
  message_id: string;
}

export interface Mailer {
  send(mail: Mail): Promise<Result>;
  close(): void;
}

/** Connection, greeting and each answer; together less than the lease of a message. */
const STEP_MS = 5_000;
const ACCEPTED = 250;

/** `null`: no server is set, and every attempt fails with that reason. */
export function createMailer(server: { url: string; from: string } | null): Mailer {
  if (server === null)
    return {
      send: async () => ({
        kind: 'failed',
        status: null,
        reason: 'SMTP_URL and SMTP_FROM are not set',
        retry_after_s: null,
      }),
      close: () => {},
    };
  let transport: Transporter | null = null;
  // Loaded for the first mail.
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer');
    transport ??= createTransport({
      url: server.url,
      connectionTimeout: STEP_MS,
      greetingTimeout: STEP_MS,
      socketTimeout: STEP_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return transport;
  };
  return {
    async send({ to, subject, text, message_id }) {
      const mailer = await open();
      try {
        const headers = { 'auto-submitted': 'auto-generated' };
        await mailer.sendMail({ from: server.from, to, subject, text, messageId: `<${message_id}@weir>`, headers });
        return { kind: 'delivered', status: ACCEPTED };
      } catch (error) {
        const { responseCode = null } = error as { responseCode?: number | null };
        const reason =
          responseCode === null ? 'the mail server cannot be reached' : `the mail server answered ${responseCode}`;
        return { kind: 'failed', status: responseCode, reason, retry_after_s: null };
      }
    },
    close: () => transport?.close(),
  };
}

const MAX_ADDRESS = 254;
const ADDRESS = /^[^\s@,;:<>"()[\]\\]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/;

/** The address of `mailto:ann@example.com`; null for anything else, such as several addresses or a subject. */
export function mailAddress(url: string): string | null {
  const address = /^mailto:(.*)$/i.exec(url)?.[1] ?? '';
  return address.length <= MAX_ADDRESS && ADDRESS.test(address) ? address : null;
}
