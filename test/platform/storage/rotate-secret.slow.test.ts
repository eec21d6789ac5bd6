import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { openLog } from '../../../src/platform/core/log.ts'
import { createVisitors } from '../../../src/clicks/shipping/visitor.ts'
import { openEndpointSecret, sealEndpointSecret } from '../../../src/webhooks/delivery/signature.ts'
import { createLinkPasswordHashing } from '../../../src/platform/work/password-hashing.ts'
import { holdDataDir } from '../../../src/platform/storage/installation/data-dir.ts'
import { rotateSecret } from '../../../src/platform/storage/installation/rotate-secret.ts'
import { openStores, type Stores } from '../../../src/platform/storage/stores.ts'
import { emptyDatabases, type TestDatabases } from '../../support/engines.ts'
import { addWorkspace } from '../../support/fixtures.ts'
import { freshDataDir } from '../../support/program.ts'
import { watchStatements } from '../../support/watched-statements.ts'
import { DAY_MS } from '../../../src/platform/core/clock.ts'

const FIRST = 'the first key of this installation'
const SECOND = 'the second key of this installation'
const THIRD = 'the third key of this installation..'
const ENDPOINTS = 450

/** Runs `work` in what a process with these keys opens. */
async function withKeys<T>(
  t: TestContext,
  databases: TestDatabases,
  keys: { secretKey: string; secretKeyAlso?: string },
  work: (stores: Stores) => Promise<T>,
): Promise<T> {
  using dataDir = holdDataDir(freshDataDir(t), Date.now)
  const settings = {
    databaseUrl: databases.postgresUrl,
    clickhouseUrl: databases.clickhouseUrl,
    clickhouseEngine: 'MergeTree',
    ...keys,
  }
  await using stores = await openStores(settings, dataDir, openLog('silent'))
  return await work(stores)
}

async function addEndpoints(stores: Stores, workspaceId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomBytes(8).toString('hex'))
  const now = new Date()
  const rows = ids.map((id) => ({
    id,
    workspaceId,
    url: 'https://example.com',
    events: ['*'],
    status: 'active',
    secretSealed: sealEndpointSecret(stores.secrets, id, `secret of ${id}`),
    createdBy: 'usr_1',
    createdAt: now,
    updatedAt: now,
  }))
  await stores.systemSql`insert into webhook_endpoints ${stores.systemSql(rows)}`
  return ids
}

async function secretsOpen(stores: Stores): Promise<boolean> {
  const rows = await stores.systemSql<{ id: string; secretSealed: Buffer }[]>`
    select id, secret_sealed from webhook_endpoints`
  return rows.every(({ id, secretSealed }) => {
    try {
      return openEndpointSecret(stores.secrets, id, secretSealed) === `secret of ${id}`
    } catch {
      return false
    }
  })
}

async function visitorOf(stores: Stores, workspaceId: string, atMs = Date.now()) {
  const visitors = createVisitors({
    sql: stores.systemSql,
    secrets: stores.secrets,
    clock: () => atMs,
  })
  await visitors.load(new Set([workspaceId]))
  return visitors.identify(workspaceId, '203.0.113.7', 'a browser')
}

const checksPassword = (stores: Stores, hash: string) =>
  createLinkPasswordHashing(stores.secrets, 'passwords').verify(hash, 'a password')

test('a rotation seals everything again beside processes with both keys, and visitors and passwords stay', async (t) => {
  const databases = await emptyDatabases(t)
  const { sql } = databases
  const first = { secretKey: FIRST }
  const both = { secretKey: SECOND, secretKeyAlso: FIRST }
  const { workspaceId, visitor, hash } = await withKeys(t, databases, first, async (stores) => {
    const id = await addWorkspace(sql)
    await addEndpoints(stores, id, ENDPOINTS)
    return {
      workspaceId: id,
      visitor: await visitorOf(stores, id),
      hash: await createLinkPasswordHashing(stores.secrets, 'passwords').hash('a password'),
    }
  })
  const isUnchanged = async (stores: Stores) => {
    assert.ok(await secretsOpen(stores))
    assert.equal(await visitorOf(stores, workspaceId), visitor)
    assert.equal(await checksPassword(stores, hash), true)
  }

  await withKeys(t, databases, both, async (running) => {
    await isUnchanged(running)
    await addEndpoints(running, workspaceId, 1)
    const wrong = rotateSecret(sql, { secretKey: SECOND, former: THIRD })
    await assert.rejects(wrong, /SECRET_KEY_ALSO is not the key/)
    // Cut off: the second piece of a column is the last that it reaches.
    let pieces = 0
    const unwatch = watchStatements(t, (text) => {
      if (text.startsWith('set local role') && ++pieces > 3) throw new Error('cut off')
    })
    await assert.rejects(rotateSecret(sql, { secretKey: SECOND, former: FIRST }), /cut off/)
    unwatch()
    await isUnchanged(running)
    const { sealed, lost } = await rotateSecret(sql, { secretKey: SECOND, former: FIRST })
    assert.ok(sealed > 0 && sealed < ENDPOINTS, `${sealed} sealed by the second run`)
    assert.equal(lost, 0)
    await isUnchanged(running)
    assert.equal((await rotateSecret(sql, { secretKey: SECOND, former: FIRST })).sealed, 0)
  })

  await assert.rejects(
    withKeys(t, databases, first, async () => {}),
    /is not the key that the secrets of this installation were sealed with/,
  )
  await withKeys(t, databases, { secretKey: SECOND }, isUnchanged)

  // Another rotation, and the end of the salt.
  await withKeys(t, databases, { secretKey: THIRD, secretKeyAlso: SECOND }, async () => {
    await rotateSecret(sql, { secretKey: THIRD, former: SECOND })
  })
  await withKeys(t, databases, { secretKey: THIRD }, async (stores) => {
    await isUnchanged(stores)
    assert.notEqual(await visitorOf(stores, workspaceId, Date.now() + 91 * DAY_MS), visitor)
  })
})
