import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import * as fc from 'fast-check'
import { openLog } from '../../../src/platform/core/log.ts'
import { openJournal, type Journal, type JournalDeps } from '../../../src/clicks/journal/writer.ts'
import type { JournalFiles, Outcome } from '../../../src/clicks/journal/open-segment.ts'
import { HEADER_BYTES, listSegments } from '../../../src/clicks/journal/format.ts'
import { LockHeldError, holdLock } from '../../../src/platform/storage/installation/lock.ts'
import { makeClick } from '../../support/edge-links.ts'
import { until } from '../../support/eventually.ts'
import { decodeSegment } from '../../support/decode-segment.ts'

type Opened = { journal: Journal; root: string; outcomes: Outcomes }

function open(t: TestContext, over: Partial<JournalDeps> = {}): Opened {
  const root = over.root ?? mkdtempSync(join(tmpdir(), 'signpost-journal-'))
  const log = openLog('silent')
  const journal = openJournal({ root, durability: 'write', onFailure: 'serve', log, ...over })
  t.after(async () => {
    await journal.close()
    rmSync(root, { recursive: true, force: true })
  })
  return { journal, root, outcomes: new Outcomes() }
}

/** Records the outcome of each click. */
class Outcomes {
  readonly byId = new Map<string, Outcome[]>()

  add(journal: Journal, clickId: string, then: () => void = () => {}): void {
    const outcomes: Outcome[] = []
    this.byId.set(clickId, outcomes)
    const settled = (outcome: Outcome) => {
      outcomes.push(outcome)
      then()
    }
    journal.append(makeClick({ clickId }), { settled })
  }

  ids(outcome: Outcome): string[] {
    return [...this.byId].filter(([, settled]) => settled.includes(outcome)).map(([id]) => id)
  }

  assertSettledOnce(): void {
    for (const [id, settled] of this.byId)
      assert.equal(settled.length, 1, `${id}: ${settled.join()}`)
  }
}

function makeClickId(n: number): string {
  return String(n).padStart(26, '0')
}

/** Ids of all clicks in a journal folder, in order. */
function readClickIds(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /\.(open|sealed)$/.test(name))
    .toSorted()
    .flatMap((name) => decodeSegment(readFileSync(join(folder, name))).records)
    .map((click) => click.clickId)
}

/** node:fs with single calls replaced. */
function filesWith(over: Partial<JournalFiles>): JournalFiles {
  return { ...fs, ...over }
}

/** Adds the sequence of each segment to `sealed` once it has been renamed. */
function recordSealing(files: JournalFiles, sealed: number[]): JournalFiles {
  const renameSync = (from: fs.PathLike, to: fs.PathLike) => {
    files.renameSync(from, to)
    sealed.push(Number.parseInt(basename(String(to)), 10))
  }
  return { ...files, renameSync }
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code })
}

test('a click is settled after its write, once the file holds it', async (t) => {
  const { journal, outcomes } = open(t)
  let inFile: string[] = []
  outcomes.add(journal, makeClickId(1), () => (inFile = readClickIds(journal.folder)))
  assert.deepEqual(outcomes.byId.get(makeClickId(1)), [])
  assert.equal(journal.stats().unsettled, 1)
  await nextTurn()
  assert.deepEqual(outcomes.byId.get(makeClickId(1)), ['journaled'])
  assert.deepEqual(inFile, [makeClickId(1)])
  assert.equal(journal.stats().unsettled, 0)
})

test('the clicks of one turn share one write', async (t) => {
  let writes = 0
  const writeSync = ((...args: Parameters<typeof fs.writeSync>) => {
    writes++
    return fs.writeSync(...args)
  }) as typeof fs.writeSync
  const { journal, outcomes } = open(t, { files: filesWith({ writeSync }) })
  for (let i = 0; i < 100; i++) outcomes.add(journal, makeClickId(i))
  await nextTurn()
  assert.equal(writes, 2, 'a header and a batch')
  assert.equal(outcomes.ids('journaled').length, 100)
  assert.equal(readClickIds(journal.folder).length, 100)
})

