import { test } from 'node:test'
import { createSecrets } from '../../../src/platform/core/secrets.ts'
import type { Principal } from '../../../src/platform/routes/principal.ts'
import { createOutbox } from '../../../src/webhooks/delivery/outbox.ts'
import { chainPendingRows, verifyAuditChain } from '../../../src/accounts/logs/chain.ts'
import { createCapabilities, createLimit, type Limit } from '../../../src/platform/plans/limits.ts'
import { readPlans } from '../../../src/platform/plans/plans.ts'
import { createLinks } from '../../../src/links/link/links.ts'
import { createHashLinkPassword } from '../../../src/links/write/password.ts'
import { createShortHost } from '../../../src/links/link/dependencies.ts'
import {
  inSavepoint,
  inTransaction,
  inWorkspace,
  type Tx,
} from '../../../src/platform/storage/postgres/postgres.ts'
import { openLogs, whoIs, type Logs } from '../../support/log-world.ts'
import { heavyReadsOn } from '../../support/heavy-reads.ts'
import { asTenant } from '../../support/privileges.ts'
import { saveNoResponse, unusedLinkClicks } from '../../support/fixtures.ts'
import { anyText } from '../../support/any-text.ts'
import assert from 'node:assert/strict'
import fc from 'fast-check'

test('fifty writes at once make one unbroken chain, in several workspaces as well', async (t) => {
  const logs = await openLogs(t)
  const [one, two] = [await logs.owner(), await logs.owner()]
  const fresh = await Promise.all(Array.from({ length: 10 }, () => logs.owner()))
  await Promise.all(Array.from({ length: 50 }, (_, n) => logs.write(one, `link ${n}`)))
  // Half of them name the workspaces in the other order: without an order of locks they would meet.
  await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      inTransaction(logs.systemSql, async (tx) => {
        for (const principal of n % 2 ? [one, two] : [two, one])
          await logs.audit(tx, principal, { action: 'link.updated', target: target(`${n}`) })
      }),
    ),
  )
  // None of these has a row yet.
  await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      inTransaction(logs.systemSql, async (tx) => {
        for (const principal of n % 2 ? fresh : fresh.toReversed())
          await logs.audit(tx, principal, { action: 'link.updated', target: target(`${n}`) })
      }),
    ),
  )
  const whole = { workspaces: 12, rows: 50 + 80 + 300, broken: [] }
  assert.deepEqual(await verifyAuditChain(logs.systemSql), whole)
  const { data } = await logs.auditLog(one, { limit: 100 })
  assert.equal(new Set(data.map((row) => row.prevHash)).size, 90)
  assert.equal(data.filter((row) => row.prevHash === '0'.repeat(64)).length, 1)
})

test('a change that is rolled back leaves no row and no gap', async (t) => {
  const logs = await openLogs(t)
  const principal = await logs.owner()
  await logs.write(principal)
  await assert.rejects(
    inWorkspace(logs.sql, principal.workspaceId, async (tx) => {
      await logs.audit(tx, principal, { action: 'link.deleted', target: target('lnk_1') })
      throw new Error('undone')
    }),
    { message: 'undone' },
  )
  await inWorkspace(logs.sql, principal.workspaceId, async (tx) => {
    await inSavepoint(tx, async (inner) => {
      await logs.audit(inner, principal, { action: 'link.deleted', target: target('lnk_2') })
      throw new Error('undone')
    }).catch(() => {})
  })
  await logs.write(principal)
  const { data, meta } = await logs.auditLog(principal)
  assert.equal(meta.total, 2)
  assert.equal(data[0]!.prevHash, data[1]!.hash)
  assert.deepEqual((await verifyAuditChain(logs.systemSql)).broken, [])
})

test('text of every kind has one hash, in the database and in the program', async (t) => {
  const logs = await openLogs(t)
  const principal = await logs.owner('Ö 漢 😀 3:abc-')
  const text = anyText().map((each) => each.replaceAll('\0', ''))
  await fc.assert(
    fc.asyncProperty(text, text, fc.jsonValue(), async (name, userAgent, value) => {
      const old = JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '')) as unknown
      await inWorkspace(logs.sql, principal.workspaceId, (tx) =>
        logs.audit(
          tx,
          { ...principal, userAgent, ip: null },
          { action: 'link.updated', target: target(name), changes: { field: { old, new: name } } },
        ),
      )
    }),
    { numRuns: 60 },
  )
  const { rows, broken } = await verifyAuditChain(logs.systemSql, principal.workspaceId)
  assert.deepEqual({ rows, broken }, { rows: 60, broken: [] })
})

