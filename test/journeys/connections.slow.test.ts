import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callsWith } from '../support/calls.ts'
import { eventually } from '../support/eventually.ts'
import { sessionsOf } from '../support/processes.ts'
import { bootstrapKey, freshDataDir, startProgram } from '../support/program.ts'

const LOAD_MS = 5_000
const CALLERS = 48
/** Unused connections are closed after 30 s. */
const REST_TIMEOUT_MS = 90_000

test('all processes together open at most 30 connections to PostgreSQL under load, and 20 at rest', async (t) => {
  const dataDir = freshDataDir(t)
  const program = await startProgram(t, dataDir)
  const owner = callsWith(await bootstrapKey({ DATA_DIR: dataDir }), program.origin)
  const link = { name: 'Docs', destinationUrl: 'https://example.com/docs', maxClicks: 1_000_000 }
  const { slug, id } = (await owner.post('/links', link)).body.data
  const calls: readonly (() => Promise<unknown>)[] = [
    () => owner.post('/links', link),
    () => owner.get('/links?search=docs'),
    () => owner.get(`/analytics/links/${id}`),
    () => owner.get('/audit-log'),
    () => owner.post('/webhooks/dispatch', { type: 'link.created' }),
    () => fetch(`${program.origin}/${slug}`, { redirect: 'manual' }),
    () => fetch(`${program.origin}/unknown-${Math.random()}`, { redirect: 'manual' }),
  ]
  const untilMs = Date.now() + LOAD_MS
  let most = 0
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, i) => {
      while (Date.now() < untilMs) {
        await calls[i % calls.length]!()
        most = Math.max(most, sessionsOf(program.child.pid!))
      }
    }),
  )
  assert.ok(most > 10, `${most} connections are no load`)
  assert.ok(most <= 30, `${most} connections under load`)
  await eventually(
    () =>
      assert.ok(sessionsOf(program.child.pid!) <= 20, `${sessionsOf(program.child.pid!)} at rest`),
    REST_TIMEOUT_MS,
  )
})
