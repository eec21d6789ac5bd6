import { parseArgs } from 'node:util'
import { printable, table } from '../../platform/core/terminal.ts'
import { say, sayRest, takeArguments } from './command.ts'
import type { Operate } from './operate.ts'

export async function block(args: string[], operate: Operate): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { reason: { type: 'string' } },
    allowPositionals: true,
  })
  const [kind, value] = takeArguments(
    positionals,
    'block needs host|link|workspace|image VALUE.',
    2,
  )
  const done = await operate('block', { kind, value: value!, reason: values.reason })
  say(`The ${done.kind} ${printable(done.value)} is blocked.\n`)
}

export async function unblock(args: string[], operate: Operate): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const [kind, value] = takeArguments(
    positionals,
    'unblock needs host|link|workspace|image VALUE.',
    2,
  )
  const done = await operate('unblock', { kind, value: value! })
  say(`The ${done.kind} ${printable(done.value)} is no longer blocked.\n`)
}

export async function listBlocks(args: string[], operate: Operate): Promise<void> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  const found = await operate('blocks', {})
  if (values.json) return say(`${JSON.stringify(found)}\n`)
  const rows = found.blocks.map(({ kind, value, links, state, createdAt, reason }) => [
    ...[kind, printable(value), String(links), state, createdAt, printable(reason ?? '')],
  ])
  say(table([['KIND', 'VALUE', 'LINKS', 'STATE', 'SINCE', 'REASON'], ...rows]))
  sayRest(found.total - rows.length)
}

export async function reports(args: string[], operate: Operate): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      all: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      resolve: { type: 'string' },
    },
  })
  if (values.resolve !== undefined) {
    const { id } = await operate('resolve-report', { id: values.resolve })
    return say(`${id} is resolved.\n`)
  }
  const found = await operate('reports', values.all ? {} : { status: 'open' })
  if (values.json) return say(`${JSON.stringify(found)}\n`)
  const rows = found.reports.map((report) => [
    ...[report.id, report.createdAt, report.reason, report.linkId ?? '', printable(report.url)],
    `${report.destinationHost ?? ''}${report.isMixedScript ? ' (mixed alphabets)' : ''}`,
    printable(report.details ?? ''),
  ])
  say(table([['ID', 'TIME', 'REASON', 'LINK', 'URL', 'LEADS TO', 'DETAILS'], ...rows]))
  sayRest(found.total - rows.length)
}