type Tampering = {
  what: string
  by: (tx: Tx, ids: string[], workspaceId: string) => Promise<unknown>
  reasons: RegExp[]
}

const TAMPERING: readonly Tampering[] = [
  {
    what: 'a changed field',
    by: (tx, ids) => tx`update audit_log set action = 'link.read' where id = ${ids[2]!}`,
    reasons: [/was changed/],
  },
  {
    what: 'a field emptied to null',
    by: (tx, ids) => tx`update audit_log set ip_address = null where id = ${ids[2]!}`,
    reasons: [/was changed/],
  },
  {
    what: 'text moved from one field to the next',
    by: (tx, ids) => tx`
      update audit_log set target_type = 'lin', target_id = 'k' || target_id where id = ${ids[2]!}`,
    reasons: [/was changed/],
  },
  {
    what: 'a removed row',
    by: (tx, ids) => tx`delete from audit_log where id = ${ids[2]!}`,
    reasons: [/is missing/],
  },
  {
    what: 'a row removed together with its entry',
    by: async (tx, ids) => {
      await tx`delete from audit_log where id = ${ids[2]!}`
      await tx`delete from audit_chain where row_id = ${ids[2]!}`
    },
    reasons: [/1 rows before it are missing/],
  },
  {
    what: 'a row removed with its entry, and the later ones moved up',
    by: async (tx, ids, workspaceId) => {
      await tx`delete from audit_log where id = ${ids[2]!}`
      await tx`delete from audit_chain where row_id = ${ids[2]!}`
      await tx`update audit_chain set position = 3 where row_id = ${ids[3]!}`
      await tx`update audit_chain set position = 4 where row_id = ${ids[4]!}`
      await tx`update audit_heads set position = 4 where workspace_id = ${workspaceId}`
    },
    reasons: [/the row before it is a different one/, /was changed/],
  },
  {
    what: 'a removed end',
    by: async (tx, ids) => {
      await tx`delete from audit_log where id = any(${ids.slice(3)}::text[])`
      await tx`delete from audit_chain where row_id = any(${ids.slice(3)}::text[])`
    },
    reasons: [/ends at 3, but its head is 5/],
  },
  {
    what: 'a removed head',
    by: (tx, _ids, workspaceId) => tx`delete from audit_heads where workspace_id = ${workspaceId}`,
    reasons: [/head of the chain is missing/],
  },
  {
    what: 'everything removed',
    by: async (tx, _ids, workspaceId) => {
      await tx`delete from audit_log where workspace_id = ${workspaceId}`
      await tx`delete from audit_chain where workspace_id = ${workspaceId}`
    },
    reasons: [/ends at 0, but its head is 5/],
  },
  {
    what: 'two rows in each other’s place',
    by: async (tx, ids) => {
      const [one, two] = [ids[1]!, ids[3]!]
      await tx`update audit_chain set row_id = 'aside' where row_id = ${one}`
      await tx`update audit_chain set row_id = ${one} where row_id = ${two}`
      await tx`update audit_chain set row_id = ${two} where row_id = 'aside'`
    },
    reasons: [/was changed/, /was changed/],
  },
  {
    what: 'a row with a hash that fits',
    by: async (tx, ids) => {
      await tx`update audit_log set action = 'link.read' where id = ${ids[2]!}`
      await tx`
        update audit_chain c set hash = sha256(c.prev_hash
          || convert_to(audit_field(c.position::text) || audit_text(a), 'UTF8'))
        from audit_log a where a.id = c.row_id and a.id = ${ids[2]!}`
    },
    reasons: [/the row before it is a different one/],
  },
  {
    what: 'a row added past the program',
    by: async (tx, ids) => {
      await tx`
        insert into audit_log select 'aud_planted_' || id, workspace_id, 'link.read', actor_type, actor_id,
          target_type, target_id, target_name, changes, ip_address, user_agent, request_id, created_at
        from audit_log where id = ${ids[0]!}`
    },
    reasons: [/is not in the chain/],
  },
]

