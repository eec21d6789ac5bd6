import { OperatorError } from '../../platform/core/errors.ts'
import { openLog, type Log } from '../../platform/core/log.ts'
import { toLogStream } from '../../platform/core/terminal.ts'

export function say(text: string): void {
  process.stdout.write(text)
}

export function sayRest(count: number): void {
  if (count > 0) say(`and ${count} more\n`)
}

/** The log of a command, on stderr. */
export function openCommandLog(): Log {
  return openLog('error', toLogStream(null, process.stderr))
}

/** @throws OperatorError with the usage unless there are `count` arguments */
export function takeArguments(
  positionals: string[],
  usage: string,
  count = 1,
): [string, ...string[]] {
  if (positionals.length !== count) throw new OperatorError(usage)
  return positionals as [string, ...string[]]
}
