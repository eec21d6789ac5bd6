import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { eventually } from './eventually.ts'

export type Mail = { subject: string; text: string; link: string; token: string }

/** Reads the mails in the outbox folder of a data directory, each once. */
export function openOutbox(dataDir: string) {
  const folder = join(dataDir, 'outbox')
  const unread = new Map<string, { to: string; mail: Mail }>()
  const seen = new Set<string>()

  async function readNew(): Promise<void> {
    if (!existsSync(folder)) return
    for (const file of readdirSync(folder).toSorted()) {
      if (!file.endsWith('.eml') || seen.has(file)) continue
      seen.add(file)
      const {
        subject = '',
        text = '',
        to,
      } = await PostalMime.parse(readFileSync(join(folder, file)))
      const link = /https?:\/\/\S+[?/]\S+/.exec(text)?.[0] ?? ''
      const token = /[\w-]{43}/.exec(link)?.[0] ?? ''
      unread.set(file, { to: to?.[0]?.address ?? '', mail: { subject, text, link, token } })
    }
  }

  /** Waits for the next mail to an address. */
  async function next(email: string): Promise<Mail> {
    return eventually(
      async () => {
        await readNew()
        for (const [file, { to, mail }] of unread) {
          if (to !== email) continue
          unread.delete(file)
          return mail
        }
        return assert.fail(`no mail to ${email}`)
      },
      30_000,
      5,
    )
  }

  return { next }
}
export type Outbox = ReturnType<typeof openOutbox>
