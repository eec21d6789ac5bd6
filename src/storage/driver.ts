import { registerHooks } from 'node:module'

/**
 * The `postgres` driver, version 3.4.9, whose source is changed as it is loaded
 * (docs/decisions/0013-driver.md): five defects, four of which show when a connection is lost, and three additions.
 * `package.json` pins the version, and a source without the expected text is refused. To take another
 * version, run test/storage/driver.test.ts with an empty list and keep the changes that still matter.
 */
type Change = { file: string; text: string; replacement: string; times?: number }

/** Statement that each new connection of a pool must answer; part of the options of the pool. */
export type Proof = {
  /** One statement without parameters. */
  readonly text: string
  /** True when its first row is the expected one. */
  readonly holds: (row: Record<string, unknown> | undefined) => boolean
  /** Rejects the statements that wait for the connection. */
  readonly error: Error
}

const CONNECTION = '/postgres/src/connection.js'
const INDEX = '/postgres/src/index.js'

const CHANGES: readonly Change[] = [
  // Addition: statements that are sent in one turn of the event loop share one write up to 64 KiB. The
  // driver writes after 1 KiB, and each write wakes the server process.
  {
    file: CONNECTION,
    text: `chunk.length >= 1024`,
    replacement: `chunk.length >= 65536`,
  },
  // Addition, in five changes: a transaction with the option `pipelined` does not wait for the answer to
  // its begin, and its function sends the commit itself, with its last statement (src/storage/postgres.ts).
  {
    file: INDEX,
    text: `await sql.unsafe('begin ' + options.replace(/[^a-z ]/ig, ''), [], { onexecute }).execute()`,
    replacement: `const isPipelined = options === 'pipelined'
      const begun = sql.unsafe(isPipelined ? 'begin' : 'begin ' + options.replace(/[^a-z ]/ig, ''), [], { onexecute }).execute()
      begun.catch(() => {})
      await (isPipelined ? Promise.race([begun, new Promise(resolve => onsent = resolve)]) : begun)
      if (isPipelined && connection.queue === full)
        move(connection, reserved)`,
  },
  {
    file: INDEX,
    text: `    let savepoints = 0\n      , connection\n`,
    replacement: `    let savepoints = 0\n      , connection\n      , onsent = null\n`,
  },
  {
    file: INDEX,
    text: `    function onexecute(c) {\n      connection = c\n`,
    replacement: `    function onexecute(c) {\n      connection = c\n      onsent && onsent()\n`,
  },
  {
    file: INDEX,
    text: `        await (name\n          ? sql\`rollback to \${ sql(name) }\`\n          : sql\`rollback\`\n        )`,
    replacement: `        if (!sql.isEnded)
          await (name ? sql\`rollback to \${ sql(name) }\` : sql\`rollback\`)`,
  },
  {
    file: INDEX,
    text: `      if (!name) {\n        prepare`,
    replacement: `      if (!name && !sql.isEnded) {\n        prepare`,
  },
  // Defect: a server that refuses TLS gets the handshake nevertheless, and closes the connection.
  {
    file: CONNECTION,
    text: `      if (!canSSL && ssl === 'prefer')\n        return connected()\n`,
    replacement: `      if (!canSSL && ssl === 'prefer')\n        return connected()
      if (!canSSL) {
        error(Object.assign(new Error('no TLS'), { code: 'TLS_REFUSED' }))
        return socket.destroy()
      }
`,
  },
  // Defect: a lost connection cancels its write timer and keeps the variable and the buffer, so it
  // never writes again, and every later use ends in CONNECT_TIMEOUT.
  // github.com/porsager/postgres/pull/1215 (comments)
  {
    file: CONNECTION,
    text: `    clearImmediate(nextWriteTimer)\n`,
    replacement: `    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n`,
    times: 2,
  },
  // Defect: the error of a lost connection rejects the first statement after it.
  // github.com/porsager/postgres/issues/1223
  {
    file: CONNECTION,
    text: `    closedTime = performance.now()\n`,
    replacement: `    query = results = errorResponse = null
    result = new Result()
    closedTime = performance.now()
`,
  },
  // Defects: a transaction whose connection is lost writes `rollback` to a socket that is null, which
  // ends the process (issues/1133, 1154, 1208); and once another statement has opened the connection
  // again, the rest of the transaction runs there and is committed (issues/1204, 1216). The next two
  // changes reject every statement of a transaction after its connection was lost.
  {
    file: INDEX,
    text: `new Promise((_, reject) => connection.onclose = reject)`,
    replacement: `new Promise((_, reject) => connection.onclose = error => {
          queries.lost = error
          while (queries.length)
            queries.shift().reject(error)
          reject(error)
        })`,
  },
  {
    file: INDEX,
    text: `        q.catch(e => uncaughtError || (uncaughtError = e))\n`,
    replacement: `        q.catch(e => uncaughtError || (uncaughtError = e))
        if (queries.lost)
          return q.reject(queries.lost)
`,
  },
  // Addition, in three changes: a new connection of a pool with a `proof` runs its statement before
  // any other, and is closed when the answer is not the expected one. The driver has no hook for this.
  {
    file: CONNECTION,
    text: `      needsTypes = options.fetch_types\n      statementId`,
    replacement: `      needsTypes = options.fetch_types\n      connection.isProved = null\n      statementId`,
  },
  {
    file: CONNECTION,
    text: `    connectTimer.cancel()\n\n    if (initial) {\n`,
    replacement: `    if (options.proof && connection.isProved !== true)
      return prove()
    connectTimer.cancel()\n\n    if (initial) {\n`,
  },
  {
    file: CONNECTION,
    text: `  function CommandComplete(x) {\n`,
    replacement: `  function prove() {
    if (connection.isProved === false) {
      errored(options.proof.error)
      return socket.destroy()
    }
    connection.isProved = false
    const proof = new Query([options.proof.text], [], execute, null, { simple: true })
    proof.resolve = ([row]) => connection.isProved = options.proof.holds(row)
    proof.reject = noop
    proof.execute()
  }

  function CommandComplete(x) {\n`,
  },
]

/** Exported for its test. @throws Error when a text is not found as often as expected */
export function applyChanges(source: string, changes: readonly Change[]): string {
  let changed = source
  for (const { file, text, replacement, times = 1 } of changes) {
    const pieces = changed.split(text)
    if (pieces.length !== times + 1)
      throw new Error(`${file} is not the version that src/storage/driver.ts changes`)
    changed = pieces.join(replacement)
  }
  return changed
}

const hooks = registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const changes = CHANGES.filter(({ file }) => url.endsWith(file))
    if (changes.length === 0) return loaded
    const source = Buffer.from(loaded.source as Uint8Array).toString()
    return { ...loaded, source: applyChanges(source, changes) }
  },
})
// Static imports would be loaded before the hooks are registered.
const { default: postgres } = await import('postgres')
hooks.deregister()

export { postgres }