test('what a superuser changes is found, and where', async (t) => {
  const logs = await openLogs(t)
  const untouched = await logs.owner()
  await logs.write(untouched)
  for (const { what, by, reasons } of TAMPERING) {
    const principal = await logs.owner()
    for (let n = 0; n < 5; n++) {
      logs.clock.now += 1
      await logs.write(principal)
    }
    const { data } = await logs.auditLog(principal)
    const ids = data.map((row) => row.id).toReversed()
    await inTransaction(logs.superuser, async (tx) => {
      // No trigger runs.
      await tx`set local session_replication_role = replica`
      await by(tx, ids, principal.workspaceId)
    })
    const { broken } = await verifyAuditChain(logs.systemSql, principal.workspaceId)
    assert.equal(broken.length, reasons.length, `${what}: ${JSON.stringify(broken)}`)
    for (const [at, reason] of reasons.entries()) assert.match(broken[at]!.reason, reason, what)
  }
  const { broken } = await verifyAuditChain(logs.systemSql)
  assert.equal(new Set(broken.map((each) => each.workspaceId)).size, TAMPERING.length)
  assert.ok(broken.every((each) => each.workspaceId !== untouched.workspaceId))
})

test('neither role changes, removes or forges a row, and neither does its owner by a statement', async (t) => {
  const logs = await openLogs(t)
  const principal = await logs.owner()
  await logs.write(principal)
  await chainPendingRows(logs.systemSql)
  const attempts: ((tx: Tx) => Promise<unknown>)[] = [
    (tx) => tx`update audit_log set action = 'x'`,
    (tx) => tx`delete from audit_log`,
    (tx) => tx`truncate audit_log`,
    (tx) => tx`update audit_chain set position = 9`,
    (tx) => tx`delete from audit_chain`,
    (tx) => tx`delete from audit_heads`,
    (tx) => tx`truncate audit_heads`,
    (tx) => tx`insert into audit_chain values (${principal.workspaceId}, 2, 'x', 'x', 'x')`,
    (tx) => tx`update audit_heads set position = 9`,
    (tx) => tx`alter table audit_log disable trigger all`,
    (tx) => tx`set session_replication_role = replica`,
    (tx) => tx`delete from audit_pending`,
    (tx) =>
      tx`insert into audit_pending (workspace_id, row_id) values (${principal.workspaceId}, 'aud_1')`,
  ]
  for (const attempt of attempts)
    for (const role of [logs.sql, logs.systemSql])
      await assert.rejects(inWorkspace(asTenant(role), principal.workspaceId, attempt), {
        code: '42501',
      })
  for (const attempt of attempts.slice(0, 7))
    await assert.rejects(inTransaction(logs.superuser, attempt), { code: '42501' })
  assert.deepEqual(await verifyAuditChain(logs.systemSql), { workspaces: 1, rows: 1, broken: [] })
})

test('a workspace takes its log with it, also when it was written to in the same breath', async (t) => {
  const logs = await openLogs(t)
  const [gone, kept] = [await logs.owner(), await logs.owner()]
  await logs.write(gone)
  await logs.write(kept)
  await inTransaction(logs.systemSql, async (tx) => {
    await logs.audit(tx, gone, { action: 'workspace.updated', target: target('x') })
    await logs.audit(tx, kept, { action: 'member.left', target: target('x') })
    await tx`delete from workspaces where id = ${gone.workspaceId}`
  })
  assert.deepEqual(await verifyAuditChain(logs.systemSql), { workspaces: 1, rows: 2, broken: [] })
  const left = await logs.superuser<{ n: number }[]>`
    select (select count(*) from audit_log where workspace_id = ${gone.workspaceId})
      + (select count(*) from audit_chain where workspace_id = ${gone.workspaceId})
      + (select count(*) from audit_heads where workspace_id = ${gone.workspaceId}) as n`
  assert.equal(left[0]!.n, 0)
})

test('a long chain is verified in pieces', async (t) => {
  const logs = await openLogs(t)
  const principal = await logs.owner()
  await logs.systemSql`
    insert into audit_log (id, workspace_id, action, actor_type, actor_id, target_type, target_id, changes, request_id, created_at)
    select 'aud_' || n, ${principal.workspaceId}, 'link.created', 'user', ${principal.userId}, 'link', 'lnk_' || n, '{}', 'req_1', now()
    from generate_series(1, 2345) n`
  assert.deepEqual(await verifyAuditChain(logs.systemSql), {
    workspaces: 1,
    rows: 2345,
    broken: [],
  })
})

