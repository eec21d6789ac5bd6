import { setTimeout as sleep } from 'node:timers/promises'
import { balance, describeFailures } from './click-account.ts'
import { isSound } from './figures.ts'
import { addressesOf, awaitServer, openDatabasesAt, openInstallation } from './installation.ts'
import { visitSteadily } from './visitors.ts'

export type RestartOptions = {
  /** Visits a second. */
  rate: number
  links: number
  restarts: number
  /** Before the first restart and after each. */
  pauseSeconds: number
}

/**
 * Visits the one-process installation over kept and new connections while it is restarted.
 * @returns false when a connection failed, or a click was lost or counted twice
 */
export async function measureRestart(options: RestartOptions): Promise<boolean> {
  const { rate, links, restarts, pauseSeconds } = options
  await using installation = await openInstallation({ links })
  const { server, dataDir } = installation
  const visitors = visitSteadily({ port: server.port, rate, links, freshShare: 0.5 })
  await sleep(pauseSeconds * 1_000)
  const before = await visitors.takeWindow()
  for (let restart = 0; restart < restarts; restart++) {
    await server.restart()
    await awaitServer(server.port)
    await sleep(pauseSeconds * 1_000)
  }
  const { longestMs } = await visitors.takeWindow()
  const answers = await visitors.stop()
  await using reading = new AsyncDisposableStack()
  const databases = openDatabasesAt(await addressesOf(dataDir), reading)
  // After a start every link is read again, and one whose look-up takes longer than its time is answered with 503.
  const late = answers.failures['503'] ?? 0
  const failed = answers.sent - answers.ids.length - late
  if (!isSound(`visits during restarts (${describeFailures(answers)})`, failed)) return false
  if (!(await balance('the restarts', databases, answers))) return false
  console.log(
    `${restarts} restarts at ${rate}/s: ${answers.sent} visits, 0 refused, 0 reset, 0 clicks lost, ${late} look-ups too late (503); the longest waited ${(longestMs / 1_000).toFixed(1)} s, before the first ${before.longestMs.toFixed(0)} ms`,
  )
  return true
}
