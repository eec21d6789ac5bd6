import { join } from 'node:path'
import type { ProcessStart } from './app/process-messages.ts'
import { runSupervised } from './app/supervised.ts'

/** The server process, which the supervisor (src/main.ts) starts. */
runSupervised(async ({ config, ...start }: ProcessStart, context) => {
  const { createAddress } = await import('./app/address.ts')
  const { openServer } = await import('./app/server.ts')
  const checkout = join(import.meta.dirname, '..')
  return openServer(config, {
    ...start,
    ...context,
    checkout,
    address: createAddress(config, config.port),
  })
})
