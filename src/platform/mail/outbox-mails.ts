import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { OUTBOX_FILE } from './outbox-folder.ts'

/** A mail of the outbox, as the operator needs it. */
export type OutboxMail = {
  file: string
  /** Time in UTC, as in the name of the file. */
  sentAt: string
  to: string
  subject: string
  link: string | null
}

/** Headers and text come first in a mail of ours. */
const READ_BYTES = 32 * 1024
const TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3}Z)/

/** The newest mails of an outbox folder, the newest first; none for a folder that does not exist yet. */
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

/** Null for a file that the server has removed in the meantime. */
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
