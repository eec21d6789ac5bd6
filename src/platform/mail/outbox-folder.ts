import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../core/log.ts'
import { withinMs } from '../core/service.ts'
import { getMailClass, type MailClass } from './templates.ts'
import { toMail, type Message, type Transport } from './message.ts'

const MAX_FILES = 1_000
const TEXT_HEADERS = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit'
export const OUTBOX_FILE = /^\d{8}T\d{6}\.\d{3}Z-.*\.eml$/
const TEMPLATE = /-([A-Za-z]+)-[0-9a-f]{6}\.eml$/

/** Shows a mail with its link, which no log may have. */
export type SayLink = (mail: Pick<Message, 'to' | 'subject'> & { link: string }) => void

type Deps = {
  folder: string
  log: Log
  sayLink?: SayLink | null
  /** Per mail class. */
  maxFiles?: number
}

/**
 * Writes mails to files, for installations without SMTP: one `.eml` per mail, named by its time. Only
 * the owner of the process can read them, since a link is as good as a password. The newest 1,000 files
 * of each mail class are kept.
 */
export function createOutboxFolder({
  folder,
  log,
  sayLink = null,
  maxFiles = MAX_FILES,
}: Deps): Transport {
  // One mail at a time: files appear in the order of the mails.
  let last: Promise<void> = Promise.resolve()
  let serial = 0

  return {
    send(message) {
      last = last
        .then(() => write(message))
        .catch((error: unknown) => {
          log.error(
            { err: error, mail: message.template, to: message.to },
            'cannot write mail to the outbox',
          )
        })
      return true
    },
    close: (timeoutMs) => withinMs(last, timeoutMs).catch(() => {}),
  }

  async function write(message: Message): Promise<void> {
    const name = toFileName(message)
    const file = join(folder, name)
    const draft = join(folder, `.${name}.part`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      await writeFile(draft, await render(message), { mode: 0o600, flag: 'wx' })
      // The rename makes only complete mails visible.
      await rename(draft, file)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    log.info({ mail: message.template, to: message.to, file }, 'mail written to the outbox')
    const { to, subject, link } = message
    if (link !== null) sayLink?.({ to, subject, link })
    await removeOldest(getMailClass(message.template))
  }

  /** Loads the library at the first mail, which saves memory where no mail is sent. */
  async function render(message: Message): Promise<Buffer> {
    const { createTransport } = await import('nodemailer')
    const renderer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
    const { message: bytes } = await renderer.sendMail({
      ...toMail(message),
      // Not encoded, so that the link can be copied from the file.
      text: { raw: `${TEXT_HEADERS}\r\n\r\n${message.text.replaceAll('\n', '\r\n')}` },
    })
    return bytes as Buffer
  }

  /** Names sort by time, then by order within this process. */
  function toFileName({ date, template }: Message): string {
    const time = date.toISOString().replace(/[-:]/g, '')
    serial += 1
    const order = String(serial).padStart(6, '0')
    return `${time}-${order}-${template}-${randomBytes(3).toString('hex')}.eml`
  }

  async function removeOldest(mailClass: MailClass): Promise<void> {
    const files = (await readdir(folder))
      .filter((name) => OUTBOX_FILE.test(name) && classOf(name) === mailClass)
      .toSorted()
    for (const name of files.slice(0, Math.max(0, files.length - maxFiles)))
      await rm(join(folder, name), { force: true })
  }
}

function classOf(fileName: string): MailClass {
  return getMailClass(TEMPLATE.exec(fileName)?.[1] ?? '')
}
