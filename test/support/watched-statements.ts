import type { TestContext } from 'node:test'
import { Connection } from '../../src/platform/storage/postgres/connection.ts'
import type { Compiled } from '../../src/platform/storage/postgres/statement.ts'

type See = (text: string, run: (text: string) => ReturnType<Connection['run']>) => unknown

/**
 * Calls `see` before each statement that this process sends to PostgreSQL, which fails when `see` throws.
 * @returns a function that ends it; so does the end of the test
 */
export function watchStatements(t: TestContext, see: See): () => void {
  const run = Connection.prototype.run
  Connection.prototype.run = async function (this: Connection, statement: Compiled) {
    await see(statement.text, (text) => run.call(this, { text, values: [] }))
    return run.call(this, statement)
  }
  const unwatch = () => {
    Connection.prototype.run = run
  }
  t.after(unwatch)
  return unwatch
}
