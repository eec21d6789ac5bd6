import { randomBytes } from 'node:crypto'
import type { TObject, TSchema } from 'typebox'
import { newId, ulid } from '../../src/platform/core/ids.ts'
import type { Route } from '../../src/platform/routes/route.ts'
import { getAnnotation } from '../../src/platform/routes/shape.ts'
import { must } from '../support/calls.ts'
import { freshImage } from '../support/images.ts'
import { addMember, addActor, freshEmail, type Actor, type Stage } from '../support/stage.ts'
import { insertRows } from '../support/click-rows.ts'

/** The parts of one request that its route does not determine. */
export type Asked = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  /** A body that is no JSON. */
  upload?: { contentType: string; bytes: Buffer }
  /** Cookies beside that of the session. */
  cookie?: string
}

/** Loopback, where nothing listens, and which the guard of this world allows. */
const HOOK = 'https://127.0.0.1:8443/hook'
const IMAGE_TYPE = { 'content-type': 'image/png' }
let serial = 0

/** A good request by the shapes of the route: new rows for the ids of its path, and its examples as the body. */
export async function requestOf(row: Route, at: Stage, caller: Actor): Promise<Asked> {
  const params: Record<string, string> = {}
  for (const [name, shape] of Object.entries<TSchema>(row.shapes.params?.properties ?? {})) {
    const prefix = prefixOf(shape)
    if (canMake(at, prefix)) params[name] = await make(at, prefix, caller)
  }
  return { params, ...(row.shapes.body && { body: bodyOf(row) }) }
}

/** Required fields with their examples; a PATCH renames. */
function bodyOf({ method, shapes }: Route): Record<string, unknown> {
  const { properties = {}, required = [] } = shapes.body as Partial<TObject>
  if (method === 'PATCH' && 'name' in properties) return { name: `Renamed ${++serial}` }
  return Object.fromEntries(required.map((name) => [name, valueOf(name, properties[name]!)]))
}

export function freshName(): string {
  return `Name ${++serial}`
}

export function freshDigest(): string {
  return randomBytes(32).toString('hex')
}

export function freshHost(): string {
  return `host-${++serial}.example.com`
}

function valueOf(name: string, shape: TSchema): unknown {
  if (/email$/i.test(name)) return freshEmail()
  return name === 'url' ? HOOK : exampleOf(shape)
}

/** The ids that a query or a body names, with the prefix of their example. Hidden ones are of options that are refused. */
export function idsNamedBy({ shapes }: Route): { place: string; prefix: string }[] {
  return (['query', 'body'] as const).flatMap((part) =>
    Object.entries((shapes[part] as Partial<TObject> | undefined)?.properties ?? {})
      .filter(([name, shape]) => /Ids?$/.test(name) && !getAnnotation(shape).isHidden)
      .map(([name, shape]) => ({ place: `${part}.${name}`, prefix: prefixOf(shape) })),
  )
}

function prefixOf(shape: TSchema): string {
  return /^(\w+?)_/.exec(String(exampleOf(shape)))?.[1] ?? ''
}

function exampleOf(shape: TSchema): unknown {
  return (shape as { examples?: unknown[] }).examples?.[0]
}

