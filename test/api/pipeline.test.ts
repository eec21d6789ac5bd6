import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PIPELINE } from '../../src/api/requests/pipeline.ts'

test('docs/api.md lists the steps of a request and their errors in the order of the pipeline', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8')
  const [, section = ''] = text.split('## Order of checks\n')
  const rows = Array.from(
    section.split('\n## ')[0]!.matchAll(/^\| `(\w+)` \| G? ?\|([^|]*)\|/gm),
    ([, step, codes]) => ({
      step,
      refuses: Array.from(codes!.matchAll(/`(\w+)`/g), ([, code]) => code),
    }),
  )
  assert.deepEqual(
    rows,
    PIPELINE.map(({ step, refuses }) => ({ step, refuses })),
  )
})
