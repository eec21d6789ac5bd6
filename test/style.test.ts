import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const BRITISH =
  /\b(colour|behaviour|favour|neighbour|catalogue|licence)|\b(recogni|normali|seriali|organi|optimi|initiali)s(e|ed|es|ing|ation)\b|\bcancelled\b/i
/** Messages of other languages have words of their own. */
const OTHER_LANGUAGE = /\/text\/(?!en\/)[\w-]+\//

test('texts and names are spelled in American English', () => {
  const files = globSync('{src,dashboard/src,clients/*/src,demo,bench,test}/**/*.{ts,tsx}', {
    cwd: ROOT,
  }).filter(
    (file) =>
      !file.includes('.gen.') && !OTHER_LANGUAGE.test(file) && file !== 'test/style.test.ts',
  )
  const found = files.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .split('\n')
      .flatMap((line, i) => (BRITISH.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
  )
  assert.deepEqual(found, [])
})
