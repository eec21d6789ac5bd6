import { join } from 'node:path'
import type { ProcessStart } from './platform/processes/process-messages.ts'
import { runSupervised } from './platform/processes/supervised.ts'
import { signalPostgres } from './platform/storage/embedded/postgres-engine.ts'

/** The embedded PostgreSQL has no channel by which it would learn that the supervisor is gone. */
function endPostgres({ config }: ProcessStart): void {
  if (config.databaseUrl === null) signalPostgres(join(config.dataDir, 'postgres'))
}

/** The server process, which the supervisor (src/main.ts) starts. */
runSupervised(async ({ config, ...start }: ProcessStart, context) => {
  const { createAddress } = await import('./app/services.ts')
  const { openServer } = await import('./app/server.ts')
  const checkout = join(import.meta.dirname, '..')
  return openServer(config, {
    ...start,
    ...context,
    checkout,
    address: createAddress(config, config.port),
  })
}, endPostgres)