/** Rows that no route of a workspace creates, by the prefix of their ids. */
const MAKERS: Record<string, (at: Stage, caller: Actor) => Promise<string> | string> = {
  wsp: ({ workspaceId }) => workspaceId,
  async usr(at) {
    const { userId } = await addActor(at.world)
    await addMember(at, userId, 'viewer')
    return userId
  },
  del: addDeadLetter,
  async med({ cast }) {
    const { body } = await must(201, cast.owner.session.post('/media', freshImage(), IMAGE_TYPE))
    return body.data.id
  },
  async fld({ cast }) {
    const { body } = await must(201, cast.owner.session.post('/folders', { name: freshName() }))
    return body.data.id
  },
  async bio({ cast }) {
    const page = { slug: `page-${++serial}`, title: 'Ana' }
    return (await must(201, cast.owner.session.post('/bio-pages', page))).body.data.id
  },
  async dom({ cast }) {
    const { body } = await must(201, cast.owner.session.post('/domains', { hostname: freshHost() }))
    return body.data.id
  },
  async imp({ world: { sql }, workspaceId }) {
    const id = newId('imp', Date.now())
    const input = { source: 'csv', dryRun: false, onConflict: 'skip', headers: [] }
    const counts = { total: 1, processed: 0, created: 0, updated: 0, skipped: 0, failed: 0 }
    // The worker does not begin it during the test.
    await sql`
      insert into jobs (id, workspace_id, kind, asker, input, state, created_at, ready_at)
      values (${id}, ${workspaceId}, 'links.import', '{}', ${JSON.stringify(input)}::text::json,
        ${JSON.stringify({ chunks: 0, ...counts, errors: [] })}::text::json, now(),
        now() + interval '1 day')`
    return id
  },
  // One that is shared; those of others do not exist for a user.
  async viw({ cast }) {
    const view = { name: freshName(), query: 'tag=sale', isShared: true }
    return (await must(201, cast.owner.session.post('/link-views', view))).body.data.id
  },
  rep: addPendingReport,
  // Of a link of its own, since there is one for each.
  async alr(at) {
    const body = { linkId: await make(at, 'lnk'), watches: ['clicks'], isActive: false }
    return (await must(201, at.cast.owner.session.post('/alerts', body))).body.data.id
  },
  hst: async (at, caller) => addVersion(at, await make(at, 'lnk', caller)),
  async ses({ world }, { userId }) {
    await world.session({ userId, workspaceId: null })
    const [row] = await world.sql<{ id: string }[]>`
      select id from sessions where user_id = ${userId} order by id desc limit 1`
    return row!.id
  },
  async abr({ world }) {
    const id = newId('abr', Date.now())
    await world.sql`
      insert into abuse_reports (id, url, reason, created_at)
      values (${id}, 'https://links.example.com/spring', 'spam', now())`
    return id
  },
  async blo({ world }) {
    const id = newId('blo', Date.now())
    await world.sql`
      insert into blocks (id, kind, value, created_by, created_at, pass_at)
      values (${id}, 'image', ${freshDigest()}, 'operator', now(), now())`
    return id
  },
  psk: ({ world }, { userId }) =>
    oneOfTwo(
      'psk',
      (id) => world.sql`
        insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports,
          is_synced, created_at)
        values (${id}, ${userId}, 'Phone', ${id}, '\\x00', 0, '{}', false, now())`,
    ),
  acc: ({ world }, { userId }) =>
    oneOfTwo(
      'acc',
      (id) => world.sql`
        insert into linked_accounts
          (id, user_id, provider, issuer, subject, created_at, last_used_at)
        values (${id}, ${userId}, 'oidc', 'https://issuer.example.com', ${id}, now(), now())`,
    ),
}

/** The last sign-in method cannot be removed, so there are two. */
async function oneOfTwo(prefix: string, insert: (id: string) => Promise<unknown>): Promise<string> {
  const ids = [`${prefix}_one${++serial}`, `${prefix}_two${serial}`]
  for (const id of ids) await insert(id)
  return ids[0]!
}

export function canMake(at: Stage, prefix: string): boolean {
  return prefix in MAKERS || creatorOf(at, prefix) !== undefined
}

/** Makes a row with such an id through the route that creates it, or by its maker: its id. */
export async function make(
  at: Stage,
  prefix: string,
  caller: Actor = at.cast.owner,
): Promise<string> {
  if (prefix in MAKERS) return MAKERS[prefix]!(at, caller)
  const { admin, owner } = at.cast
  const { session } = [admin, owner].find(({ userId }) => userId === caller.userId) ?? owner
  const creator = creatorOf(at, prefix)!
  return (await must(201, session.post(creator.path, bodyOf(creator)))).body.data.id
}

function creatorOf({ world }: Stage, prefix: string): Route | undefined {
  return world.app.routes.find(({ method, status, shapes }) => {
    const id = (shapes.reply as Partial<TObject> | undefined)?.properties?.['id']
    return method === 'POST' && status === 201 && id !== undefined && prefixOf(id) === prefix
  })
}

/** Renames a link twice: the entry of its history after the first. */
export async function addVersion({ cast }: Stage, linkId: string): Promise<string> {
  const { session } = cast.owner
  const path = `/links/${linkId}`
  for (const name of ['One', 'Two']) await must(200, session.patch(path, { name }))
  return (await must(200, session.get(`${path}/history`))).body.data[1].id
}

/** Deletes links, and returns the id by which that is undone. */
export async function deleteLinks({ cast }: Stage, ids: readonly string[]): Promise<string> {
  const answer = await must(200, cast.owner.session.delete('/links/bulk', { ids }))
  return answer.body.meta.undoId
}

