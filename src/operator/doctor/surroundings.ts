import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { listJournals, listSegments, JOURNAL_LOCK } from '../../clicks/journal/format.ts'
import { trySmtp } from '../../platform/mail/smtp.ts'
import { isLockHeld } from '../../platform/storage/installation/lock.ts'
import { tryRedis } from '../../platform/limits/rate-limits.ts'
import { fail, ok, warn, type Finding } from './finding.ts'

const TIMEOUT_MS = 5_000

export async function checkSurroundings(config: Config): Promise<Finding[]> {
  const found = await Promise.all([checkPublicUrl(config), checkMail(config), checkRedis(config)])
  const own = [await checkOrphans(config.dataDir), checkQuarantine(config.dataDir)]
  return [...found, checkProxies(config), ...own]
}

async function checkPublicUrl({ publicUrl }: Config): Promise<Finding> {
  if (publicUrl === null)
    return warn('public url', 'PUBLIC_URL is not set', 'set it: links in mails begin with it')
  const url = `${publicUrl}/health`
  const advice = 'correct DNS, the proxy or PUBLIC_URL'
  try {
    const answer = await fetch(url, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'manual',
    })
    return answer.status === 200 && answer.headers.has('x-request-id')
      ? ok('public url', `${url} answers`)
      : fail('public url', `${url} answers ${answer.status}, not as Signpost does`, advice)
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error }
    return fail('public url', `${url} does not answer (${cause?.message ?? message})`, advice)
  }
}

/** Behind a proxy that is not trusted, every visitor has the address of the proxy. */
function checkProxies({ publicUrl, trustedProxies, httpsPort }: Config): Finding {
  const hasProxy = publicUrl?.startsWith('https:') === true && httpsPort === null
  if (hasProxy && trustedProxies.length === 0)
    return warn(
      'proxies',
      'PUBLIC_URL is https, a proxy ends TLS, and TRUSTED_PROXIES is not set',
      'set TRUSTED_PROXIES to the number of proxies or to their addresses',
    )
  return ok('proxies', `TRUSTED_PROXIES is ${trustedProxies.join(', ') || 'not set'}`)
}

async function checkMail({ smtpUrl }: Config): Promise<Finding> {
  if (smtpUrl === null)
    return warn('mail', 'mails are files in DATA_DIR/outbox', 'set SMTP_URL to send them')
  try {
    await trySmtp(smtpUrl)
    return ok('mail', 'the server of SMTP_URL accepts the connection')
  } catch (error) {
    return fail(
      'mail',
      `the server of SMTP_URL refuses (${(error as Error).message})`,
      'correct the host, port, user or password in SMTP_URL',
    )
  }
}

async function checkRedis({ redisUrl }: Config): Promise<Finding> {
  if (redisUrl === null) return ok('redis', 'REDIS_URL is not set')
  try {
    await tryRedis(redisUrl, TIMEOUT_MS)
    return ok('redis', 'the server of REDIS_URL answers')
  } catch (error) {
    return fail(
      'redis',
      `the server of REDIS_URL does not answer (${(error as Error).message})`,
      'start it, or correct REDIS_URL: until then each process counts rate limits itself',
    )
  }
}

async function checkOrphans(dataDir: string): Promise<Finding> {
  const root = join(dataDir, 'journal')
  const orphans: string[] = []
  for (const journalId of await listJournals(root)) {
    const folder = join(root, journalId)
    const segments = await listSegments(folder).catch(() => [])
    if (segments.length > 0 && !isLockHeld(join(folder, JOURNAL_LOCK))) orphans.push(journalId)
  }
  return orphans.length === 0
    ? ok('own journals', 'every journal with clicks has a process')
    : warn(
        'own journals',
        `clicks wait in ${orphans.join(', ')}`,
        'start the server on this DATA_DIR, which ships them',
      )
}

function checkQuarantine(dataDir: string): Finding {
  let files: string[] = []
  try {
    files = readdirSync(join(dataDir, 'quarantine')).filter((name) => name.endsWith('.jsonl'))
  } catch {}
  return files.length === 0
    ? ok('quarantine', 'empty')
    : warn(
        'quarantine',
        `${files.length} files of refused clicks`,
        'read the reasons in DATA_DIR/quarantine, and report them',
      )
}
