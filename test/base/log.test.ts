import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from '../../src/base/log.ts'

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
