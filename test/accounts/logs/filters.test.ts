import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { AUDIT_ACTIONS } from '../../../src/platform/audit/audit.ts'
import { openWorld } from '../../support/world.ts'

test('filters of the two logs: an unknown value matches nothing, an invalid filter is a 400', async (t) => {
  const world = await openWorld(t)
  const member = await world.member()
  const stranger = await world.member()
  const at = '2026-01-01T00:00:00Z'
  const wrongs: [query: string, path: string][] = [
    ['from=yesterday', 'from'],
    ['to=2026-01-01', 'to'],
    ['to=', 'to'],
    ['from=1767225600000', 'from'],
    ['from=2026-02-30T00:00:00Z', 'from'],
    ['to=0000-01-01T00:00:00Z', 'to'],
    [`from=${at}&from=${at}`, 'from'],
    [`from=2026-01-02T00:00:00Z&to=${at}`, 'from'],
    ['from=2026-01-01T00:00:00%2B00:00&to=2026-01-01T00:00:00%2B00:01', 'from'],
    // Text that no column can hold is refused at its parameter.
    ['actorId=%00', 'actorId'],
    ['actorId=', 'actorId'],
    ['actorId=a&actorId=b', 'actorId'],
    [`actorId=${'x'.repeat(101)}`, 'actorId'],
    ['limit=none', 'limit'],
    ['offset=-1', 'offset'],
  ]
  const own: Record<string, { unknown: string[]; wrong: [query: string, path: string][] }> = {
    '/audit-log': {
      unknown: ['actorId=usr_none', 'targetId=lnk_none', 'targetType=none'],
      wrong: [
        ['action=', 'action'],
        ['action=no.such', 'action'],
        ['targetType[]=a&targetType=b&targetType=c', 'targetType'],
      ],
    },
    '/security-log': {
      unknown: ['actorId=usr_none', 'userId=usr_none', 'userId=%F0%9F%98%80'],
      wrong: [
        ['type=no.such', 'type'],
        ['outcome=maybe', 'outcome'],
      ],
    },
  }
  for (const [log, { unknown, wrong }] of Object.entries(own)) {
    assert.ok((await member.get(log)).body.meta.total > 0, log)
    const nothing = [
      ...unknown,
      `from=${at}&to=${at}`,
      'from=9999-01-01T00:00:00Z',
      'from=2999-01-01t00:00:00z',
    ]
    for (const query of nothing) {
      const { status, body } = await member.get(`${log}?${query}`)
      assert.deepEqual([status, body.data, body.meta?.total], [200, [], 0], `${log}?${query}`)
    }
    for (const [query, path] of [...wrongs, ...wrong]) {
      const { status, body } = await member.get(`${log}?${query}`)
      const paths = Array.isArray(body.error?.details)
        ? body.error.details.map((each: { path: string }) => each.path)
        : null
      assert.deepEqual(
        [status, body.error?.code, paths],
        [400, 'VALIDATION_ERROR', [path]],
        `${log}?${query}`,
      )
    }
    const foreign = await member.get(`${log}?actorId=${stranger.userId}`)
    assert.deepEqual([foreign.status, foreign.body.error.code], [403, 'FORBIDDEN'])
    // An unknown parameter is ignored.
    assert.equal((await member.get(`${log}?nothing=1`)).status, 200)
  }
})

test('the docs and the OpenAPI document name every action of the audit log', async (t) => {
  const world = await openWorld(t)
  const docs = readFileSync(join(import.meta.dirname, '../../../docs/accounts.md'), 'utf8')
  for (const action of AUDIT_ACTIONS) assert.ok(docs.includes(`\`${action}\``), action)
  const { body } = await world.call('GET', '/v1/openapi.json')
  const parameters: { name: string; schema: { enum?: string[] } }[] =
    body.paths['/audit-log'].get.parameters
  const { schema } = parameters.find(({ name }) => name === 'action')!
  assert.deepEqual(schema.enum, [...AUDIT_ACTIONS])
})
