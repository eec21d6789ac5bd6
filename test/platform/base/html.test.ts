import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapeHtml } from '../../../src/platform/http/html.ts'

const ESCAPED: readonly [text: string, html: string][] = [
  ['a & b', 'a &amp; b'],
  ['<b>', '&lt;b&gt;'],
  ['"\'', '&quot;&#39;'],
  // Nothing is taken for escaped already.
  ['&amp;', '&amp;amp;'],
  ['</title><script>', '&lt;/title&gt;&lt;script&gt;'],
  ['ü 漢 😀', 'ü 漢 😀'],
  ['', ''],
]

test('a text appears in a page as itself, and ends no element and no attribute', () => {
  for (const [text, html] of ESCAPED) assert.equal(escapeHtml(text), html)
})