test('segments are sealed in order, by age and by size, and only when they hold a click', async (t) => {
  const sealed: number[] = []
  const files = recordSealing(filesWith({}), sealed)
  const { journal, outcomes } = open(t, { sealEveryMs: 20, sealBytes: 2_000, files })
  for (let i = 0; i < 20; i++) {
    outcomes.add(journal, makeClickId(i))
    await nextTurn()
  }
  await until(
    () => sealed.length > 0 && readdirSync(journal.folder).every(isNotOpen),
    'all is sealed',
  )
  const before = sealed.length
  assert.ok(before > 2)
  await new Promise((resolve) => setTimeout(resolve, 60))
  assert.equal(sealed.length, before)
  assert.deepEqual(
    sealed,
    sealed.map((_, i) => i + 1),
  )
  const segments = await listSegments(journal.folder)
  assert.ok(segments.every(({ state }) => state === 'sealed'))
  assert.equal(readClickIds(journal.folder).length, 20)
})

function isNotOpen(name: string): boolean {
  return !name.endsWith('.open')
}

test('clicks larger than the batch are written too', async (t) => {
  const { journal } = open(t)
  const outcomes: Outcome[] = []
  const settled = (outcome: Outcome) => outcomes.push(outcome)
  for (let i = 0; i < 40; i++) {
    const click = makeClick({
      clickId: makeClickId(i),
      destination: 'ü'.repeat(8_192),
      userAgent: 'ü'.repeat(8_192),
    })
    journal.append(click, { settled })
  }
  await nextTurn()
  assert.equal(outcomes.length, 40)
  assert.equal(readClickIds(journal.folder).length, 40)
})

test('closing writes and seals all clicks and frees the folder; later clicks are lost', async (t) => {
  const { journal, outcomes } = open(t)
  assert.throws(() => holdLock(join(journal.folder, 'lock'), 'me'), LockHeldError)
  outcomes.add(journal, makeClickId(1))
  await journal.close()
  assert.deepEqual(outcomes.ids('journaled'), [makeClickId(1)])
  assert.deepEqual(
    (await listSegments(journal.folder)).map(({ state }) => state),
    ['sealed'],
  )
  holdLock(join(journal.folder, 'lock'), 'me').release()
  outcomes.add(journal, makeClickId(2))
  await nextTurn()
  assert.deepEqual(outcomes.ids('dropped'), [makeClickId(2)])
  assert.equal(journal.stats().dropped.closed, 1)
  await journal.close()
})

test('a journal without clicks leaves no segment', async (t) => {
  const { journal } = open(t)
  await journal.close()
  assert.deepEqual(await listSegments(journal.folder), [])
})

/** Accepts `room` bytes, then a short write, then ENOSPC, like a full disk. */
function smallDisk(room: { bytes: number }): JournalFiles {
  const writeSync = (
    fd: number,
    buffer: Buffer,
    from: number,
    length: number,
    position: number,
  ) => {
    if (room.bytes === 0) throw failure('ENOSPC')
    const fits = Math.min(length, room.bytes)
    room.bytes -= fits
    return fs.writeSync(fd, buffer, from, fits, position)
  }
  return filesWith({ writeSync: writeSync as typeof fs.writeSync })
}

test('wherever a write is cut short, each click is settled once and correctly', async (t) => {
  const size = HEADER_BYTES * 3 + 1_500
  for (let bytes = 0; bytes < size; bytes += 7) {
    const room = { bytes }
    const { journal, outcomes, root } = open(t, { files: smallDisk(room), retryMs: 0 })
    for (let i = 0; i < 6; i++) {
      outcomes.add(journal, makeClickId(i))
      if (i % 2 === 1) await nextTurn()
    }
    await journal.close()
    outcomes.assertSettledOnce()
    assert.deepEqual(
      readClickIds(journal.folder),
      outcomes.ids('journaled'),
      `room for ${bytes} bytes`,
    )
    const { journaled, dropped } = journal.stats()
    assert.equal(journaled, outcomes.ids('journaled').length)
    assert.equal(dropped.disk_full, outcomes.ids('dropped').length)
    assert.equal(journaled + dropped.disk_full, 6)
    rmSync(root, { recursive: true })
  }
})

