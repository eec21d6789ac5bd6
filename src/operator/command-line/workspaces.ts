import { parseArgs } from 'node:util'
import { OperatorError } from '../../platform/core/errors.ts'
import { printable, table } from '../../platform/core/terminal.ts'
import { say, takeArguments } from './command.ts'
import type { Operate } from './operate.ts'

export async function list(args: string[], operate: Operate): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { search: { type: 'string' }, json: { type: 'boolean', default: false } },
  })
  const found = await operate('workspaces', { search: values.search })
  if (values.json) return say(`${JSON.stringify(found)}\n`)
  const rows = found.workspaces.map((workspace) => [
    workspace.id,
    workspace.plan,
    String(workspace.members),
    String(workspace.links),
    workspace.suspendedAt ? 'suspended' : '',
    printable(workspace.name),
  ])
  say(table([['ID', 'PLAN', 'MEMBERS', 'LINKS', '', 'NAME'], ...rows]))
  const left = found.total - rows.length
  if (left > 0) say(`and ${left} more; --search TEXT finds them.\n`)
}

export async function suspend(args: string[], operate: Operate): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { reason: { type: 'string' } },
    allowPositionals: true,
  })
  const [workspace] = takeArguments(positionals, 'suspend needs the id of a WORKSPACE.')
  const done = await operate('suspend', { workspace, reason: values.reason })
  say(`${done.workspaceId} (${printable(done.name)}) is suspended.\n`)
}

export async function resume(args: string[], operate: Operate): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const [workspace] = takeArguments(positionals, 'resume needs the id of a WORKSPACE.')
  const done = await operate('resume', { workspace })
  say(`${done.workspaceId} (${printable(done.name)}) is no longer suspended.\n`)
}

export async function setPlan(args: string[], operate: Operate): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const [workspace, name] = takeArguments(positionals, 'plan needs a WORKSPACE and a PLAN.', 2)
  const done = await operate('plan', { workspace, plan: name! })
  say(`${done.workspaceId} has the plan ${done.plan} (before: ${done.previousPlan}).\n`)
}

export async function setRateLimit(args: string[], operate: Operate): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const usage = 'rate-limit needs a WORKSPACE and a NUMBER a minute, or "default".'
  const [workspace, number] = takeArguments(positionals, usage, 2)
  if (number !== 'default' && !/^\d{1,10}$/.test(number!)) throw new OperatorError(usage)
  const perMinute = number === 'default' ? null : Number(number)
  const done = await operate('rate-limit', { workspace, perMinute })
  say(`${done.workspaceId} has the rate limit ${done.perMinute ?? 'of its plan'}.\n`)
}

export async function purge(args: string[], operate: Operate): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { yes: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const [workspace] = takeArguments(positionals, 'purge needs the id of a WORKSPACE.')
  if (!values.yes)
    throw new OperatorError(
      'purge deletes a workspace with everything in it; add --yes to confirm.',
    )
  const done = await operate('purge', { workspace })
  say(`${done.workspaceId} (${printable(done.name)}) is deleted.\n`)
}
