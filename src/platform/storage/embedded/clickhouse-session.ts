import { Session } from 'chdb'
import { clickHouseFault, type Call } from './clickhouse-request.ts'

export type Statement = Omit<Call, 'insert'> & {
  text: string
  tag: string
}

export function toStatement(text: string, tag: string): Statement {
  return { text, tag, database: 'default', settings: new Map(), params: new Map() }
}

const NAME = /^[A-Za-z_]\w*$/
const PLACEHOLDER = /\{(\w+)\s*:/g

/** Runs one statement at a time; the pool sees to that. */
export class EngineSession {
  readonly #session: Session
  readonly #defaults: ReadonlyMap<string, string>
  #database = 'default'
  #changedSettings: string[] = []

  constructor(path: string, flags: string[], defaults: ReadonlyMap<string, string>) {
    this.#session = new Session(path, { connectionArgs: flags })
    this.#defaults = defaults
    this.#session.query(`SET ${toAssignments(defaults)}`)
  }

  /** `SET param_…`: chdb's own binding lets only one bound query of the whole process run at a time. */
  async run({ text, database, settings, params, tag }: Statement): Promise<Uint8Array> {
    // A parameter of an earlier statement is still set, and must not replace a missing one.
    for (const [, name] of text.matchAll(PLACEHOLDER))
      if (!params.has(name!))
        throw clickHouseFault(456, 'UNKNOWN_QUERY_PARAMETER', `Substitution \`${name}\` is not set`)
    if (database !== this.#database) {
      await this.#session.queryAsync(`USE \`${database.replaceAll(/[\\`]/g, '\\$&')}\``)
      this.#database = database
    }
    const paramSettings = [...params].map(([name, value]) => [`param_${name}`, value] as const)
    this.#changedSettings = [...settings.keys()]
    await this.#session.queryAsync(
      `SET ${toAssignments([...settings, ...paramSettings, ['log_comment', tag]])}`,
    )
    return (await this.#session.queryAsync(text)).bytes()
  }

  /**
   * The first `SET` also takes the beginning of a result that a failed statement left in the connection: chdb would
   * put it before the next result. Never rejects.
   */
  async reset(): Promise<void> {
    await this.#succeeds(`SET log_comment = ''`)
    const resets = this.#changedSettings.map((name) => {
      const value = this.#defaults.get(name)
      return value === undefined ? `${name} = DEFAULT` : toAssignments([[name, value]])
    })
    this.#changedSettings = []
    if (resets.length === 0 || (await this.#succeeds(`SET ${resets.join(', ')}`))) return
    for (const reset of resets) await this.#succeeds(`SET ${reset}`)
  }

  close(): void {
    this.#session.close()
  }

  async #succeeds(text: string): Promise<boolean> {
    try {
      await this.#session.queryAsync(text)
      return true
    } catch {
      return false
    }
  }
}

function toAssignments(settings: Iterable<readonly [name: string, value: string]>): string {
  return Array.from(settings, ([name, value]) => {
    if (!NAME.test(name)) throw clickHouseFault(115, 'UNKNOWN_SETTING', `Unknown setting '${name}'`)
    return `${name} = '${value.replaceAll(/[\\']/g, '\\$&')}'`
  }).join(', ')
}
