import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { awaitClicks, balance, describeFailures, readIds, type Databases } from './click-account.ts'
import { isSound } from './figures.ts'
import {
  addressesOf,
  freshFolder,
  openDatabasesAt,
  openInstallation,
  runCommand,
  startServer,
} from './installation.ts'
import { visitSteadily, type Answers } from './visitors.ts'

export type BackupLoad = {
  /** Visits a second. */
  rate: number
  links: number
  beforeSeconds: number
  /** Full segments of clicks that are stored before: `segments` of `megabytes`. */
  segments: number
  megabytes: number
}

type Expected = { answeredBefore: readonly string[]; stored: number; answers: Answers }

/**
 * Takes a backup beside visits, checks it, and restores it.
 * @returns the p99 of the redirects beside it by that before; null when a visit failed or a total differs
 */
export async function measureBackup(load: BackupLoad): Promise<number | null> {
  const { rate, links, beforeSeconds } = load
  await using stack = new AsyncDisposableStack()
  const { server, dataDir, env, stored } = stack.use(await openInstallation(load))
  const visitors = visitSteadily({ port: server.port, rate, links })
  await sleep(beforeSeconds * 1_000)
  // The first window warms up.
  await visitors.takeWindow()
  await sleep(beforeSeconds * 1_000)
  const before = await visitors.takeWindow()
  const folder = join(freshFolder(stack), 'backup')
  const startedAtMs = Date.now()
  await runCommand(['backup', '--to', folder, '--with-key'], env)
  const tookSeconds = (Date.now() - startedAtMs) / 1_000
  const beside = await visitors.takeWindow()
  const answers = await visitors.stop()
  const failed = answers.sent - answers.ids.length
  if (!isSound(`visits beside a backup (${describeFailures(answers)})`, failed)) return null
  const databases = openDatabasesAt(await addressesOf(dataDir), stack)
  if (!(await balance('the backup', databases, answers, stored))) return null

  await runCommand(['backup', '--check', folder], env)
  const restoredDir = join(freshFolder(stack), 'data')
  await runCommand(['restore', folder], { DATA_DIR: restoredDir })
  await startServer(stack, { DATA_DIR: restoredDir })
  const restored = openDatabasesAt(await addressesOf(restoredDir), stack)
  const answeredBefore = answers.ids.filter((_, i) => answers.answeredAtMs[i]! < startedAtMs)
  const wrong = await countWrong(restored, databases, { answeredBefore, stored, answers })
  if (!isSound('clicks of the restored backup', wrong)) return null
  const ratio = beside.p99Ms / before.p99Ms
  console.log(
    `backup of ${stored} clicks in ${tookSeconds.toFixed(1)} s beside ${rate}/s: redirects p99 × ${ratio.toFixed(2)}, ${before.p99Ms.toFixed(1)} → ${beside.p99Ms.toFixed(1)} ms; checked, restored totals equal`,
  )
  return ratio
}

/** Clicks of the restored databases that are too few, too many or of no origin. */
async function countWrong(
  restored: Databases,
  source: Databases,
  { answeredBefore, stored, answers }: Expected,
): Promise<number> {
  await awaitClicks(restored, stored + answeredBefore.length)
  const known = new Set(await readIds(source.clickhouse))
  const ids = await readIds(restored.clickhouse)
  const unique = new Set(ids)
  const missing = answeredBefore.filter((id) => !unique.has(id)).length
  const foreign = ids.filter((id) => !known.has(id)).length
  const visited = new Set(answers.ids)
  const others = ids.filter((id) => !visited.has(id)).length
  return missing + foreign + (ids.length - unique.size) + Math.abs(others - stored)
}