test('a torn record that cannot be cut off is not journaled and not read', async (t) => {
  const room = { bytes: HEADER_BYTES + 700 }
  const files = { ...smallDisk(room), ftruncateSync: () => assert.fail('no truncate either') }
  const { journal, outcomes } = open(t, { files })
  for (let i = 0; i < 6; i++) outcomes.add(journal, makeClickId(i))
  await journal.close()
  outcomes.assertSettledOnce()
  assert.ok(outcomes.ids('journaled').length > 0)
  assert.deepEqual(readClickIds(journal.folder), outcomes.ids('journaled'))
})

test('no click is lost when a single write fails', async (t) => {
  for (const code of ['ENOSPC', 'EIO']) {
    for (let failing = 1; failing <= 12; failing++) {
      let call = 0
      const writeSync = ((...args: Parameters<typeof fs.writeSync>) => {
        if (++call === failing) throw failure(code)
        return fs.writeSync(...args)
      }) as typeof fs.writeSync
      const { journal, outcomes } = open(t, {
        files: filesWith({ writeSync }),
        retryMs: 0,
        sealBytes: 900,
      })
      for (let i = 0; i < 20; i++) {
        outcomes.add(journal, makeClickId(i))
        if (i % 3 === 2) await nextTurn()
      }
      await journal.close()
      outcomes.assertSettledOnce()
      assert.deepEqual(
        readClickIds(journal.folder),
        outcomes.ids('journaled'),
        `${code} at ${failing}`,
      )
      // One failure costs nothing: the batch goes into a new segment at once.
      assert.equal(outcomes.ids('journaled').length, 20)
    }
  }
})

test('after random failures of any call, journaled clicks are on disk and segments sealed in order', async (t) => {
  const calls = [
    'openSync',
    'writeSync',
    'ftruncateSync',
    'closeSync',
    'renameSync',
    'unlinkSync',
  ] as const
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat({ max: 9 })), async (dice) => {
      let isFailing = true
      const over: Record<string, unknown> = {}
      for (const name of calls) {
        const real = fs[name] as (...args: unknown[]) => unknown
        over[name] = (...args: unknown[]) => {
          if (isFailing && dice.next().value === 0) throw failure('EIO')
          return real(...args)
        }
      }
      const sealed: number[] = []
      const { journal, outcomes, root } = open(t, {
        files: recordSealing(filesWith(over as Partial<JournalFiles>), sealed),
        retryMs: 0,
        sealBytes: 900,
        sealEveryMs: 5,
      })
      for (let i = 0; i < 30; i++) {
        outcomes.add(journal, makeClickId(i))
        if (i % 2 === 1) await nextTurn()
      }
      isFailing = false
      await journal.close()
      outcomes.assertSettledOnce()
      assert.deepEqual(readClickIds(journal.folder), outcomes.ids('journaled'))
      assert.deepEqual(
        sealed,
        sealed.toSorted((a, b) => a - b),
      )
      rmSync(root, { recursive: true })
    }),
    { numRuns: 150 },
  )
})

test('a disk that is full for a while costs clicks, not redirects, and is used again', async (t) => {
  const room = { bytes: HEADER_BYTES + 400 }
  const { journal, outcomes } = open(t, { files: smallDisk(room), retryMs: 10 })
  for (let i = 0; i < 10; i++) {
    outcomes.add(journal, makeClickId(i))
    await nextTurn()
  }
  assert.ok(outcomes.ids('dropped').length >= 8)
  assert.equal(journal.stats().dropped.disk_full, outcomes.ids('dropped').length)
  room.bytes = 1e9
  let next = 100
  await until(() => {
    outcomes.add(journal, makeClickId(next++))
    return outcomes.byId.get(makeClickId(next - 2))?.[0] === 'journaled'
  }, 'a click is journaled again')
})