test('the state of links changes exactly when a row is written', async (t) => {
  const logs = await openLogs(t)
  const principal = await logs.owner()
  const origin = 'https://s.example'
  const limit = createLimit(() => logs.clock.now, readPlans(null))
  const host = createShortHost({ publicUrl: origin, shortUrl: null, origin, port: 443 })
  const links = createLinks({
    sql: logs.sql,
    linkClicks: unusedLinkClicks,
    reads: heavyReadsOn(logs.sql),
    clock: () => logs.clock.now,
    audit: logs.audit,
    saveIdempotentResponse: saveNoResponse,
    // Now and then the plan refuses, in the middle of the transaction.
    limit: Object.assign(
      async (...taken: Parameters<Limit>) => {
        if (logs.clock.now % 7 === 0) throw new Error('refused')
        await limit(...taken)
      },
      { left: limit.left },
    ),
    requireCapability: createCapabilities(readPlans(null)),
    publish: createOutbox(() => logs.clock.now),
    hashLinkPassword: createHashLinkPassword(createSecrets('a secret key')),
    shortHost: () => host,
  })
  const ids: string[] = ['lnk_unknown']
  const slug = fc.constantFrom('a-one', 'a-two', 'a-three', 'bad slug', null)
  const name = fc.constantFrom('One', 'Two', '', 'Three')
  const command = fc.oneof(
    fc.record({ slug, name }).map((input) => async () => {
      const made = await links.create(principal, {
        ...input,
        destinationUrl: 'https://example.com',
      })
      ids.push(made.id)
    }),
    fc
      .tuple(fc.nat(), fc.record({ slug, name }, { requiredKeys: [] }))
      .map(([n, input]) => async () => {
        await links.update(principal, ids[n % ids.length]!, input)
      }),
    fc.nat().map((n) => async () => {
      await links.remove(principal, ids[n % ids.length]!)
    }),
  )
  const steps = fc.sample(fc.array(command, { minLength: 100, maxLength: 120 }), {
    numRuns: 1,
    seed: 11,
  })[0]!
  let before = await stateOf(logs, principal)
  let changes = 0
  for (const step of steps) {
    logs.clock.now += 1
    await step().catch(() => {})
    const after = await stateOf(logs, principal)
    const hasChanged = after.links !== before.links
    assert.equal(after.rows - before.rows, hasChanged ? 1 : 0)
    changes += Number(hasChanged)
    before = after
  }
  assert.ok(changes > 10 && changes < steps.length, `${changes} changes`)
  assert.deepEqual((await verifyAuditChain(logs.systemSql)).broken, [])
})

test('an actor is written down as they are called at that moment, a key by its name', async (t) => {
  const logs = await openLogs(t)
  const principal = await logs.owner('Before')
  const now = new Date(logs.clock.now)
  await logs.systemSql`
    insert into api_keys (id, workspace_id, user_id, name, prefix, key_hash, created_at, updated_at)
    values ('key_1', ${principal.workspaceId}, ${principal.userId}, 'deploy', 'sp_1', 'hash', ${now}, ${now})`
  await logs.write(principal)
  await logs.systemSql`update users set name = 'After' where id = ${principal.userId}`
  await logs.write(
    whoIs(principal.userId, principal.workspaceId, { actor: { type: 'api_key', id: 'key_1' } }),
  )
  await logs.write(
    whoIs(principal.userId, principal.workspaceId, { actor: { type: 'system', id: 'bootstrap' } }),
  )
  // A user who leaves is named, although no longer a member.
  await inWorkspace(logs.sql, principal.workspaceId, async (tx) => {
    await tx`delete from members where workspace_id = ${principal.workspaceId}`
    await logs.audit(tx, principal, { action: 'member.left', target: target(principal.userId) })
  })
  await chainPendingRows(logs.systemSql)
  const rows = await logs.systemSql<{ actorType: string; actorName: string; actorEmail: string }[]>`
    select a.actor_type, a.actor_name, a.actor_email is not null as has_email
    from audit_log a join audit_chain c on c.row_id = a.id order by c.position`
  assert.deepEqual(
    rows.map((row) => Object.values(row)),
    [
      ['user', 'Before', true],
      ['api_key', 'deploy', true],
      ['system', null, false],
      ['user', 'After', true],
    ],
  )
})

function target(id: string) {
  return { type: 'link', id, name: null }
}

async function stateOf(logs: Logs, principal: Principal) {
  const rows = await logs.superuser`
    select row_to_json(l)::text as link from links l where workspace_id = ${principal.workspaceId} order by id`
  const [count] = await logs.superuser<{ n: number }[]>`
    select count(*) as n from audit_log where workspace_id = ${principal.workspaceId}`
  return { links: JSON.stringify(rows), rows: count!.n }
}
