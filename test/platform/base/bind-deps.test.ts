import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bindDeps } from '../../../src/platform/core/functions.ts'

test('each operation gets the dependencies before the arguments of its caller', () => {
  const join = (deps: { prefix: string }, name: string, suffix = '') => deps.prefix + name + suffix
  const bound = bindDeps({ prefix: 'a-', unused: 1 }, { join })
  assert.equal(bound.join('b'), 'a-b')
  assert.equal(bound.join('b', '-c'), 'a-b-c')
})
