import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  isMarkedEmpty,
  markCell,
  toCsvRecord,
  unmarkCell,
} from '../../src/platform/resources/csv.ts'

test('no cell begins with a character of a formula, and each text comes back', () => {
  const starts = fc.constantFrom('', '=', '+', '-', '@', '\t', '\r', '\n', "'", "''", "'=")
  fc.assert(
    fc.property(starts, fc.string(), (start, rest) => {
      const cell = markCell(start + rest)
      assert.doesNotMatch(cell, /^[=+\-@\t\r\n]/)
      assert.equal(unmarkCell(cell), start + rest)
    }),
  )
})

test('an apostrophe that another program wrote before an ordinary letter stays', () => {
  assert.equal(unmarkCell("'tis"), "'tis")
  assert.equal(unmarkCell("'=1+1"), '=1+1')
  assert.equal(unmarkCell("'"), "'")
})

test('a record quotes what would break it', () => {
  assert.equal(
    toCsvRecord(['a', 'b,c', 'say "hi"', 'two\nlines', ' x', '', '=1']),
    `a,"b,c","say ""hi""","two\nlines"," x",,'=1\r\n`,
  )
})

test('a mark alone is an empty text, and no other cell is', () => {
  assert.equal(toCsvRecord([null, "'", '']), "','',\r\n")
  assert.equal(isMarkedEmpty("'"), true)
  for (const cell of ['', "''", "'a"]) assert.equal(isMarkedEmpty(cell), false)
})
