import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roleAtLeast, ROLES, scopeCovers } from '../../../src/platform/routes/principal.ts'

test('each role may do what the ones below it may', () => {
  for (const [i, role] of ROLES.entries())
    for (const [j, needed] of ROLES.entries()) assert.equal(roleAtLeast(role, needed), i >= j)
})

const COVERED: [scopes: string[] | null, needed: string, isCovered: boolean][] = [
  [null, 'links:write', true],
  [[], 'links:read', false],
  [['links:read'], 'links:read', true],
  [['links:read'], 'links:write', false],
  [['links:write'], 'links:read', true],
  [['*'], 'webhooks:write', true],
  [['*:read'], 'links:read', true],
  [['*:read'], 'links:write', false],
  [['analytics:read'], 'links:read', false],
  [['link:write'], 'links:read', false],
]
for (const [scopes, needed, isCovered] of COVERED)
  test(`scopes ${JSON.stringify(scopes)} ${isCovered ? 'cover' : 'do not cover'} ${needed}`, () => {
    assert.equal(scopeCovers(scopes, needed), isCovered)
  })
