import assert from 'node:assert/strict'
import { chmodSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { edgeKnows } from '../support/edge-knows.ts'
import { childrenOf } from '../support/processes.ts'
import { freshDataDir, runCli, runProgram, startProgram } from '../support/program.ts'
import { callsWith, eventually } from '../support/world.ts'

const NEW = { name: 'Docs', destinationUrl: 'https://example.com/', slug: 'docs' }

test(
  'a program on a new data directory, through its failures',
  { concurrency: false },
  async (t) => {
    const dataDir = freshDataDir(t)
    let program = await startProgram(t, dataDir, { LOG_LEVEL: 'info' })
    const { apiKey } = await bootstrap(dataDir)
    const owner = callsWith(apiKey, program.origin)
    const link: { id: string } = (await owner.post('/links', NEW)).body.data

    await t.test(
      'the start says where it is, where the data lives, how to get a key and where mail goes',
      async () => {
        const { stdout, stderr } = program.output()
        assert.match(stderr, /is ready at http:\/\/localhost:\d+\n/)
        assert.match(stderr, new RegExp(`Data +${dataDir} `))
        assert.match(stderr, /npm run -s signpost -- bootstrap --email/)
        assert.match(stderr, /Mail +/)
        const lines = stdout.split('\n').filter(Boolean)
        const migrated = lines
          .map((line) => JSON.parse(line) as { msg: string; engine?: string })
          .filter(({ msg }) => /migration/.test(msg))
        assert.deepEqual(
          migrated.map(({ engine }) => engine),
          ['PostgreSQL', 'ClickHouse'],
        )
        assert.equal((await fetch(`${program.origin}/health`)).status, 200)
      },
    )

    await t.test(
      'a second start on the same data directory says which process holds it',
      async () => {
        const second = await runProgram({ DATA_DIR: dataDir, PORT: '0' })
        assertOneSentence(second, new RegExp(`process ${program.child.pid} since`))
        assert.equal((await fetch(`${program.origin}/health`)).status, 200)
      },
    )

    await t.test(
      'an engine that dies is started again, and redirects continue in the meantime',
      async () => {
        const visit = async () => {
          const answer = await fetch(`${program.origin}/docs`, { redirect: 'manual' })
          assert.equal(answer.status, 302)
          await answer.arrayBuffer()
        }
        await edgeKnows(program.origin, owner, NEW.slug)

        const engines = childrenOf(program.child.pid!)
        assert.ok(engines.length >= 2, 'two engines run as children')
        for (const pid of engines) kill(pid)
        let visits = 0
        for (; visits < 20; visits++) await visit()
        await eventually(async () => {
          await visit()
          visits++
          const ready = await fetch(`${program.origin}/ready`)
          assert.equal(ready.status, 200)
        }, 120_000)
        await eventually(async () => {
          const { body } = await owner.get(`/analytics/links/${link.id}`)
          assert.equal(body.data.totalClicks, visits)
        }, 120_000)
      },
    )

    await t.test(
      'after kill -9 of the process alone the next start takes the engines over',
      async () => {
        assert.equal(await program.stop('SIGKILL'), 'SIGKILL')
        program = await startProgram(t, dataDir)
        const { body } = await callsWith(apiKey, program.origin).get('/links?search=Docs')
        assert.equal(body.meta.total, 1)
      },
    )

    await t.test(
      'a stop under load answers what was accepted and leaves nothing unshipped',
      async () => {
        assert.equal(await program.stop(), 0)
        const loaded = 'loaded'
        let linkId = ''
        let answered = 0
        /** The segments that it left. */
        const stopUnderLoad = async (): Promise<string[]> => {
          program = await startProgram(t, dataDir)
          if (linkId === '') {
            const { body } = await callsWith(apiKey, program.origin).post('/links', {
              ...NEW,
              slug: loaded,
            })
            linkId = body.data.id
          }
          const { origin } = program
          const enough = answered + 50
          const load = Array.from({ length: 8 }, async () => {
            try {
              for (;;) {
                const answer = await fetch(`${origin}/${loaded}`, { redirect: 'manual' })
                if (answer.status === 302) answered++
                await answer.arrayBuffer()
              }
            } catch {
              // The server is gone: the load ends with it.
            }
          })
          await eventually(async () => assert.ok(answered > enough), 60_000)
          assert.equal(await program.stop('SIGINT'), 0)
          await Promise.all(load)
          const journal = join(dataDir, 'journal')
          const left = readdirSync(journal).flatMap((folder) => readdirSync(join(journal, folder)))
          return left.filter((name) => /open|sealed|rows/.test(name))
        }
        // It ships for five seconds and no longer: a machine that stood still for them is asked again.
        await eventually(async () => assert.deepEqual(await stopUnderLoad(), []), 60_000)
        const again = await startProgram(t, dataDir)
        const { body } = await callsWith(apiKey, again.origin).get(`/analytics/links/${linkId}`)
        assert.equal(body.data.totalClicks, answered)
      },
    )
  },
)

test('an error that the operator must fix is one sentence, exit code 1 and no stack trace', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.after(() => taken.close())
  const { port } = taken.address() as { port: number }
  const file = join(freshDataDir(t), 'file')
  writeFileSync(file, '')

  const cases: [env: Record<string, string>, says: RegExp][] = [
    [{ PORT: String(port) }, /Port \d+ on 127\.0\.0\.1 is in use/],
    [{ HOST: '203.0.113.1' }, /HOST 203\.0\.113\.1/],
    [{ DATA_DIR: file }, /DATA_DIR .* is not a directory/],
    [{ DATA_DIR: '/proc/signpost' }, /DATA_DIR \(\/proc\/signpost\)/],
    [{ GEOIP_DB: '/nonexistent.mmdb' }, /GEOIP_DB \(\/nonexistent\.mmdb\) cannot be read/],
    [{ SECRET_KEY: 'canary' }, /SECRET_KEY must be/],
  ]
  for (const [env, says] of cases) {
    const ended = await runProgram({ DATA_DIR: freshDataDir(t), PORT: '0', ...env })
    assertOneSentence(ended, says)
    assert.doesNotMatch(ended.stderr + ended.stdout, /canary/)
  }
})

