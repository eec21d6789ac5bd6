import { parseArgs } from 'node:util'
import { readConfig, readEnvironment } from '../../platform/config/config.ts'
import { systemClock } from '../../platform/core/clock.ts'
import { OperatorError } from '../../platform/core/errors.ts'
import { holdDataDir } from '../../platform/storage/installation/data-dir.ts'
import type { Acceptance } from '../../platform/storage/installation/installation.ts'
import { openStores } from '../../platform/storage/stores.ts'
import { openCommandLog, say } from './command.ts'
import { requireData } from './operate.ts'

const ACCEPTANCES: Record<Acceptance, { loss: string; done: string }> = {
  'empty-clickhouse': {
    loss: 'accept-empty-clickhouse gives up the analytics of all clicks that were stored in the former ClickHouse; add --yes to confirm.',
    done: 'ClickHouse is ready and empty. Clicks that wait in a journal will be stored in it.\n',
  },
  'new-secret-key': {
    loss: 'accept-new-secret-key gives up every second factor, every link password and every webhook signing secret and header made with the former key, and counts every visitor as new; add --yes to confirm.',
    done: 'SECRET_KEY is accepted. Rotate the signing secrets, and ask users to set up their second factors again.\n',
  },
}

export async function accept(acceptance: Acceptance, args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { yes: { type: 'boolean', default: false } },
  })
  const { loss, done } = ACCEPTANCES[acceptance]
  if (!values.yes) throw new OperatorError(loss)
  const settings = readConfig(readEnvironment())
  requireData(settings)
  using dataDir = holdDataDir(settings.dataDir, systemClock)
  await using _stores = await openStores(settings, dataDir, openCommandLog(), {
    accept: acceptance,
  })
  say(done)
}