test('with the policy refuse, a click that cannot be written is refused', async (t) => {
  const { journal, outcomes } = open(t, { files: smallDisk({ bytes: 0 }), onFailure: 'refuse' })
  outcomes.add(journal, makeClickId(1))
  await nextTurn()
  assert.deepEqual(outcomes.ids('refused'), [makeClickId(1)])
  assert.equal(journal.stats().refused.disk_full, 1)
  assert.equal(journal.stats().dropped.disk_full, 0)
})

test('beyond its limit the journal drops clicks, until the shipper has removed segments', async (t) => {
  const { journal, outcomes } = open(t, { maxBytes: 2_000, sealEveryMs: 5 })
  for (let i = 0; i < 20; i++) {
    outcomes.add(journal, makeClickId(i))
    await nextTurn()
  }
  assert.ok(journal.stats().dropped.journal_full > 0)
  // Sealing renames files, so they are read when it is done.
  await until(() => readdirSync(journal.folder).every(isNotOpen), 'all is sealed')
  assert.deepEqual(readClickIds(journal.folder), outcomes.ids('journaled'))
  const sealed = readdirSync(journal.folder).filter((name) => name.endsWith('.sealed'))
  const sizes = sealed.map((name) => statSync(join(journal.folder, name)).size)
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) <= 2_000)
  for (const name of readdirSync(journal.folder))
    if (name.endsWith('.sealed')) rmSync(join(journal.folder, name))
  let next = 100
  await until(() => {
    outcomes.add(journal, makeClickId(next++))
    return outcomes.byId.get(makeClickId(next - 2))?.[0] === 'journaled'
  }, 'a click is journaled again')
})

test('with fsync durability a click is settled only after the disk has it, in groups', async (t) => {
  const pending: (() => void)[] = []
  let isHeld = true
  const fdatasync = (_fd: number, done: (error: Error | null) => void) => {
    if (isHeld) pending.push(() => done(null))
    else setImmediate(done, null)
  }
  const release = () => {
    isHeld = false
    for (const done of pending.splice(0)) done()
  }
  const files = filesWith({ fdatasync: fdatasync as typeof fs.fdatasync })
  const { journal, outcomes } = open(t, { durability: 'fsync', files, sealEveryMs: 60_000 })
  try {
    outcomes.add(journal, makeClickId(1))
    await until(() => pending.length === 1, 'the sync has begun')
    outcomes.add(journal, makeClickId(2))
    outcomes.add(journal, makeClickId(3))
    await new Promise((resolve) => setTimeout(resolve, 20))
    assert.deepEqual(outcomes.ids('journaled'), [])
    assert.equal(pending.length, 1, 'one sync of a segment at a time')
    pending.shift()!()
    assert.deepEqual(outcomes.ids('journaled'), [makeClickId(1)])
    assert.equal(pending.length, 1, 'the next one covers all clicks that arrived during the first')
    void journal.close()
    await nextTurn()
    assert.ok(
      !readdirSync(journal.folder).every(isNotOpen),
      'a segment that is syncing is not sealed',
    )
  } finally {
    release()
  }
  await journal.close()
  assert.equal(outcomes.ids('journaled').length, 3)
  assert.ok(readdirSync(journal.folder).every(isNotOpen))
  assert.deepEqual(readClickIds(journal.folder), [1, 2, 3].map(makeClickId))
})

