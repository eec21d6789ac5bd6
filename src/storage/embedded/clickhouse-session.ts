import { Session } from 'chdb'
import { ClickHouseFault } from './clickhouse-fault.ts'

/** One connection to the engine. It runs one statement at a time; the pool sees to that. */
export type EngineSession = {
  run(statement: SessionStatement): Promise<SessionResult>
  /** Puts back what the last statement changed; to be awaited before the next one. Never rejects. */
  tidy(): Promise<void>
  close(): void
}

export type SessionStatement = {
  text: string
  /** Used where the text has no FORMAT. */
  format: string
  database: string
  settings: ReadonlyMap<string, string>
  /** Values of `{name:Type}`, escaped as ClickHouse's HTTP interface wants them. */
  params: ReadonlyMap<string, string>
  /** Names that the text asks for. */
  placeholders: ReadonlySet<string>
  /** Marks the running statement, so that it can be killed from another connection. */
  tag: string
}

export type SessionResult = {
  rows: number
  bytes: number
  elapsedSeconds: number
  /** The answer, where the text did not send it into a file. */
  body: Uint8Array
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Opens a connection. Parameters are set by `SET param_…`: chdb's own way of binding lets only one
 * bound query of the whole process run at a time, because it keeps them in one place.
 * @param flags server settings, as `clickhouse local` takes them: `--mark_cache_size=…`
 * @param defaults settings that each statement starts from
 */
export function openSession(
  path: string,
  flags: string[],
  defaults: ReadonlyMap<string, string>,
): EngineSession {
  const session = new Session(path, { connectionArgs: flags })
  let database = 'default'
  let changed: string[] = []
  session.query(`SET ${[...defaults].map(assignment).join(', ')}`)

  async function run(statement: SessionStatement): Promise<SessionResult> {
    for (const name of statement.placeholders) {
      // A parameter of an earlier statement is still set, and must not stand in for a missing one.
      if (!statement.params.has(name))
        throw new ClickHouseFault(
          456,
          'UNKNOWN_QUERY_PARAMETER',
          `Substitution \`${name}\` is not set`,
        )
    }
    if (statement.database !== database) {
      await session.queryAsync(`USE \`${statement.database.replaceAll(/[\\`]/g, '\\$&')}\``)
      database = statement.database
    }
    const params = [...statement.params].map(([name, value]) => [`param_${name}`, value] as const)
    changed = [...statement.settings.keys()]
    const tag = ['log_comment', statement.tag] as const
    await session.queryAsync(
      `SET ${[...statement.settings, ...params, tag].map(assignment).join(', ')}`,
    )
    const result = await session.queryAsync(statement.text, { format: statement.format })
    return {
      rows: result.rowsRead,
      bytes: result.bytesRead,
      elapsedSeconds: result.elapsed,
      body: result.bytes(),
    }
  }

  /**
   * Besides the settings, this takes away the beginning of an answer that a failed statement left
   * in the connection: chdb hands it out in front of the next answer, whatever that is.
   */
  async function tidy(): Promise<void> {
    await attempt(`SET log_comment = ''`)
    const resets = changed.map((name) =>
      defaults.has(name) ? assignment([name, defaults.get(name) ?? '']) : `${name} = DEFAULT`,
    )
    changed = []
    if (resets.length === 0 || (await attempt(`SET ${resets.join(', ')}`))) return
    for (const reset of resets) await attempt(`SET ${reset}`)
  }

  async function attempt(text: string): Promise<boolean> {
    try {
      await session.queryAsync(text)
      return true
    } catch {
      return false
    }
  }

  return { run, tidy, close: () => session.close() }
}

function assignment([name, value]: readonly [string, string]): string {
  if (!NAME.test(name))
    throw new ClickHouseFault(115, 'UNKNOWN_SETTING', `Unknown setting '${name}'`)
  return `${name} = '${value.replaceAll(/[\\']/g, '\\$&')}'`
}
