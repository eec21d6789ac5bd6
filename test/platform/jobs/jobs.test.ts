import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test, type TestContext } from 'node:test'
import { ApiError } from '../../../src/platform/core/errors.ts'
import type { Principal } from '../../../src/platform/routes/principal.ts'
import { isAnotherUnfinished } from '../../../src/platform/jobs/jobs.ts'
import { acquire, heartbeat, saveState } from '../../../src/platform/jobs/leases.ts'
import { inWorkspace } from '../../../src/platform/storage/postgres/postgres.ts'
import { eventually } from '../../support/eventually.ts'
import { countingKind, openJobWorld, type JobWorld } from '../../support/job-world.ts'
import { NEVER } from '../../support/never.ts'

const CHILD = join(import.meta.dirname, '../../support/job-child.ts')

/** The pieces of a job whose transactions were committed. */
async function committedPieces({ owner }: JobWorld, id: string): Promise<number[]> {
  const rows = await owner<{ name: string }[]>`
    select name from folders where id like ${`${id}-%`} order by name::int`
  return rows.map(({ name }) => Number(name))
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

/** Lets the lease of a dead worker end now. */
async function endLeases({ owner }: JobWorld): Promise<void> {
  await owner`update jobs set lease_until = now() - interval '1 second' where owner is not null`
}

function cancel({ sql, jobs }: JobWorld, principal: Principal, id: string): Promise<boolean> {
  return inWorkspace(sql, principal.workspaceId, (tx) => jobs.cancel(tx, principal, 'count', id))
}

/** A gate that pieces wait at. */
function createGate() {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  return {
    reached: reached.promise,
    open: () => opened.resolve(),
    async pass() {
      reached.resolve()
      await opened.promise
    },
  }
}

test('a job runs piece by piece as the user who asked, and is completed with its last state', async (t) => {
  const world = await openJobWorld(t)
  const principal = await world.member()
  const seen: Principal[] = []
  world.work([countingKind('count', async (_, each) => seen.push(each))])
  const id = await world.enqueue(principal, 'count', { pieces: 3 }, { prefix: 'imp' })
  const job = await world.reaches(principal, 'count', id, 'completed')
  assert.match(id, /^imp_/)
  assert.deepEqual(await committedPieces(world, id), [1, 2, 3])
  assert.equal(job.state, 3)
  assert.equal(job.error, null)
  assert.ok(job.startedAt && job.completedAt)
  assert.deepEqual(seen[0]!.actor, principal.actor)
  assert.equal(seen[0]!.requestId, principal.requestId)
  assert.equal(seen[0]!.workspaceId, principal.workspaceId)
})

test('a rolled-back transaction leaves no job', async (t) => {
  const world = await openJobWorld(t)
  const principal = await world.member()
  await assert.rejects(
    inWorkspace(world.sql, principal.workspaceId, async (tx) => {
      await world.jobs.enqueue(tx, principal, 'count', { pieces: 1 })
      throw new Error('no')
    }),
  )
  assert.equal((await world.owner`select 1 from jobs`).length, 0)
})

test('chunks are read in their order and deleted with the end of the job', async (t) => {
  const world = await openJobWorld(t)
  const principal = await world.member()
  const read: unknown[] = []
  world.work([
    {
      name: 'chunks',
      requires: null,
      async run({ readChunk }) {
        for (let chunk = 0; ; chunk++) {
          const content = await readChunk(chunk)
          if (content === null) return
          read.push(content)
        }
      },
    },
  ])
  const chunks = [['a', '\u0000'], [{ ['__proto__']: 1 }], []]
  const id = await world.enqueue(principal, 'chunks', {}, { chunks })
  await world.reaches(principal, 'chunks', id, 'completed')
  assert.deepEqual(read, chunks)
  assert.equal((await world.owner`select 1 from job_chunks`).length, 0)
})

test('a second single job of any kind is refused until the first is finished, also in parallel', async (t) => {
  const world = await openJobWorld(t)
  const principal = await world.member()
  const add = (kind = 'count') => world.enqueue(principal, kind, { pieces: 1 }, { isSingle: true })
  const results = await Promise.allSettled([add(), add('other'), add(), add('other')])
  const refused = results.filter(({ status }) => status === 'rejected')
  assert.equal(refused.length, 3)
  for (const each of refused)
    assert.ok(isAnotherUnfinished((each as PromiseRejectedResult).reason), 'another error')
  const at = results.findIndex(({ status }) => status === 'fulfilled')
  const { value: first } = results[at] as PromiseFulfilledResult<string>
  world.work([countingKind('count'), countingKind('other')])
  await world.reaches(principal, at % 2 === 0 ? 'count' : 'other', first, 'completed')
  await add()
})

test('a cancel rolls the running piece back, keeps those before it, and ends the job', async (t) => {
  const world = await openJobWorld(t)
  const principal = await world.member()
  const gate = createGate()
  world.work([countingKind('count', async (piece) => piece === 3 && gate.pass())])
  const id = await world.enqueue(principal, 'count', { pieces: 5 }, { chunks: [1, 2] })
  await gate.reached
  assert.equal(await cancel(world, principal, id), true)
  assert.equal(await cancel(world, principal, id), false)
  gate.open()
  const other = await world.enqueue(principal, 'count', { pieces: 1 })
  await world.reaches(principal, 'count', other, 'completed')
  const job = await world.read(principal, 'count', id)
  assert.equal(job.status, 'canceled')
  assert.deepEqual(await committedPieces(world, id), [1, 2])
  assert.equal((await world.owner`select 1 from job_chunks`).length, 0)
})

test('a pending job can be canceled and never runs', async (t) => {
  const world = await openJobWorld(t)
  const principal = await world.member()
  const id = await world.enqueue(principal, 'count', { pieces: 1 })
  assert.equal(await cancel(world, principal, id), true)
  world.work([countingKind('count')])
  const next = await world.enqueue(principal, 'count', { pieces: 1 })
  await world.reaches(principal, 'count', next, 'completed')
  assert.deepEqual(await committedPieces(world, id), [])
})

test('an error is tried again three times at one piece, and then fails the job with a sentence', async (t) => {
  const world = await openJobWorld(t)
  const principal = await world.member()
  let attempts = 0
  world.work([
    countingKind('count', async (piece) => {
      if (piece < 3) return
      attempts++
      throw new Error('secret detail of the program')
    }),
  ])
  const id = await world.enqueue(principal, 'count', { pieces: 5 })
  const job = await world.reaches(principal, 'count', id, 'failed')
  assert.equal(attempts, 3)
  assert.equal(job.state, 2)
  assert.equal(job.error?.code, 'INTERNAL_ERROR')
  assert.doesNotMatch(job.error!.message, /secret/)
  assert.deepEqual(await committedPieces(world, id), [1, 2])
})

test('an error of a caller fails the job at once', async (t) => {
  const world = await openJobWorld(t)
  const principal = await world.member()
  world.work([
    countingKind('count', async () => {
      throw new ApiError('PLAN_LIMIT_REACHED', 'There is no room.')
    }),
  ])
  const id = await world.enqueue(principal, 'count', { pieces: 5 })
  const { error } = await world.reaches(principal, 'count', id, 'failed')
  assert.deepEqual(error, { code: 'PLAN_LIMIT_REACHED', message: 'There is no room.' })
})

async function addKey(
  { owner }: JobWorld,
  principal: Principal,
  scopes: string[] | null,
): Promise<string> {
  const id = `key_${principal.userId}`
  await owner`
    insert into api_keys (id, workspace_id, user_id, name, prefix, key_hash, scopes, created_at, updated_at)
    values (${id}, ${principal.workspaceId}, ${principal.userId}, 'key', 'sp', ${Buffer.from(id)}, ${scopes}::text[],
      now(), now())`
  return id
}

const ENDINGS: [
  name: string,
  end: (world: JobWorld, principal: Principal) => PromiseLike<unknown>,
][] = [
  [
    'a removed member',
    ({ owner }, { userId }) => owner`delete from members where user_id = ${userId}`,
  ],
  [
    'a viewer',
    ({ owner }, { userId }) => owner`update members set role = 'viewer' where user_id = ${userId}`,
  ],
  [
    'a suspended user',
    ({ owner }, { userId }) => owner`update users set suspended_at = now() where id = ${userId}`,
  ],
  ['a revoked key', ({ owner }, { actor }) => owner`delete from api_keys where id = ${actor.id}`],
  [
    'a key without the scope',
    ({ owner }, { actor }) =>
      owner`update api_keys set scopes = '{links:read}' where id = ${actor.id}`,
  ],
]

for (const [name, end] of ENDINGS)
  test(`a job goes on with no further piece for ${name}`, async (t) => {
    const world = await openJobWorld(t)
    const user = await world.member()
    const isKey = name.includes('key')
    const actor = isKey
      ? { type: 'api_key' as const, id: await addKey(world, user, ['links:write']) }
      : user.actor
    const principal = { ...user, actor }
    const gate = createGate()
    world.work([countingKind('count', async (piece) => piece === 2 && gate.pass())])
    const id = await world.enqueue(principal, 'count', { pieces: 5 })
    await gate.reached
    await end(world, principal)
    gate.open()
    const { error } = await world.reaches(principal, 'count', id, 'failed')
    assert.equal(error?.code, 'FORBIDDEN')
    assert.deepEqual(await committedPieces(world, id), [1, 2])
  })

test('a job of a suspended workspace waits, and goes on when the workspace is resumed', async (t) => {
  const world = await openJobWorld(t)
  const { owner } = world
  const principal = await world.member()
  const gate = createGate()
  world.work([countingKind('count', async (piece) => piece === 2 && gate.pass())])
  const id = await world.enqueue(principal, 'count', { pieces: 4 })
  await gate.reached
  await owner`update workspaces set suspended_at = now() where id = ${principal.workspaceId}`
  gate.open()
  await eventually(async () => {
    const [job] = await owner<{ owner: string | null }[]>`select owner from jobs where id = ${id}`
    assert.equal(job!.owner, null)
  })
  assert.deepEqual(await committedPieces(world, id), [1, 2])
  await owner`update workspaces set suspended_at = null where id = ${principal.workspaceId}`
  await world.reaches(principal, 'count', id, 'completed')
  assert.deepEqual(await committedPieces(world, id), upTo(4))
})

test('a piece of a worker that lost its lease is rolled back', async (t) => {
  const world = await openJobWorld(t)
  const principal = await world.member()
  const gate = createGate()
  let first = true
  const kind = countingKind('count', async () => {
    if (!first) return
    first = false
    await gate.pass()
  })
  const slow = world.work([kind])
  const id = await world.enqueue(principal, 'count', { pieces: 3 })
  await gate.reached
  await endLeases(world)
  const [again] = await acquire(world.systemSql, 'another worker', ['count'], 1)
  assert.equal(again?.id, id)
  gate.open()
  await slow.stop()
  assert.deepEqual(await committedPieces(world, id), [])
  assert.deepEqual(await heartbeat(world.systemSql, 'another worker', [id]), [id])
  const save = inWorkspace(world.sql, principal.workspaceId, (tx) =>
    saveState(tx, 'another worker', again, 1),
  )
  assert.equal(await save, true)
})

test('two workers share the jobs of many workspaces and run no piece twice', async (t) => {
  const world = await openJobWorld(t)
  const running = new Map<string, number>()
  let atOnce = 0
  const kind = countingKind('count', async (_, { workspaceId }) => {
    running.set(workspaceId, (running.get(workspaceId) ?? 0) + 1)
    atOnce = Math.max(atOnce, ...running.values())
    await new Promise((resolve) => setTimeout(resolve, 2))
    running.set(workspaceId, running.get(workspaceId)! - 1)
  })
  const members = await Promise.all(upTo(5).map(() => world.member()))
  world.work([kind])
  world.work([kind])
  const all = await Promise.all(
    members.flatMap((principal) =>
      upTo(4).map(async () => ({
        principal,
        id: await world.enqueue(principal, 'count', { pieces: 5 }),
      })),
    ),
  )
  for (const { principal, id } of all) {
    await world.reaches(principal, 'count', id, 'completed')
    assert.deepEqual(await committedPieces(world, id), upTo(5))
  }
  assert.equal(atOnce, 1, 'two jobs of one workspace ran at once')
})

test('long jobs of some workspaces do not keep the job of another waiting', async (t) => {
  const world = await openJobWorld(t)
  const busy = await Promise.all(upTo(3).map(() => world.member()))
  const quiet = await world.member()
  const isLong = { value: true }
  const kind = countingKind('count', async (_, { workspaceId }) => {
    if (workspaceId !== quiet.workspaceId && isLong.value)
      await new Promise((resolve) => setTimeout(resolve, 50))
  })
  world.work([kind])
  const long = await Promise.all(
    busy.flatMap((principal) =>
      upTo(5).map(async () => ({
        principal,
        id: await world.enqueue(principal, 'count', { pieces: 1_000 }),
      })),
    ),
  )
  const id = await world.enqueue(quiet, 'count', { pieces: 3 })
  await world.reaches(quiet, 'count', id, 'completed')
  for (const each of long) {
    const job = await world.read(each.principal, 'count', each.id)
    assert.notEqual(job.status, 'completed')
  }
})

test('a worker that is stopped gives its job back between two pieces', async (t) => {
  const world = await openJobWorld(t)
  const principal = await world.member()
  const gate = createGate()
  const first = world.work([countingKind('count', async (piece) => piece === 2 && gate.pass())])
  const id = await world.enqueue(principal, 'count', { pieces: 4 })
  await gate.reached
  const stopped = first.stop()
  gate.open()
  await stopped
  assert.deepEqual(await committedPieces(world, id), [1, 2])
  const [job] = await world.owner`select owner, attempts from jobs where id = ${id}`
  assert.deepEqual({ ...job }, { owner: null, attempts: 0 })
  world.work([countingKind('count')])
  await world.reaches(principal, 'count', id, 'completed')
  assert.deepEqual(await committedPieces(world, id), upTo(4))
})

test('a job whose process dies three times at one piece fails', async (t) => {
  const world = await openJobWorld(t)
  const principal = await world.member()
  const id = await world.enqueue(principal, 'count', { pieces: 1 })
  for (const dead of ['one', 'two', 'three']) {
    assert.equal((await acquire(world.systemSql, dead, ['count'], 1)).length, 1)
    await endLeases(world)
  }
  assert.equal((await acquire(world.systemSql, 'four', ['count'], 1)).length, 0)
  world.work([countingKind('count')])
  const { error } = await world.reaches(principal, 'count', id, 'failed')
  assert.equal(error?.code, 'INTERNAL_ERROR')
})

/** Starts a worker process and kills it after a few of its pieces. */
async function killAfter(t: TestContext, postgresUrl: string, pieces: number): Promise<void> {
  const child = spawn(process.execPath, [CHILD, postgresUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  let seen = 0
  for await (const _line of createInterface({ input: child.stdout })) if (++seen === pieces) break
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

test('killed worker processes repeat no piece and miss none', async (t) => {
  const world = await openJobWorld(t)
  const principal = await world.member()
  const id = await world.enqueue(principal, 'count', { pieces: 60 })
  for (let kills = 0; kills < 4; kills++) {
    await killAfter(t, world.postgresUrl, 9)
    await endLeases(world)
  }
  world.work([countingKind('count')])
  await world.reaches(principal, 'count', id, 'completed')
  assert.deepEqual(await committedPieces(world, id), upTo(60))
})

test('finished jobs are deleted after 30 days, others are kept', async (t) => {
  const world = await openJobWorld(t)
  const principal = await world.member()
  const done = await world.enqueue(principal, 'count', {})
  await cancel(world, principal, done)
  const waiting = await world.enqueue(principal, 'count', {})
  world.time.ms += 29 * 86_400_000
  await world.jobs.deleteFinished(NEVER)
  await world.read(principal, 'count', done)
  world.time.ms += 2 * 86_400_000
  await world.jobs.deleteFinished(NEVER)
  await assert.rejects(world.read(principal, 'count', done))
  await world.read(principal, 'count', waiting)
})

test('a workspace sees no job of another one', async (t) => {
  const world = await openJobWorld(t)
  const [principal, stranger] = [await world.member(), await world.member()]
  const id = await world.enqueue(principal, 'count', {}, { chunks: [1] })
  await assert.rejects(world.read(stranger, 'count', id))
  const rows = await inWorkspace(
    world.sql,
    stranger.workspaceId,
    (tx) => tx`select id from jobs union all select job_id from job_chunks`,
  )
  assert.equal(rows.length, 0)
})
