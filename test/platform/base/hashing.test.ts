import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { test } from 'node:test'
import type { Hashing } from '../../../src/platform/work/hashing-thread.ts'
import { HASHING_THREAD, PasswordHashing } from '../../../src/platform/work/password-hashing.ts'
import { ThreadPool } from '../../../src/platform/work/thread-pool.ts'
import { eventually } from '../../support/eventually.ts'

const OWN_NICENESS = getPriority()
const SKIP =
  process.platform !== 'linux'
    ? 'a thread has a priority of its own on Linux alone'
    : OWN_NICENESS >= 10 && 'the whole process has the low priority of the threads already'
const COST = { tagLength: 32, memory: 19_456, passes: 2, parallelism: 1 }
const job = { password: 'quiet harbour lamp', salt: Buffer.alloc(16, 1), ...COST }

/** A pool for two hashes at once. */
function createHashing(idleMs = 30_000) {
  const limits = { maxRunning: 2, maxWaiting: 16, idleMs, taskName: 'hashes' }
  const pool = new ThreadPool<Hashing, Uint8Array>(HASHING_THREAD, limits)
  return async (input: Hashing) => Buffer.from(await pool.run(input))
}

/** The nice value of each thread of this process (proc(5), field 19 of `stat`). */
function niceness(): number[] {
  return readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  })
}

test('a hash is the same whichever thread makes it, and another for another salt', async () => {
  const hash = createHashing()
  const [one, two] = await Promise.all([hash(job), hash(job)])
  assert.equal(one.length, 32)
  assert.ok(one.equals(two))
  assert.ok(one.equals(await hash(job)))
  assert.ok(!one.equals(await hash({ ...job, salt: Buffer.alloc(16, 2) })))
})

test(
  'hashing threads have a low priority, and end when they are idle',
  {
    skip: SKIP,
  },
  async () => {
    const niceThreads = () => niceness().filter((nice) => nice === 10).length
    const before = niceThreads()
    const hash = createHashing(100)
    // Both threads are in use until they are counted, so that neither ends as an idle one.
    let areCounted = false
    const work = async () => {
      while (!areCounted) await hash(job)
    }
    const working = [work(), work()]
    await eventually(() => assert.equal(niceThreads(), before + 2))
    areCounted = true
    await Promise.all(working)
    assert.equal(getPriority(), OWN_NICENESS, 'the event loop keeps its own')
    await eventually(async () => assert.equal(niceThreads(), before))
    assert.equal((await hash(job)).length, 32, 'the next one starts a new thread')
  },
)

test('a hash that cannot be made is an error, and the next one is made', async () => {
  const hash = createHashing()
  await assert.rejects(hash({ ...job, passes: 0 }), /passes/)
  assert.equal((await hash(job)).length, 32)
})

test('a hash opens under the pepper that it was made with, and under no other', async () => {
  const [own, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const hashing = new PasswordHashing({ taskName: 'hashes', pepper: () => own })
  const stored = await hashing.hash('quiet harbour lamp')
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.equal(await hashing.verify(stored, 'quiet harbour lamp'), true)
  assert.equal(await hashing.verify(stored, 'seven grey herons'), false)
  assert.equal(await hashing.verify('$2b$10$abc', 'quiet harbour lamp'), false)
  for (const options of [{ pepper: () => other }, {}])
    assert.equal(
      await new PasswordHashing({ taskName: 'hashes', ...options }).verify(
        stored,
        'quiet harbour lamp',
      ),
      false,
    )
})

test('each queue of hashes is bounded by itself', async () => {
  const one = new PasswordHashing({ taskName: 'guesses', maxWaiting: 1 })
  const other = new PasswordHashing({ taskName: 'sign-ins', maxWaiting: 1 })
  const running = ['a', 'b', 'c'].map((password) => one.hash(password))
  await assert.rejects(one.hash('d'), {
    code: 'RATE_LIMITED',
    message: 'Too many guesses at once. Try again in 1 s.',
  })
  assert.match(await other.hash('d'), /^\$argon2id/)
  await Promise.all(running)
  assert.deepEqual(one.stats(), { running: 0, waiting: 0, runs: 3 })
})
