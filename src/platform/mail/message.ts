import { isEmailAddress } from './email-address.ts'
import { headerLine, renderHtml, renderText, type MailContent } from './layout.ts'
import type { TemplateName } from './templates.ts'

/** A mail that is ready to be sent. */
export type Message = {
  template: TemplateName
  to: string
  from: Sender
  subject: string
  /** The link in the text. */
  link: string | null
  text: string
  html: string
  date: Date
}

export type Sender = { name: string; address: string }

/** Sends messages. Never throws, and logs no part of a message but template and recipient. */
export type Transport = {
  /** @returns false when the queue is full, which is logged */
  send(message: Message): boolean
  /** Waits for messages that are being sent, and drops them after the timeout. */
  close(timeoutMs: number): Promise<void>
}

export function compose(
  template: TemplateName,
  content: MailContent,
  envelope: { to: string; from: Sender; date: Date },
): Message {
  return {
    template,
    ...envelope,
    subject: headerLine(content.subject),
    link: content.link?.url ?? null,
    text: renderText(content),
    html: renderHtml(content),
  }
}

/** Converts to nodemailer's message. Addresses are objects, because strings are parsed as lists. */
export function toMail({ to, from, subject, text, html, date }: Message) {
  return {
    from,
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    subject,
    text,
    html,
    date,
    // Suppresses out-of-office answers.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Parses `Signpost <signpost@example.com>` or a bare address; null for anything else. */
export function parseSender(text: string): Sender | null {
  const parts = /^(?:"?([^"<>@,;:\p{Cc}]*?)"?\s*<([^<>]+)>|([^<>]+))$/u.exec(text.trim())
  const address = (parts?.[2] ?? parts?.[3] ?? '').trim()
  return isEmailAddress(address) ? { name: parts?.[1]?.trim() ?? '', address } : null
}
