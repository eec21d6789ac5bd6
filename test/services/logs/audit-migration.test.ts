import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openLog } from '../../../src/base/log.ts'
import { createAudit } from '../../../src/services/audit.ts'
import { verifyAuditChain } from '../../../src/services/audit-log/verify.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { closePostgres, inWorkspace, openPostgres } from '../../../src/storage/postgres.ts'
import { REQUEST_ROLE, WORKER_ROLE } from '../../../src/storage/roles.ts'
import { freshDatabases } from '../../support/engines.ts'
import { freshDataDir } from '../../support/program.ts'
import { whoIs } from '../../support/log-world.ts'
import { addWorkspace } from '../../support/fixtures.ts'

const MIGRATIONS = join(import.meta.dirname, '../../../migrations/postgres')
const LOGS = '0007_logs.sql'

test('rows of before the chain are chained in their order, for an owner who is not a superuser', async (t) => {
  const { superuserUrl, clickhouse } = await freshDatabases(t)
  const folder = freshDataDir(t)
  for (const engine of ['postgres', 'clickhouse']) mkdirSync(join(folder, engine))
  const apply = async (files: string[]) => {
    for (const file of files) cpSync(join(MIGRATIONS, file), join(folder, 'postgres', file))
    await migrate({
      sql,
      clickhouse,
      clickhouseEngine: 'MergeTree',
      log: openLog('silent'),
      folder,
    })
  }

  const name = `owner_${randomBytes(6).toString('hex')}`
  const operator = openPostgres(superuserUrl, { maxConnections: 1 })
  await operator.unsafe(`create role ${name}`)
  await operator.unsafe(`grant ${REQUEST_ROLE}, ${WORKER_ROLE} to ${name}`)
  await operator.unsafe(`create database ${name} owner ${name}`)
  const url = new URL(superuserUrl)
  url.pathname = `/${name}`
  const sql = openPostgres(url.href, { role: name })
  const request = openPostgres(url.href, { role: REQUEST_ROLE })
  const worker = openPostgres(url.href, { role: WORKER_ROLE })
  t.after(async () => {
    await Promise.all([closePostgres(sql), closePostgres(request), closePostgres(worker)])
    await operator.unsafe(`drop database ${name} with (force)`)
    await operator.unsafe(`drop role ${name}`)
    await closePostgres(operator)
  })

  const files = readdirSync(MIGRATIONS).toSorted()
  await apply(files.filter((file) => file < LOGS))
  const now = new Date()
  await worker`
    insert into users (id, name, email, email_key, created_at, updated_at)
    values ('usr_1', 'Owner', 'owner@example.com', 'owner@example.com', ${now}, ${now})`
  for (const id of ['wsp_1', 'wsp_2', 'wsp_3']) await addWorkspace(worker, { id })
  await worker`
    insert into audit_log (id, workspace_id, action, actor_type, actor_id, target_type, target_id,
      changes, request_id, created_at)
    select 'aud_' || n, 'wsp_' || (1 + n % 2), 'link.created', 'user', 'usr_1', 'link', 'lnk_' || n,
      '{"a":  1}', 'req_1', ${now}::timestamptz - n * interval '1 minute'
    from generate_series(1, 100) n`

  await apply(files.filter((file) => file <= LOGS))
  const rows = await worker<{ id: string; actorName: string; changes: string }[]>`
    select a.id, a.actor_name, a.changes::text from audit_log a
    join audit_chain c on c.row_id = a.id where a.workspace_id = 'wsp_1' order by c.position`
  assert.deepEqual([rows[0]!.id, rows.at(-1)!.id], ['aud_100', 'aud_2'])
  assert.ok(rows.every((row) => row.actorName === 'Owner' && row.changes === '{"a":  1}'))

  // And from then on, also after the grants of later migrations.
  await apply(files)
  assert.deepEqual(await verifyAuditChain(worker), { workspaces: 3, rows: 100, broken: [] })
  const audit = createAudit(() => now.getTime())
  for (const id of ['wsp_1', 'wsp_3'])
    await inWorkspace(request, id, (tx) =>
      audit(tx, whoIs('usr_1', id), {
        action: 'link.created',
        target: { type: 'link', id: 'lnk_1', name: null },
      }),
    )
  assert.deepEqual(await verifyAuditChain(worker), { workspaces: 3, rows: 102, broken: [] })
  for (const role of [request, worker])
    await assert.rejects(role`delete from audit_log`, {
      code: '42501',
      message: /permission denied/,
    })
  await worker`delete from workspaces where id = 'wsp_1'`
  assert.deepEqual(await verifyAuditChain(worker), { workspaces: 2, rows: 51, broken: [] })
})
