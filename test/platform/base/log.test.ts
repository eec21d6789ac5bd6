import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from '../../../src/platform/core/log.ts'
import { toLogStream } from '../../../src/platform/core/terminal.ts'

test('secrets are redacted in a log line, at the top and inside', () => {
  let written = ''
  const log = openLog('info', { write: (line: string) => void (written += line) })
  log.info(
    {
      authorization: 'Bearer canary-1',
      password: 'canary-2',
      request: { headers: { cookie: 'canary-3', authorization: 'canary-4' } },
      key: { secret: 'canary-5' },
      config: { databaseUrl: 'postgres://u:canary-6@h/d', secretKey: 'canary-7' },
      headers: { 'set-cookie': 'canary-8' },
      user: { token: 'canary-9', name: 'kept' },
    },
    'message',
  )
  assert.doesNotMatch(written, /canary/)
  assert.match(written, /kept/)
  assert.equal(JSON.parse(written).level, 'info')
})

test('a line break in a logged value stays inside its line', () => {
  let written = ''
  const log = openLog('info', { write: (line: string) => void (written += line) })
  log.info({ userAgent: 'a\n{"level":"error"}\u001b[31m' }, 'request')
  assert.equal(written.trimEnd().split('\n').length, 1)
  assert.doesNotMatch(written, /\u001b/)
})

test('any thrown value can be logged, and values of rows stay out of it', () => {
  let written = ''
  const log = openLog('info', { write: (line: string) => void (written += line) })
  for (const thrown of [null, undefined, 'text', 7, {}, Object.create(null)])
    log.error({ err: thrown }, 'thrown')
  const refused = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (email)=(canary) already exists.',
    parameters: ['canary'],
  })
  log.error({ err: refused }, 'refused')
  assert.equal(written.trimEnd().split('\n').length, 7)
  assert.match(written, /23505/)
  assert.doesNotMatch(written, /canary/)
})

/** The text that a log with two lines writes to such an output. */
function writeTwoLines(
  format: 'text' | 'json' | null,
  terminal: { isTTY: boolean; colors: boolean },
) {
  let text = ''
  const write = (chunk: string) => void (text += chunk)
  const output = { write, isTTY: terminal.isTTY, hasColors: () => terminal.colors }
  const log = openLog('info', toLogStream(format, output))
  log.info({ engine: 'PostgreSQL', note: 'two words', inner: { a: 1 } }, 'migrations applied')
  const err = new TypeError('first\u001b[2J line')
  err.stack = `${err.stack!.split('\n')[0]}\n    at one (file.ts:1:2)\n    at two (file.ts:3:4)`
  log.error({ err, password: 'canary' }, 'it failed')
  return text
}

test('a terminal gets lines for reading, with stacks below them and without control characters', () => {
  const text = writeTwoLines(null, { isTTY: true, colors: false })
  const [first, second, ...stack] = text.trimEnd().split('\n')
  assert.match(
    first!,
    /^\d\d:\d\d:\d\d info {3}migrations applied {2}engine=PostgreSQL {2}note="two words" {2}inner="\{.+\}"$/,
  )
  assert.match(second!, /^\d\d:\d\d:\d\d error {2}it failed {2}password=\[redacted\]$/)
  assert.deepEqual(stack, [
    '    TypeError: first?[2J line',
    '        at one (file.ts:1:2)',
    '        at two (file.ts:3:4)',
  ])
})

test('colors appear on a terminal that has them alone', () => {
  assert.match(writeTwoLines('text', { isTTY: true, colors: true }), /\u001b\[31m/)
  for (const terminal of [
    { isTTY: true, colors: false },
    { isTTY: false, colors: true },
  ])
    assert.doesNotMatch(writeTwoLines('text', terminal), /\u001b/)
})

test('elsewhere, and with LOG_FORMAT=json, a log is JSON lines', () => {
  for (const text of [
    writeTwoLines(null, { isTTY: false, colors: false }),
    writeTwoLines('json', { isTTY: true, colors: true }),
  ])
    assert.deepEqual(
      text
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { level: string }).level),
      ['info', 'error'],
    )
})
