import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { edgeKnows } from '../support/edge-knows.ts'
import { freshDataDir, runCli, startProgram } from '../support/program.ts'
import { callsWith, eventually } from '../support/world.ts'

const skip =
  process.platform === 'linux' && process.getuid?.() === 0 ? false : 'mounting a disk needs root'

test('a full disk costs clicks, not redirects, and makes no number wrong', { skip }, async (t) => {
  const disk = join(freshDataDir(t), 'disk')
  if (!mountDisk(disk)) return t.skip('no file system can be mounted here')
  const dataDir = join(disk, 'data')
  const program = await startProgram(t, dataDir)
  try {
    await fillAndFree(program.origin, disk, dataDir)
  } finally {
    await program.stop()
    execFileSync('umount', ['--lazy', disk])
  }
  return undefined
})

async function fillAndFree(origin: string, disk: string, dataDir: string): Promise<void> {
  const args = ['bootstrap', '--email', 'a@example.com', '--json']
  const made = await runCli(args, { DATA_DIR: dataDir })
  const owner = callsWith((JSON.parse(made.stdout) as { apiKey: string }).apiKey, origin)
  const link = { name: 'Docs', destinationUrl: 'https://example.com/', slug: 'docs' }
  const { body } = await owner.post('/links', link)
  const visit = async () => {
    const answer = await fetch(`${origin}/docs`, { redirect: 'manual' })
    await answer.arrayBuffer()
    assert.equal(answer.status, 302)
  }
  const clicksOf = async () => {
    const answer = await owner.get(`/analytics/links/${body.data.id}`)
    return answer.status === 200 ? answer.body.data.totalClicks : answer.status
  }
  const read = async () => {
    const text = await (await fetch(`${origin}/metrics`)).text()
    return {
      answered: valueOf(text, 'signpost_redirects_answered_total'),
      journaled: valueOf(text, 'signpost_clicks_journaled_total'),
      dropped: valueOf(text, 'signpost_clicks_dropped_total{reason="disk_full"}'),
    }
  }

  await edgeKnows(origin, owner, link.slug)
  const known = await read()
  for (let i = 0; i < 3; i++) await visit()
  await eventually(async () => assert.equal(await clicksOf(), 3))

  const filler = fill(disk)
  for (let i = 0; i < 50; i++) await visit()
  const full = await read()
  assert.ok(full.dropped > 0)
  assert.equal(full.answered - known.answered, full.journaled + full.dropped)
  for (let i = 0; i < 5; i++) {
    const clicks = await clicksOf()
    assert.ok(clicks === 503 || clicks >= 3, `analytics answered ${clicks}`)
  }

  rmSync(filler)
  await eventually(async () => {
    await visit()
    assert.ok((await read()).journaled > full.journaled, 'clicks are journaled again')
  })
  const { journaled } = await read()
  await eventually(async () => assert.equal(await clicksOf(), journaled), 120_000)
}

/** False where no file system may be mounted. */
function mountDisk(disk: string): boolean {
  mkdirSync(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', disk], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Writes until nothing fits any more. */
function fill(disk: string): string {
  const path = join(disk, 'filler')
  const file = openSync(path, 'w')
  for (let bytes = 1_048_576; bytes >= 512;) {
    try {
      if (writeSync(file, Buffer.alloc(bytes)) < bytes) bytes /= 2
    } catch {
      bytes /= 2
    }
  }
  closeSync(file)
  return path
}

function valueOf(metrics: string, name: string): number {
  const line = metrics.split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.split(' ').at(-1) ?? 0)
}
