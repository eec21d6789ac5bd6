import { bindDeps } from '../../platform/core/functions.ts'
import { newId } from '../../platform/core/ids.ts'
import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace } from '../../platform/storage/postgres/postgres.ts'
import { getChanges, isDifferent } from '../../platform/audit/audit.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { matchesName, toNameOrder } from '../../platform/resources/lists.ts'
import { checkName } from '../../platform/resources/field-checks.ts'
import { noSuch, ownTable } from '../../platform/resources/ownership.ts'
import { toIsoTimes } from '../../platform/resources/shapes.ts'
import { NO_UTM, toUtmColumns, UTM_FIELDS, type Utm } from '../labels.ts'
import { changeTime, requireMatch } from '../../platform/resources/versions.ts'
import {
  NAME_MAX_CHARS,
  SORT_KEYS,
  type CreateUtmTemplate,
  type ListUtmTemplates,
  type UpdateUtmTemplate,
  type UtmTemplate,
} from './schema.ts'

type Deps = Pick<
  Dependencies,
  'sql' | 'reads' | 'clock' | 'audit' | 'limit' | 'saveIdempotentResponse'
>

type TemplateRow = Utm & {
  id: string
  workspaceId: string
  name: string
  createdAt: Date
  updatedAt: Date
}

const NOUN = 'UTM template'
const COLUMNS = `id, workspace_id, name, utm_source, utm_medium, utm_campaign, utm_term, utm_content,
  created_at, updated_at`

const table = ownTable<TemplateRow>('utm_templates', NOUN, COLUMNS)
const { find, load } = table

export type UtmTemplates = ReturnType<typeof createUtmTemplates>

/** Links take over the values when they are written, so changes of a template affect later links only. */
export const createUtmTemplates = (deps: Deps) =>
  bindDeps(deps, { find, get, list, create, update, remove })

async function get({ sql }: Deps, principal: Principal, id: string): Promise<UtmTemplate> {
  return toIsoTimes(await inWorkspace(sql, principal.workspaceId, (tx) => load(tx, principal, id)))
}

async function list(
  deps: Deps,
  principal: Principal,
  query: ListUtmTemplates,
  signal?: AbortSignal,
) {
  const { rows, meta } = await table.list(
    deps,
    principal,
    query,
    signal,
    (tx) => [matchesName(tx, query.search)],
    (tx) => toNameOrder(tx, SORT_KEYS, query),
  )
  return page(rows.map(toIsoTimes), meta)
}

async function create(deps: Deps, principal: Principal, input: CreateUtmTemplate) {
  const { sql, clock, limit } = deps
  const columns = checkFields(input)
  return inWorkspace(sql, principal.workspaceId, async (tx) => {
    await limit(tx, principal.workspaceId, 'utm_templates')
    const nowMs = clock()
    const now = new Date(nowMs)
    const row = {
      id: newId('utm', nowMs),
      workspaceId: principal.workspaceId,
      ...NO_UTM,
      ...columns,
      createdAt: now,
      updatedAt: now,
    } as TemplateRow
    await tx`insert into utm_templates ${tx({ ...row, workspaceId: principal.workspaceId })}`
    const changes = getChanges({ name: null, ...NO_UTM } as object, toValues(row))
    await deps.audit(tx, principal, {
      action: 'utm_template.created',
      target: toTarget(row),
      changes,
    })
    return deps.saveIdempotentResponse(tx, principal, toIsoTimes(row))
  })
}

async function update(deps: Deps, principal: Principal, id: string, input: UpdateUtmTemplate) {
  const { sql, clock } = deps
  const columns = checkFields(input)
  return inWorkspace(sql, principal.workspaceId, async (tx) => {
    const before = await load(tx, principal, id, 'for update')
    requireMatch(principal, toIsoTimes(before))
    if (!isDifferent(before, columns)) return toIsoTimes(before)
    const after = { ...before, ...columns, updatedAt: changeTime(clock(), before) }
    await tx`
      update utm_templates set ${tx({ ...columns, updatedAt: after.updatedAt })}
      where id = ${id} and workspace_id = ${principal.workspaceId}`
    const changes = getChanges(toValues(before), toValues(after))
    await deps.audit(tx, principal, {
      action: 'utm_template.updated',
      target: toTarget(after),
      changes,
    })
    return toIsoTimes(after)
  })
}

async function remove(deps: Deps, principal: Principal, id: string): Promise<void> {
  const { sql, limit } = deps
  await inWorkspace(sql, principal.workspaceId, async (tx) => {
    await limit(tx, principal.workspaceId, 'utm_templates', -1)
    const [row] = await tx<TemplateRow[]>`
      delete from utm_templates where id = ${id} and workspace_id = ${principal.workspaceId}
      returning ${tx.unsafe(COLUMNS)}`
    if (!row) throw noSuch(NOUN)
    const changes = getChanges(toValues(row), { name: null, ...NO_UTM } as object)
    await deps.audit(tx, principal, {
      action: 'utm_template.deleted',
      target: toTarget(row),
      changes,
    })
  })
}

function checkFields({ name, ...input }: UpdateUtmTemplate): Partial<TemplateRow> {
  return {
    ...(name !== undefined && { name: checkName(name, 'name', NAME_MAX_CHARS) }),
    ...toUtmColumns(input),
  }
}

function toValues(row: TemplateRow): object {
  return Object.fromEntries((['name', ...UTM_FIELDS] as const).map((field) => [field, row[field]]))
}

function toTarget({ id, name }: { id: string; name: string }) {
  return { type: 'utm_template', id, name }
}
