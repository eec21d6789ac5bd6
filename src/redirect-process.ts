import { systemClock } from './platform/core/clock.ts'
import type { RedirectStart } from './platform/processes/process-messages.ts'
import { runSupervised } from './platform/processes/supervised.ts'

/** A redirect process, which the supervisor (src/main.ts) starts. */
runSupervised(async ({ config, ...start }: RedirectStart, { missing, ...context }) => {
  const { openRedirect } = await import('./app/redirect.ts')
  const edgeProcesses = async () => {
    const names = missing().filter((name) => name !== 'server')
    if (names.length > 0) throw new Error(`not running: ${names.join(', ')}`)
  }
  return openRedirect(config, {
    ...start,
    ...context,
    clock: systemClock,
    checks: config.edgeProcesses > 1 ? { edgeProcesses } : {},
  })
})
