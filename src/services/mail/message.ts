import { isEmailAddress } from '../email-address.ts'
import { headerLine, renderHtml, renderText, type Letter } from './layout.ts'
import type { LetterName } from './letters.ts'

/** A mail that is ready to go. */
export type Message = {
  kind: LetterName
  to: string
  from: Sender
  subject: string
  text: string
  html: string
  date: Date
}

export type Sender = { name: string; address: string }

/** How messages leave: never throws, and takes no part of a message into the log but its address. */
export type Transport = {
  /** @returns false when too many messages wait, which is logged */
  send(message: Message): boolean
  /** Waits for what is under way, at most `withinMs`, and gives the rest up. */
  close(withinMs: number): Promise<void>
}

export function compose(
  kind: LetterName,
  letter: Letter,
  envelope: { to: string; from: Sender; date: Date },
): Message {
  return {
    kind,
    ...envelope,
    subject: headerLine(letter.subject),
    text: renderText(letter),
    html: renderHtml(letter),
  }
}

/** The fields of nodemailer's message. Addresses are objects, so that none is read as a list. */
export function toMail({ to, from, subject, text, html, date }: Message) {
  return {
    from,
    to: { name: '', address: to },
    envelope: { from: from.address, to: [to] },
    subject,
    text,
    html,
    date,
    // No out-of-office answers to what a program sends.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** `Signpost <signpost@example.com>`, or an address alone; null when it is neither. */
export function parseSender(text: string): Sender | null {
  const parts = /^(?:"?([^"<>@,;:\p{Cc}]*?)"?\s*<([^<>]+)>|([^<>]+))$/u.exec(text.trim())
  const address = (parts?.[2] ?? parts?.[3] ?? '').trim()
  return isEmailAddress(address) ? { name: parts?.[1]?.trim() ?? '', address } : null
}
