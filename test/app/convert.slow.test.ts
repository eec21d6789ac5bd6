import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { convertFormerPostgres } from '../../src/app/convert.ts'
import { openLog } from '../../src/base/log.ts'
import { readConfig } from '../../src/config/config.ts'
import { layOutPostgres } from '../../src/storage/embedded/postgres-binaries.ts'
import { callsWith } from '../support/calls.ts'
import { freshFolder } from '../support/fixtures.ts'
import { freshDataDir, runCli, runProgram, startProgram } from '../support/program.ts'

const FORMER = '17'

/**
 * Stands in for PostgreSQL 17, whose programs no package here has: gives the data the version of the real program, and runs that.
 */
function standIn(program: string, own: string): string {
  return `#!/bin/sh
for arg; do [ "$previous" = -D ] && echo ${own} > "$arg/PG_VERSION"; previous=$arg; done
exec "${program}" "$@"
`
}

/** A folder with the programs of the former version, as starts lay them out. */
function layOutFormer(content: (program: string, own: string) => string): string {
  const programs = freshFolder()
  chmodSync(programs, 0o755)
  const { bin, majorVersion } = layOutPostgres(programs, process.getuid?.() === 0)
  const folder = join(programs, `postgres-${FORMER}.9.0`, 'bin')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'postgres'), content(join(bin, 'postgres'), String(majorVersion)))
  chmodSync(join(folder, 'postgres'), 0o755)
  return programs
}

test('data of an earlier PostgreSQL are converted after a backup, or refused with the command to run', async (t) => {
  const dataDir = freshDataDir(t)
  const env = { DATA_DIR: dataDir }
  const first = await startProgram(t, dataDir)
  const made = await runCli(['bootstrap', '--email', 'owner@example.com', '--json'], env)
  const { apiKey } = JSON.parse(made.stdout) as { apiKey: string }
  const link = { name: 'A link', destinationUrl: 'https://example.com/', slug: 'docs' }
  assert.equal((await callsWith(apiKey, first.origin).post('/links', link)).status, 201)
  await first.stop()
  const postgres = join(dataDir, 'postgres')
  const version = join(postgres, 'data/PG_VERSION')
  const own = readFileSync(version, 'utf8').trim()
  writeFileSync(version, `${FORMER}\n`)
  const config = readConfig(env)
  const log = openLog('silent')

  // The programs of the former version are not where a start looks for them.
  const refused = await runProgram({ ...env, PORT: '0' })
  assert.equal(refused.code, 1)
  assert.match(
    refused.stderr,
    new RegExp(
      `^signpost: [^\\n]+ is of PostgreSQL ${FORMER}, .*: run "npm run -s signpost -- backup --to FOLDER" with the release before`,
      'm',
    ),
  )

  const broken = layOutFormer(() => '#!/bin/sh\necho broken >&2\nexit 1\n')
  await assert.rejects(
    convertFormerPostgres(config, { log, programs: broken }),
    /could not be converted and are unchanged/,
  )
  assert.equal(readFileSync(version, 'utf8'), `${FORMER}\n`)
  assert.ok(!existsSync(join(dataDir, 'conversion')))

  // Of a conversion that was killed.
  mkdirSync(join(dataDir, 'conversion/postgres/data'), { recursive: true })
  await convertFormerPostgres(config, { log, programs: layOutFormer(standIn) })
  assert.equal(readFileSync(version, 'utf8').trim(), own)
  assert.ok(existsSync(join(postgres, `data.of-${FORMER}`)))
  assert.equal(readdirSync(join(dataDir, 'backups')).length, 1)
  assert.ok(!existsSync(join(dataDir, 'conversion')))

  const second = await startProgram(t, dataDir)
  const visited = await fetch(`${second.origin}/docs`, { redirect: 'manual' })
  assert.equal(visited.headers.get('location'), link.destinationUrl)
  const { body } = await callsWith(apiKey, second.origin).get('/links')
  assert.equal(body.meta.total, 1)
})
