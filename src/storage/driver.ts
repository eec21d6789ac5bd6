import { registerHooks } from 'node:module'

/**
 * The `postgres` driver, without what its version 3.4.9 does when a connection is lost:
 *
 * - A transaction whose connection is gone sends its next statement, `rollback` at the latest, into
 *   a socket that is null. That is thrown out of a timer, where nobody can catch it: it ended the
 *   process at every restart of PostgreSQL under load.
 * - When another statement has opened that connection anew by then, the rest of the transaction runs
 *   on it without a transaction: half a change is committed, and its caller was told it failed.
 * - A statement that was given to a connection a moment before its loss stays in its buffer, and the
 *   connection never writes again: of those that are lost together, some are lost for good.
 * - The error that came with the loss is remembered, and given to the first statement after it.
 *
 * And with one addition: where a pool has a `proof`, each new connection is asked it before anything
 * else, and a connection that does not pass is closed (`postgres.ts`).
 *
 * All of it is mended in the driver's source as it is loaded (docs/decisions/0013-driver.md). A source
 * that is not the known one is refused: then see what it does (test/storage/driver.test.ts), and drop
 * what is not needed any more.
 */
type Mend = { file: string; text: string; becomes: string; times: number }

/** What each new connection of a pool must answer; read by the driver from the options of the pool. */
export type Proof = {
  /** One statement without parameters. */
  readonly text: string
  /** Whether its first row is the expected one. */
  readonly holds: (row: Record<string, unknown> | undefined) => boolean
  /** Rejects what waited for the connection. */
  readonly error: Error
}

const MENDS: readonly Mend[] = [
  {
    file: '/postgres/src/connection.js',
    text: `    clearImmediate(nextWriteTimer)\n`,
    becomes: `    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n`,
    times: 2,
  },
  {
    file: '/postgres/src/connection.js',
    text: `    closedTime = performance.now()\n`,
    becomes: `    query = results = errorResponse = null
    result = new Result()
    closedTime = performance.now()
`,
    times: 1,
  },
  {
    file: '/postgres/src/index.js',
    text: `new Promise((_, reject) => connection.onclose = reject)`,
    becomes: `new Promise((_, reject) => connection.onclose = error => {
          lost = error
          while (queries.length)
            queries.shift().reject(error)
          reject(error)
        })`,
    times: 1,
  },
  {
    file: '/postgres/src/index.js',
    text: `      , prepare = null\n`,
    becomes: `      , prepare = null\n      , lost = null\n`,
    times: 1,
  },
  {
    file: '/postgres/src/index.js',
    text: `        q.catch(e => uncaughtError || (uncaughtError = e))\n`,
    becomes: `        q.catch(e => uncaughtError || (uncaughtError = e))
        if (lost)
          return q.reject(lost)
`,
    times: 1,
  },
  {
    file: '/postgres/src/connection.js',
    text: `    , needsTypes = options.fetch_types\n`,
    becomes: `    , needsTypes = options.fetch_types\n    , proved = null\n`,
    times: 1,
  },
  {
    file: '/postgres/src/connection.js',
    text: `      needsTypes = options.fetch_types\n      statementId`,
    becomes: `      needsTypes = options.fetch_types\n      proved = null\n      statementId`,
    times: 1,
  },
  {
    file: '/postgres/src/connection.js',
    text: `    connectTimer.cancel()\n\n    if (initial) {\n`,
    becomes: `    if (options.proof && proved !== true)
      return prove()
    connectTimer.cancel()\n\n    if (initial) {\n`,
    times: 1,
  },
  {
    file: '/postgres/src/connection.js',
    text: `  function CommandComplete(x) {\n`,
    becomes: `  function prove() {
    if (proved === false) {
      errored(options.proof.error)
      return socket.destroy()
    }
    proved = false
    const asked = new Query([options.proof.text], [], execute, null, { simple: true })
    asked.resolve = ([row]) => proved = options.proof.holds(row)
    asked.reject = noop
    asked.execute()
  }

  function CommandComplete(x) {\n`,
    times: 1,
  },
]

/** Exported for its test. @throws Error when the source is not the one that is known */
export function mend(source: string, mends: readonly Mend[]): string {
  let mended = source
  for (const { file, text, becomes, times } of mends) {
    const pieces = mended.split(text)
    if (pieces.length !== times + 1)
      throw new Error(`${file} is not the one that src/storage/driver.ts knows how to mend`)
    mended = pieces.join(becomes)
  }
  return mended
}

const hooks = registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const mends = MENDS.filter(({ file }) => url.endsWith(file))
    if (mends.length === 0) return loaded
    return { ...loaded, source: mend(Buffer.from(loaded.source as Uint8Array).toString(), mends) }
  },
})
// Not a static import: those are loaded before anything here has run.
const { default: postgres } = await import('postgres')
hooks.deregister()

export { postgres }
