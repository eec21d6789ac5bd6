import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { test } from 'node:test'
import { createHashing } from '../../../src/services/auth/hashing.ts'
import { eventually } from '../../support/eventually.ts'

const COST = { tagLength: 32, memory: 19_456, passes: 2, parallelism: 1 }
const job = { password: 'quiet harbour lamp', salt: Buffer.alloc(16, 1), ...COST }

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
  'threads that hash give way to the event loop, and end when nobody signs in',
  {
    skip:
      process.platform === 'linux' ? false : 'a thread has a priority of its own on Linux alone',
  },
  async () => {
    const niceThreads = () => niceness().filter((nice) => nice === 10).length
    const before = niceThreads()
    // Long enough to be counted, whatever the other one takes.
    const hash = createHashing(3_000)
    await Promise.all([hash(job), hash(job)])
    assert.equal(niceThreads(), before + 2)
    assert.equal(getPriority(), 0, 'the event loop keeps its own')
    await eventually(async () => assert.equal(niceThreads(), before))
    assert.equal((await hash(job)).length, 32, 'the next one starts a new thread')
  },
)

test('a hash that cannot be made is an error, and the next one is made', async () => {
  const hash = createHashing()
  await assert.rejects(hash({ ...job, passes: 0 }), /passes/)
  assert.equal((await hash(job)).length, 32)
})
