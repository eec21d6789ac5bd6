import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from '../../../src/platform/core/log.ts'
import { migrate } from '../../../src/platform/storage/migrations/migrate.ts'
import { readMigrations } from '../../../src/platform/storage/migrations/migration-files.ts'
import { closePostgres, openPostgres } from '../../../src/platform/storage/postgres/postgres.ts'
import { emptyDatabases } from '../../support/engines.ts'
import { addWorkspace } from '../../support/fixtures.ts'

const FILE = 'postgres/0016_link_operations.sql'

test('what could be undone before the upgrade still can be', async (t) => {
  const { sql, superuserUrl, clickhouse } = await emptyDatabases(t)
  const files = readMigrations().postgres.map(({ name }) => name)
  const run = (names: string[]) =>
    migrate({
      ...{ sql, clickhouse, clickhouseEngine: 'MergeTree', log: openLog('silent') },
      only: new Set(names),
    })
  await run(files.filter((name) => name < FILE))
  const owner = openPostgres(superuserUrl, { maxConnections: 1 })
  t.after(() => closePostgres(owner))
  await addWorkspace(owner, { id: 'wsp_1' })
  await owner`
    insert into link_versions (id, workspace_id, link_id, version, changes, bytes, actor_type, actor_id, changed_at)
    select 'hst_' || link_id || version, 'wsp_1', 'lnk_' || link_id, version, '{"name": {"old": "a", "new": "b"}}', 34,
      'user', 'usr_1', changed_at::timestamptz
    from (values ('changed', 2, '2026-01-01'), ('changed', 3, '2026-01-02'), ('gone', 2, '2026-01-01'))
      as v (link_id, version, changed_at)`
  await owner`
    insert into link_undo (operation_id, link_id, workspace_id, previous, changed_at, recorded_at) values
    ('und_1', 'lnk_changed', 'wsp_1', '{"input": {"name": "a"}, "passwordHash": null}',
      '2026-01-02 00:00:00.005', '2026-01-02'),
    ('imp_1', 'lnk_made', 'wsp_1', null, '2026-01-03 00:00:00.001', '2026-01-03')`
  await owner`
    insert into deleted_links (id, workspace_id, link, operation_id, deleted_at) values
    ('lnk_gone', 'wsp_1', '{"id": "lnk_gone"}', 'und_2', '2026-01-04'),
    ('lnk_alone', 'wsp_1', '{"id": "lnk_alone"}', null, '2026-01-05')`
  await run(files)
  const rows = await owner`
    select id, link_id, version, kind, operation_id, undo_data from link_versions
    order by link_id, version`
  assert.deepEqual(
    rows.map((row) => Object.values(row)),
    [
      ['del_lnk_alone', 'lnk_alone', 2, 'deleted', null, { id: 'lnk_alone' }],
      ['hst_changed2', 'lnk_changed', 2, 'updated', null, null],
      [
        ...['hst_changed3', 'lnk_changed', 3, 'updated', 'und_1'],
        { updatedAt: '2026-01-02T00:00:00.005Z', passwordHash: null },
      ],
      ['hst_gone2', 'lnk_gone', 2, 'updated', null, null],
      ['del_lnk_gone', 'lnk_gone', 3, 'deleted', 'und_2', { id: 'lnk_gone' }],
      [
        ...['hst_made', 'lnk_made', 1, 'created', 'imp_1'],
        { updatedAt: '2026-01-03T00:00:00.001Z' },
      ],
    ],
  )
  const [table] = await owner<{ isWalled: boolean }[]>`
    select relforcerowsecurity as is_walled from pg_class where oid = 'link_versions'::regclass`
  assert.ok(table!.isWalled)
})
