import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from '../../src/platform/core/log.ts'
import { inTransaction } from '../../src/platform/storage/postgres/postgres.ts'
import { eventually, openWorld } from '../support/world.ts'

test('what is made in a workspace while it is deleted is refused, and no fault of ours', async (t) => {
  const lines: string[] = []
  const world = await openWorld(t, {
    log: openLog('error', { write: (line: string) => void lines.push(line) }),
  })
  const { userId, workspaceId } = await world.member()
  const session = await world.session({ userId, workspaceId })
  const link = { name: 'a link', destinationUrl: 'https://example.com/' }
  const makers = [
    () => session.post('/links', link),
    () => session.post('/api-keys', { name: 'x' }),
    () => session.post('/invitations', { email: 'user@example.com', role: 'viewer' }),
    () => session.patch(`/workspaces/${workspaceId}`, { name: 'another' }),
  ]
  const asked = await inTransaction(world.sql, async (tx) => {
    await tx`delete from workspaces where id = ${workspaceId}`
    const answers = makers.map((make) => make())
    // Each is admitted, and waits for the end of this transaction; so may the count of their calls.
    await eventually(async () => {
      const [row] = await world.sql<{ n: number }[]>`
        select count(*) as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      assert.ok(row!.n >= makers.length)
    })
    return { answers }
  })
  const answers = await Promise.all(asked.answers)
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.error.code]),
    makers.map(() => [404, 'NOT_FOUND']),
  )
  assert.deepEqual(lines, [])
})
