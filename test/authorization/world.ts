import type { TestContext } from 'node:test'
import { openLog } from '../../src/platform/core/log.ts'
import { openWorld } from '../support/world.ts'
import { openProvider } from './account-requests.ts'

/** A gateway and services, without a worker, for walks over all routes. */
export async function openRoutes(t: TestContext) {
  const provider = await openProvider()
  t.after(() => provider.close())
  let logged = ''
  const log = openLog('trace', { write: (line) => void (logged += line) })
  const config = {
    ...provider.config,
    egressAllowedCidrs: ['127.0.0.0/8'],
    webhookAllowHttp: true,
    rateLimitApi: 100_000,
    // One workspace asks for all of it.
    webhookMaxEndpoints: 10_000,
    webhookCallsPerMinute: 1_000_000,
  }
  const world = await openWorld(t, { isPair: true, config, log })
  return { world, provider, logged: () => logged }
}
