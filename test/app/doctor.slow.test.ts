import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshFolder } from '../support/fixtures.ts'
import { freshDataDir, runCli, startProgram } from '../support/program.ts'

type Finding = { check: string; state: string; message: string; advice: string }

/** Nothing listens there. */
const DEAD = '127.0.0.1:9'

async function examine(env: Record<string, string>) {
  const { code, stdout, stderr } = await runCli(['doctor', '--json'], env)
  assert.equal(stderr, '')
  const { findings } = JSON.parse(stdout) as { findings: Finding[] }
  const stateOf = (check: string) => findings.find((finding) => finding.check === check)?.state
  return { code, findings, stateOf }
}

test('doctor examines a running server, and says what to do where a check fails', async (t) => {
  const dataDir = freshDataDir(t)
  const program = await startProgram(t, dataDir)
  const env = { DATA_DIR: dataDir, PUBLIC_URL: program.origin }
  const well = await examine(env)
  assert.equal(well.code, 0, JSON.stringify(well.findings))
  for (const check of [
    ...['server', 'disk', 'postgresql', 'clock', 'role signpost_request', 'role signpost_worker'],
    ...['listen', 'schema', 'key', 'journals', 'clickhouse', 'tables', 'public url', 'quarantine'],
  ])
    assert.equal(well.stateOf(check), 'ok', check)
  assert.equal(well.stateOf('mail'), 'warn')
  for (const { state, advice, check } of well.findings)
    assert.equal(advice === '', state === 'ok', check)

  await t.test('with one line for each check', async () => {
    const { stdout } = await runCli(['doctor'], env)
    assert.equal(stdout.trim().split('\n').length, well.findings.length)
    assert.match(stdout, /^WARN  mail +mails are files in DATA_DIR\/outbox: set SMTP_URL/m)
  })

  await t.test(
    'with exit code 1 for a wrong key and for a dead proxy, mail server and Redis',
    async () => {
      mkdirSync(join(dataDir, 'quarantine'))
      writeFileSync(join(dataDir, 'quarantine', 'a-1.jsonl'), '{}\n')
      const broken = await examine({
        DATA_DIR: dataDir,
        SECRET_KEY: 'another key than that of the installation',
        PUBLIC_URL: `https://${DEAD}`,
        SMTP_URL: `smtp://${DEAD}`,
        REDIS_URL: `redis://${DEAD}`,
      })
      assert.equal(broken.code, 1)
      for (const check of ['key', 'public url', 'mail', 'redis'])
        assert.equal(broken.stateOf(check), 'fail', check)
      assert.equal(broken.stateOf('proxies'), 'warn')
      assert.equal(broken.stateOf('quarantine'), 'warn')
    },
  )

  await t.test('health asks the server of the settings', async () => {
    const settings = { DATA_DIR: dataDir, PORT: new URL(program.origin).port }
    for (const args of [['health'], ['health', '--ready']])
      assert.equal((await runCli(args, settings)).code, 0, args.join(' '))
    await program.stop()
    const gone = await runCli(['health'], settings)
    assert.equal(gone.code, 1)
    assert.match(gone.stderr, /^signpost: There is no answer from http:\S+\/health; [^\n]+\.\n$/)
  })

  const stopped = await examine({ DATA_DIR: dataDir })
  assert.equal(stopped.stateOf('server'), 'warn')
  const nothing = await runCli(['doctor'], { DATA_DIR: join(freshFolder(), 'absent') })
  assert.equal(nothing.code, 1)
})
