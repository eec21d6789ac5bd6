import type { TestContext } from 'node:test'
import { Connection } from '../../src/storage/connection.ts'
import type { Compiled } from '../../src/storage/statement.ts'

/** Calls `see` before each statement that this process sends to PostgreSQL, until the end of the test. */
export function watchStatements(
  t: TestContext,
  see: (text: string, run: (text: string) => ReturnType<Connection['run']>) => unknown,
): void {
  const run = Connection.prototype.run
  Connection.prototype.run = async function (this: Connection, statement: Compiled) {
    await see(statement.text, (text) => run.call(this, { text, values: [] }))
    return run.call(this, statement)
  }
  t.after(() => {
    Connection.prototype.run = run
  })
}
