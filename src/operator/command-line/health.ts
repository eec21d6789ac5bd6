import { parseArgs } from 'node:util'
import { OperatorError } from '../../platform/core/errors.ts'
import { readConfig, readEnvironment } from '../../platform/config/config.ts'
import { say } from './command.ts'

const TIMEOUT_MS = 5_000
const ANY_ADDRESS: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

/** For containers without curl. */
export async function health(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { ready: { type: 'boolean', default: false } } })
  const { host, port } = readConfig(readEnvironment())
  const path = values.ready ? '/ready' : '/health'
  const name = ANY_ADDRESS[host] ?? (host.includes(':') ? `[${host}]` : host)
  const url = `http://${name}:${port}${path}`
  const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => {
    throw new OperatorError(`There is no answer from ${url}; the server does not run there.`)
  })
  const body = (await answer.text()).replaceAll(/\s+/g, ' ').trim()
  if (!answer.ok) throw new OperatorError(`${url} answers ${answer.status} (${body}).`)
  say(`${body}\n`)
}