/** Ends an import as if it had created the link. */
export async function finishImport(
  { world: { sql }, workspaceId }: Stage,
  id: string,
  linkId: string,
): Promise<void> {
  await sql`update jobs set status = 'completed', completed_at = now() where id = ${id}`
  const [link] = await sql<{ updatedAt: Date }[]>`select updated_at from links where id = ${linkId}`
  const updatedAt = link!.updatedAt.toISOString()
  await sql`
    insert into link_versions (id, workspace_id, link_id, version, kind, changes, bytes, operation_id,
      undo_data, actor_type, actor_id, changed_at)
    select ${newId('hst', Date.now())}, ${workspaceId}, id, 1, 'created', '{}', 2, ${id},
      json_build_object('updatedAt', ${updatedAt}::text), 'system', 'test', now()
    from links where id = ${linkId}`
}

/** Gives a new link a new tag, and returns the tag. */
export async function tagALink({ cast }: Stage): Promise<string> {
  const tag = freshName()
  const link = { name: 'Tagged', destinationUrl: 'https://example.com/', tags: [tag] }
  await must(201, cast.owner.session.post('/links', link))
  return tag
}

/** The token of a new shared dashboard. */
export async function shareToken({ cast }: Stage): Promise<string> {
  const made = await must(201, cast.owner.session.post('/dashboards', { title: freshName() }))
  return made.body.data.url.split('/').at(-1)
}

/** A report whose run the worker does not begin during the test. A workspace has few that are not finished. */
async function addPendingReport(at: Stage, { userId }: Actor): Promise<string> {
  const { world, workspaceId } = at
  await endReports(at)
  const [id, runId] = [newId('rep', Date.now()), newId('run', Date.now())]
  await world.sql`
    insert into jobs (id, workspace_id, kind, asker, input, created_at, ready_at)
    values (${runId}, ${workspaceId}, 'reports', '{}', '{}', now(), now() + interval '1 day')`
  await world.sql`
    insert into reports (id, workspace_id, name, type, format, filters, asker, run_id, created_at)
    values (${id}, ${workspaceId}, 'Links', 'links', 'csv', '{}',
      ${JSON.stringify({ userId })}::text::json, ${runId}, now())`
  return id
}

/** A report with an empty file. */
export async function addFinishedReport(at: Stage, caller: Actor): Promise<string> {
  const id = await addPendingReport(at, caller)
  await at.world.sql`
    update reports set file_run_id = run_id, row_count = 0, size = 0, generated_at = now(),
      expires_at = now() + interval '1 day'
    where id = ${id}`
  return id
}

async function endReports({ world: { sql }, workspaceId }: Stage): Promise<void> {
  await sql`
    update jobs set status = 'canceled', owner = null, completed_at = now()
    where workspace_id = ${workspaceId} and kind = 'reports' and completed_at is null`
}

/** A click on a new link of the workspace, without the visit. */
export async function addClick(at: Stage, caller: Actor): Promise<string> {
  const { world, workspaceId } = at
  const nowMs = world.clock.now
  const clickId = ulid(nowMs)
  const click = {
    workspace_id: workspaceId,
    link_id: await make(at, 'lnk', caller),
    click_id: clickId,
    at: new Date(nowMs).toISOString().replace('T', ' ').replace('Z', ''),
    kind: 'human',
    host: 'links.example.com',
    slug: 'visited',
  }
  await insertRows(world.clickhouse, 'clicks', [click])
  return clickId
}

/** A delivery that has ended as a dead letter, of an endpoint of its own. */
export async function addDeadLetter(at: Stage): Promise<string> {
  const { world, workspaceId } = at
  const { sql, clock } = world
  const endpointId = await make(at, 'whe')
  const now = new Date(clock.now)
  const common = { workspaceId, endpointId }
  const event = { id: newId('evt', clock.now), createdAt: now, workspaceId, type: 'link.created' }
  const id = newId('del', clock.now)
  await sql`insert into events ${sql({ ...event, data: '{}' })}`
  await sql`insert into webhook_log ${sql({
    ...common,
    id,
    finishedAt: now,
    eventId: event.id,
    eventAt: now,
    eventType: event.type,
    status: 4,
    attempts: 5,
    createdAt: now,
  })}`
  await sql`insert into webhook_tallies ${sql({ ...common, status: 4, day: now, n: 1 })}`
  return id
}
