import { relative } from 'node:path'

/**
 * A reporter of `node --test` that prints the files with failures, one per line, as `npm test` takes them. The file of a
 * test within a test may be a helper, so those of the outer ones count.
 * @param {AsyncIterable<{ type: string, data: { nesting?: number, file?: string } }>} source events of the run
 * @returns {AsyncGenerator<string>}
 */
// oxlint-disable-next-line import/no-default-export -- reporters are loaded by their default export
export default async function* failedFiles(source) {
  const files = new Set()
  for await (const { type, data } of source)
    if (type === 'test:fail' && data.nesting === 0 && data.file) files.add(data.file)
  for (const file of files) yield `${relative('', file)}\n`
}