test('a database that does not answer is named without its password, and waited for', async (t) => {
  for (const [name, url] of [
    ['DATABASE_URL', 'postgres://u:canary@127.0.0.1:1/d'],
    ['CLICKHOUSE_URL', 'http://u:canary@127.0.0.1:1/d'],
  ] as const) {
    const program = await startProgram(t, freshDataDir(t), { [name]: url })
    await eventually(() =>
      assert.match(program.output().stdout, new RegExp(`${name}.*a database is unavailable`)),
    )
    const { stdout, stderr } = program.output()
    assert.doesNotMatch(stderr + stdout, /canary/)
    assert.equal(await program.stop(), 0)
  }
})

test('a data directory that cannot be written is named', async (t) => {
  if (process.getuid?.() === 0) return t.skip('root may write everywhere')
  const dataDir = freshDataDir(t)
  chmodSync(dataDir, 0o500)
  assertOneSentence(await runProgram({ DATA_DIR: dataDir, PORT: '0' }), /DATA_DIR/)
  return undefined
})

test('no key, no secret and no address of a visitor is left behind', async (t) => {
  const dataDir = freshDataDir(t)
  const program = await startProgram(t, dataDir, { LOG_LEVEL: 'debug', TRUSTED_PROXIES: '1' })
  const { apiKey } = await bootstrap(dataDir)
  const owner = callsWith(apiKey, program.origin)
  const { body: link } = await owner.post('/links', NEW)
  await owner.post('/links', { ...NEW, password: 'canary-password' })
  await owner.get('/links?search=canary-search')
  await callsWith(`${apiKey}x`, program.origin).get('/links')
  const asked = { method: 'HEAD', redirect: 'manual' } as const
  await fetch(`${program.origin}/docs?token=canary-query`, asked)
  await fetch(`${program.origin}/v1/links`, { headers: { cookie: 'session=canary-cookie' } })
  const headers = { 'x-forwarded-for': '198.51.100.77' }
  await eventually(async () => {
    const answer = await fetch(`${program.origin}/docs`, { redirect: 'manual', headers })
    assert.equal(answer.status, 302)
  })
  await eventually(async () => {
    const { body } = await owner.get(`/analytics/links/${link.data.id}`)
    assert.equal(body.data.totalClicks, 1)
  })
  await program.stop()
  const { stdout, stderr } = program.output()
  assert.match(stdout, /"path":"\/v1\/links"/)
  const secret = readFileSync(join(dataDir, 'secret.key'), 'utf8').trim()
  for (const canary of [apiKey, secret, 'canary-'])
    assert.ok(!(stdout + stderr).includes(canary), 'a secret is in the log')
  const holding = filesUnder(dataDir).filter((file) => readFileSync(file).includes('198.51.100.77'))
  assert.deepEqual(holding, [])
})

function assertOneSentence(ended: { code: number | string; stderr: string }, says: RegExp): void {
  assert.equal(ended.code, 1, ended.stderr)
  assert.match(ended.stderr, says)
  assert.match(ended.stderr, /^signpost: [^\n]+\.\n$/)
}

async function bootstrap(dataDir: string): Promise<{ apiKey: string }> {
  const made = await runCli(['bootstrap', '--email', 'a@example.com', '--json'], {
    DATA_DIR: dataDir,
  })
  assert.equal(made.code, 0, made.stderr)
  return JSON.parse(made.stdout)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It was gone already.
  }
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
