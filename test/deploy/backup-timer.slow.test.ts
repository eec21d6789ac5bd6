import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshFolder } from '../support/fixtures.ts'
import { freshDataDir, startProgram } from '../support/program.ts'

const ROOT = join(import.meta.dirname, '../..')
const SERVICE = readFileSync(join(ROOT, 'deploy/signpost-backup.service'), 'utf8')
const TIMER = readFileSync(join(ROOT, 'deploy/signpost-backup.timer'), 'utf8')
const BACKUPS = '/var/lib/signpost-backups'
const hasSystemd = spawnSync('systemd-analyze', ['--version']).error === undefined

/** The shell script of the unit, as systemd hands it over. */
function readScript(backups: string): string {
  const [, quoted] = /^ExecStart=\/bin\/sh -ec '\\\n(.*)'$/ms.exec(SERVICE)!
  return quoted!
    .replaceAll('\\\n', '')
    .replaceAll('$$', '$')
    .replaceAll('%%', '%')
    .replaceAll(BACKUPS, backups)
    .replaceAll('/usr/bin/node', process.execPath)
}

test(
  'systemd accepts the units of the backup, and counts the service as hardened',
  { skip: hasSystemd ? false : 'systemd-analyze is not installed' },
  () => {
    const folder = freshFolder()
    const [service, timer] = ['signpost-backup.service', 'signpost-backup.timer'].map((name) =>
      join(folder, name),
    ) as [string, string]
    // The user of the unit is not on the machine of the test.
    writeFileSync(service, SERVICE.replace('User=signpost', 'User=daemon'))
    writeFileSync(timer, TIMER)
    const args = ['verify', '--man=no', service, timer]
    const verified = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
    assert.equal(verified.status, 0, verified.stderr)
    assert.equal(verified.stderr, '')
    const security = ['security', '--offline=true', '--threshold=30', service]
    execFileSync('systemd-analyze', security, { stdio: 'ignore' })
  },
)

test('the script of the unit writes a checked backup beside a server, and keeps the seven newest', async (t) => {
  const dataDir = freshDataDir(t)
  await startProgram(t, dataDir, {})
  const backups = freshFolder()
  const former = [1, 2, 3, 4, 5, 6, 7].map((day) => `2020-01-0${day}T03-15-00`)
  for (const name of [...former, 'other']) mkdirSync(join(backups, name))
  const run = () =>
    spawnSync('/bin/sh', ['-ec', readScript(backups)], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...process.env, DATA_DIR: dataDir },
    })
  const { status, stdout, stderr } = run()
  assert.equal(status, 0, stderr)
  assert.match(stdout, /^Restored .* as many as were written$/m)
  const kept = readdirSync(backups).toSorted()
  assert.deepEqual(kept.slice(0, 6), former.slice(1))
  assert.match(kept[6]!, /^20\d\d-\d\d-\d\dT\d\d-\d\d-\d\d$/)
  assert.deepEqual(kept.slice(7), ['other'])
})

test('a backup that fails removes no older one', (t) => {
  const backups = freshFolder()
  for (let day = 10; day < 20; day++) mkdirSync(join(backups, `2020-01-${day}T03-15-00`))
  const { status } = spawnSync('/bin/sh', ['-ec', readScript(backups)], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, DATA_DIR: join(freshDataDir(t), 'missing') },
  })
  assert.notEqual(status, 0)
  assert.equal(readdirSync(backups).length, 10)
})
