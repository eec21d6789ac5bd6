import { relative } from 'node:path'

/**
 * A reporter of `node --test` that prints how long the tests of each file took, the longest first: `12.3 test/x.test.ts`.
 * @param {AsyncIterable<{ type: string, data: { nesting?: number, file?: string, details?: { duration_ms?: number } } }>} source
 *   events of the run
 * @returns {AsyncGenerator<string>}
 */
// oxlint-disable-next-line import/no-default-export -- reporters are loaded by their default export
export default async function* fileSeconds(source) {
  /** @type {Map<string, number>} */
  const seconds = new Map()
  for await (const { type, data } of source) {
    const { nesting, file, details } = data
    if (type !== 'test:complete' || nesting !== 0 || !file?.endsWith('.test.ts')) continue
    seconds.set(file, (seconds.get(file) ?? 0) + (details?.duration_ms ?? 0) / 1000)
  }
  for (const [file, took] of [...seconds].toSorted(([, one], [, other]) => other - one))
    yield `${took.toFixed(1)} ${relative('', file)}\n`
}
