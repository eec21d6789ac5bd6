import { OperatorError } from '../../platform/core/errors.ts'
import { openLog, type Log } from '../../platform/core/log.ts'
import { toLogStream } from '../../platform/core/terminal.ts'

export function say(text: string): void {
  process.stdout.write(text)
}

export function sayRest(count: number): void {
  if (count > 0) say(`and ${count} more\n`)
}

export function openCommandLog(): Log {
  return openLog('error', toLogStream(null, process.stderr))
}

export function takeArguments(
  positionals: string[],
  usage: string,
  count = 1,
): [string, ...string[]] {
  if (positionals.length !== count) throw new OperatorError(usage)
  return positionals as [string, ...string[]]
}
