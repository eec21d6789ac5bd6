import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, writeFile, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../core/log.ts'
import { withinMs } from '../core/service.ts'
import { getMailClass, type MailClass } from './templates.ts'
import { newMailHealth, toMail, type Message, type Transport } from './message.ts'

const MAX_FILES = 1_000
const TEXT_HEADERS = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit'
const OUTBOX_FILE = /^\d{8}T\d{6}\.\d{3}Z-.*\.eml$/
const TEMPLATE = /-([A-Za-z]+)-[0-9a-f]{6}\.eml$/

export type ShowLink = (mail: Pick<Message, 'to' | 'subject'> & { link: string }) => void

type Deps = {
  folder: string
  log: Log
  showLink?: ShowLink | null
  maxFiles?: number
}

/**
 * For installations without SMTP. Only the owner of the process can read the files, since a link is as good as a
 * password.
 */
export function createOutboxFolder({
  folder,
  log,
  showLink = null,
  maxFiles = MAX_FILES,
}: Deps): Transport {
  let last: Promise<unknown> = Promise.resolve()
  let serial = 0
  const health = newMailHealth('outbox')

  return {
    health,
    send(message) {
      health.waiting += 1
      last = last
        .then(() => write(message))
        .then(() => void (health.sent += 1))
        .catch((error: unknown) => {
          health.failed += 1
          health.lastFailure = { at: message.date, reason: (error as Error).message }
          log.error(
            { err: error, mail: message.template, to: message.to },
            'cannot write mail to the outbox',
          )
        })
        .finally(() => (health.waiting -= 1))
      return true
    },
    close: (timeoutMs) =>
      withinMs(last, timeoutMs).then(
        () => {},
        () => {},
      ),
  }

  async function write(message: Message): Promise<void> {
    const name = toFileName(message)
    const file = join(folder, name)
    const draft = join(folder, `.${name}.part`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      await writeFile(draft, await render(message), { mode: 0o600, flag: 'wx' })
      await rename(draft, file)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    log.info({ mail: message.template, to: message.to, file }, 'mail written to the outbox')
    const { to, subject, link } = message
    if (link !== null) showLink?.({ to, subject, link })
    await removeOldest(getMailClass(message.template))
  }

  function toFileName({ date, template }: Message): string {
    const time = date.toISOString().replace(/[-:]/g, '')
    serial += 1
    const order = String(serial).padStart(6, '0')
    return `${time}-${order}-${template}-${randomBytes(3).toString('hex')}.eml`
  }

  async function removeOldest(mailClass: MailClass): Promise<void> {
    const classOf = (name: string) => getMailClass(TEMPLATE.exec(name)?.[1] ?? '')
    const files = (await readdir(folder))
      .filter((name) => OUTBOX_FILE.test(name) && classOf(name) === mailClass)
      .toSorted()
    for (const name of files.slice(0, Math.max(0, files.length - maxFiles)))
      await rm(join(folder, name), { force: true })
  }
}

/** Loaded with the first mail, to save memory. */
async function render(message: Message): Promise<Buffer> {
  const { createTransport } = await import('nodemailer')
  const renderer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message: bytes } = await renderer.sendMail({
    ...toMail(message),
    // Not encoded, so that links can be copied from the file.
    text: { raw: `${TEXT_HEADERS}\r\n\r\n${message.text.replaceAll('\n', '\r\n')}` },
  })
  return bytes as Buffer
}

type OutboxMail = {
  file: string
  sentAt: string
  to: string
  subject: string
  link: string | null
}

const READ_BYTES = 32 * 1024
const TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3}Z)/

export async function readOutbox(folder: string, limit: number): Promise<OutboxMail[]> {
  let names: string[]
  try {
    names = await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  const newest = names
    .filter((name) => OUTBOX_FILE.test(name))
    .toSorted()
    .toReversed()
  const mails = await Promise.all(newest.slice(0, limit).map((name) => readMail(folder, name)))
  return mails.filter((mail) => mail !== null)
}

async function readMail(folder: string, name: string): Promise<OutboxMail | null> {
  const file = join(folder, name)
  let content: string
  try {
    await using handle = await open(file)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, 0)
    content = buffer.toString('utf8', 0, bytesRead)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const [head = ''] = content.split('\r\n\r\n', 1)
  const headers = head.replace(/\r\n[ \t]+/g, ' ')
  return {
    file,
    sentAt: name.replace(TIME, '$1-$2-$3T$4:$5:$6').slice(0, 24),
    to: valueOf(headers, 'To'),
    subject: valueOf(headers, 'Subject'),
    link: /^https?:\/\/\S+$/m.exec(content.replaceAll('\r', ''))?.[0] ?? null,
  }
}

function valueOf(headers: string, name: string): string {
  return new RegExp(`^${name}: (.*)$`, 'im').exec(headers)?.[1]?.trim() ?? ''
}