test('a failed sync loses exactly the clicks that were not settled, and cuts them off', async (t) => {
  let isFailing = false
  const fdatasync = (fd: number, done: (error: Error | null) => void) => {
    if (isFailing) setImmediate(() => done(failure('EIO')))
    else fs.fdatasync(fd, done)
  }
  const { journal, outcomes } = open(t, {
    durability: 'fsync',
    files: filesWith({ fdatasync: fdatasync as typeof fs.fdatasync }),
    retryMs: 0,
  })
  outcomes.add(journal, makeClickId(1))
  await until(() => outcomes.ids('journaled').length === 1, 'the click is journaled')
  isFailing = true
  outcomes.add(journal, makeClickId(2))
  await until(() => outcomes.ids('dropped').length === 1, 'the click is dropped')
  isFailing = false
  outcomes.add(journal, makeClickId(3))
  await until(() => outcomes.ids('journaled').length === 2, 'the click is journaled')
  await journal.close()
  outcomes.assertSettledOnce()
  assert.deepEqual(readClickIds(journal.folder), [makeClickId(1), makeClickId(3)])
  assert.equal(journal.stats().dropped.io_error, 1)
})

test('real fsync durability keeps every click', async (t) => {
  const { journal, outcomes } = open(t, { durability: 'fsync', sealBytes: 5_000, sealEveryMs: 5 })
  for (let i = 0; i < 200; i++) {
    outcomes.add(journal, makeClickId(i))
    if (i % 5 === 0) await nextTurn()
  }
  await journal.close()
  outcomes.assertSettledOnce()
  assert.equal(outcomes.ids('journaled').length, 200)
  assert.deepEqual(readClickIds(journal.folder), outcomes.ids('journaled'))
})

test('on a full disk every click is journaled or dropped, and freed space is used', async (t) => {
  const mounted = mkdtempSync(join(tmpdir(), 'signpost-tmpfs-'))
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', mounted])
  if (mount.status !== 0) {
    rmSync(mounted, { recursive: true })
    t.skip('NOT RUN: mounting a tmpfs needs root')
    return
  }
  t.after(() => {
    spawnSync('umount', [mounted])
    rmSync(mounted, { recursive: true, force: true })
  })
  const { journal, outcomes } = open(t, {
    root: join(mounted, 'journal'),
    retryMs: 1,
    sealBytes: 50_000,
  })
  const ballast = join(mounted, 'ballast')
  fs.writeFileSync(ballast, Buffer.alloc(100_000))
  for (let i = 0; i < 1_000; i++) {
    outcomes.add(journal, makeClickId(i))
    if (i % 7 === 0) await nextTurn()
  }
  await nextTurn()
  outcomes.assertSettledOnce()
  const { journaled, dropped } = journal.stats()
  assert.ok(journaled > 0 && dropped.disk_full > 0)
  assert.equal(journaled + dropped.disk_full, 1_000)
  assert.deepEqual(readClickIds(journal.folder), outcomes.ids('journaled'))
  assert.ok(statSync(ballast).size > 0)
  rmSync(ballast)
  let next = 5_000
  await until(() => {
    outcomes.add(journal, makeClickId(next++))
    return outcomes.byId.get(makeClickId(next - 2))?.[0] === 'journaled'
  }, 'a click is journaled again')
  await journal.close()
  assert.deepEqual(readClickIds(journal.folder), outcomes.ids('journaled'))
})

test('a journal without clicks says whether the next one could be written', async (t) => {
  const { journal, root } = open(t)
  journal.requireWritable()
  assert.deepEqual(
    readdirSync(journal.folder).filter((name) => name.includes('trial')),
    [],
  )
  const full = open(t, { maxBytes: 1_000 })
  assert.throws(() => full.journal.requireWritable(), /full/)
  const writeSync = () => {
    throw failure('ENOSPC')
  }
  const failing = open(t, { files: filesWith({ writeSync }) })
  assert.throws(() => failing.journal.requireWritable(), /ENOSPC/)
  rmSync(root, { recursive: true, force: true })
  assert.throws(() => journal.requireWritable(), /ENOENT/)
  await journal.close()
  assert.throws(() => journal.requireWritable(), /closed/)
})
