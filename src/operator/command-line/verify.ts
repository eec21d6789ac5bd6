import { parseArgs } from 'node:util'
import type { Recount } from '../../analytics/retention/recount.ts'
import type { ConversionRecount } from '../../conversions/conversions/copy.ts'
import type { VerifyAnswer } from '../operations.ts'
import { say, sayRest } from './command.ts'
import type { Operate } from './operate.ts'

const MAX_BATCHES_SHOWN = 100

export async function verify(args: string[], operate: Operate): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: { repair: { type: 'boolean', default: false } },
  })
  const found = await operate('verify', { repair: values.repair })
  return [
    sayAuditRows(found),
    sayCounters(found.counters),
    sayConversions(found.conversions),
  ].every(Boolean)
}

function sayAuditRows({ rows, workspaces: count, broken, brokenTotal }: VerifyAnswer): boolean {
  say(`Audit rows checked: ${rows}, in ${count} workspaces\n`)
  if (brokenTotal === 0) say('All of them are unchanged.\n')
  for (const { workspaceId, rowId, reason } of broken)
    say(`BROKEN  ${workspaceId}  ${rowId ?? '(the whole chain)'}  ${reason}\n`)
  sayRest(brokenTotal - broken.length)
  return brokenTotal === 0
}

function sayCounters(recount: Recount): boolean {
  const { links, drifting, driftingTotal, keptTotal, isRepaired } = recount
  say(`Links compared: ${links}\n`)
  if (driftingTotal === 0) say('All counters are the number of their clicks.\n')
  for (const { workspaceId, linkId, counter, clicks, state } of drifting)
    say(`${state}  ${workspaceId}  ${linkId}  counter ${counter}, clicks ${clicks}\n`)
  sayRest(driftingTotal - drifting.length)
  if (driftingTotal > 0 && !isRepaired) say('verify --repair corrects the counters.\n')
  if (keptTotal > 0) say('KEPT counters may be right: ClickHouse set parts aside; see doctor.\n')
  return driftingTotal === 0 || (isRepaired && keptTotal === 0)
}

function sayConversions({ conversions, drifting, isRepaired }: ConversionRecount): boolean {
  say(`Conversions compared: ${conversions}\n`)
  if (drifting.length === 0) say('All of them are in ClickHouse.\n')
  const name = isRepaired ? 'SENT AGAIN' : 'DRIFT'
  for (const { batch, stored, copied } of drifting.slice(0, MAX_BATCHES_SHOWN))
    say(`${name}  batch ${batch}  PostgreSQL ${stored}, ClickHouse ${copied}\n`)
  sayRest(drifting.length - MAX_BATCHES_SHOWN)
  return drifting.length === 0 || isRepaired
}
