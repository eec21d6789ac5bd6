import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Log } from '../../base/log.ts'
import { MAIL_CLASSES, type MailClass } from './letters.ts'
import { toMail, type Message, type Transport } from './message.ts'
import { within } from './within.ts'

const MAX_FILES = 1_000
const TEXT_HEADERS = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit'
const FILE = /^\d{8}T\d{6}\.\d{3}Z-.*\.eml$/
const KIND = /-([A-Za-z]+)-[0-9a-f]{6}\.eml$/

type Deps = {
  folder: string
  log: Log
  /** Per class of mails. */
  maxFiles?: number
}

/**
 * Mails as files, for an installation without SMTP: one `.eml` each, named by its time, readable by
 * the owner of the process alone, since its link is as good as a password. The newest 1,000 of each class stay.
 */
export function createOutboxFolder({ folder, log, maxFiles = MAX_FILES }: Deps): Transport {
  const renderer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  // One at a time: files appear in the order of the mails, and two never tidy up at once.
  let last: Promise<void> = Promise.resolve()
  let serial = 0

  return {
    send(message) {
      last = last
        .then(() => keep(message))
        .catch((error: unknown) => {
          log.error({ err: error, mail: message.kind, to: message.to }, 'could not write a mail')
        })
      return true
    },
    close: (withinMs) => within(withinMs, last),
  }

  async function keep(message: Message): Promise<void> {
    const name = fileName(message)
    const file = join(folder, name)
    const draft = join(folder, `.${name}.part`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      await writeFile(draft, await render(message), { mode: 0o600, flag: 'wx' })
      // Whoever watches the folder sees whole mails only.
      await rename(draft, file)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    log.info({ mail: message.kind, to: message.to, file }, 'mail written to the outbox')
    await tidy(MAIL_CLASSES[message.kind])
  }

  async function render(message: Message): Promise<Buffer> {
    const { message: bytes } = await renderer.sendMail({
      ...toMail(message),
      // Unencoded, so that the link can be copied from the file as it stands.
      text: { raw: `${TEXT_HEADERS}\r\n\r\n${message.text.replaceAll('\n', '\r\n')}` },
    })
    return bytes as Buffer
  }

  /** Names sort by time, then by order within this process. */
  function fileName({ date, kind }: Message): string {
    const time = date.toISOString().replace(/[-:]/g, '')
    serial += 1
    const order = String(serial).padStart(6, '0')
    return `${time}-${order}-${kind}-${randomBytes(3).toString('hex')}.eml`
  }

  async function tidy(mailClass: MailClass): Promise<void> {
    const files = (await readdir(folder))
      .filter((name) => FILE.test(name) && classOf(name) === mailClass)
      .toSorted()
    for (const name of files.slice(0, Math.max(0, files.length - maxFiles)))
      await rm(join(folder, name), { force: true })
  }
}

/** A template that this version does not have is kept with the account mails. */
function classOf(fileName: string): MailClass {
  const kind = KIND.exec(fileName)?.[1] ?? ''
  return (MAIL_CLASSES as Record<string, MailClass>)[kind] ?? 'account'
}
