import { bindDeps } from '../../base/bind-deps.ts'
import { ApiError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { page } from '../../base/route.ts'
import type { Who } from '../../base/who.ts'
import { inWorkspace, type Fragment, type Tx } from '../../storage/postgres.ts'
import type { AuditAction, Changes } from '../audit.ts'
import { getChanges, isDifferent } from '../changes.ts'
import type { Dependencies } from '../dependencies.ts'
import { matchesName, toNameOrder } from '../name-lists.ts'
import { checkName } from '../names.ts'
import { requireOwn } from '../own.ts'
import { countRows, pageMeta } from '../paging.ts'
import { clampLimit, toIsoTimes } from '../shapes.ts'
import { NO_UTM, toUtmColumns, UTM_FIELDS, type Utm } from '../utm.ts'
import { changeTime, requireMatch } from '../versions.ts'
import {
  NAME_MAX_CHARS,
  SORT_KEYS,
  type CreateUtmTemplate,
  type ListUtmTemplates,
  type UpdateUtmTemplate,
  type UtmTemplate,
} from './schema.ts'

type Deps = Pick<Dependencies, 'sql' | 'reads' | 'clock' | 'audit' | 'limit' | 'keepAnswer'>

type TemplateRow = Utm & {
  id: string
  workspaceId: string
  name: string
  createdAt: Date
  updatedAt: Date
}

export type UtmTemplates = ReturnType<typeof createUtmTemplates>

/**
 * Sets of UTM values. A link takes them over when it is written (src/services/links/groups.ts), so that
 * changes and deletions of a template concern later links only.
 */
export const createUtmTemplates = (deps: Deps) =>
  bindDeps(deps, { find, get, list, create, update, remove })

function find({ sql }: Deps, who: Who, params: Record<string, string>): Promise<void> {
  return requireOwn(sql, who, 'utm_templates', params['id'], 'UTM template')
}

async function get({ sql }: Deps, who: Who, id: string): Promise<UtmTemplate> {
  return toIsoTimes(await inWorkspace(sql, who.workspaceId, (tx) => load(tx, who, id)))
}

async function list({ reads }: Deps, who: Who, query: ListUtmTemplates, signal?: AbortSignal) {
  const slice = { limit: clampLimit(query.limit), offset: query.offset }
  const isPart = Boolean(query.search)
  const [rows, counted] = await reads.read(who, signal, (tx) => {
    const where = tx`workspace_id = ${who.workspaceId} and ${matchesName(tx, query.search)}`
    return Promise.all([
      tx<TemplateRow[]>`
        select ${columnsOf(tx)} from utm_templates where ${where}
        order by ${toNameOrder(tx, SORT_KEYS, query)}
        limit ${slice.limit} offset ${slice.offset}`,
      countRows(tx, tx`utm_templates where ${where}`, isPart),
    ])
  })
  return page(rows.map(toIsoTimes), pageMeta(counted, isPart, slice))
}

async function create(deps: Deps, who: Who, input: CreateUtmTemplate): Promise<UtmTemplate> {
  const { sql, clock, limit } = deps
  const columns = checkFields(input)
  return inWorkspace(sql, who.workspaceId, async (tx) => {
    await limit(tx, who.workspaceId, 'utm_templates')
    const nowMs = clock()
    const now = new Date(nowMs)
    const row = {
      id: newId('utm', nowMs),
      workspaceId: who.workspaceId,
      ...NO_UTM,
      ...columns,
      createdAt: now,
      updatedAt: now,
    } as TemplateRow
    await tx`insert into utm_templates ${tx({ ...row, workspaceId: who.workspaceId })}`
    const changes = getChanges({ name: null, ...NO_UTM } as object, toValues(row))
    await record(deps, tx, who, 'utm_template.created', row, changes)
    return deps.keepAnswer(tx, who, toIsoTimes(row))
  })
}

async function update(
  deps: Deps,
  who: Who,
  id: string,
  input: UpdateUtmTemplate,
): Promise<UtmTemplate> {
  const { sql, clock } = deps
  const columns = checkFields(input)
  return inWorkspace(sql, who.workspaceId, async (tx) => {
    const before = await load(tx, who, id, tx`for update`)
    requireMatch(who, toIsoTimes(before))
    if (!isDifferent(before, columns)) return toIsoTimes(before)
    const after = { ...before, ...columns, updatedAt: changeTime(clock(), before) }
    await tx`
      update utm_templates set ${tx({ ...columns, updatedAt: after.updatedAt })}
      where id = ${id} and workspace_id = ${who.workspaceId}`
    const changes = getChanges(toValues(before), toValues(after))
    await record(deps, tx, who, 'utm_template.updated', after, changes)
    return toIsoTimes(after)
  })
}

async function remove(deps: Deps, who: Who, id: string): Promise<void> {
  const { sql, limit } = deps
  await inWorkspace(sql, who.workspaceId, async (tx) => {
    await limit(tx, who.workspaceId, 'utm_templates', -1)
    const [row] = await tx<TemplateRow[]>`
      delete from utm_templates where id = ${id} and workspace_id = ${who.workspaceId}
      returning ${columnsOf(tx)}`
    if (!row) throw noSuchTemplate()
    const changes = getChanges(toValues(row), { name: null, ...NO_UTM } as object)
    await record(deps, tx, who, 'utm_template.deleted', row, changes)
  })
}

async function record(
  { audit }: Deps,
  tx: Tx,
  who: Who,
  action: AuditAction,
  { id, name }: TemplateRow,
  changes: Changes,
): Promise<void> {
  await audit(tx, who, { action, target: { type: 'utm_template', id, name }, changes })
}

async function load(tx: Tx, who: Who, id: string, locking?: Fragment): Promise<TemplateRow> {
  const [row] = await tx<TemplateRow[]>`
    select ${columnsOf(tx)} from utm_templates
    where id = ${id} and workspace_id = ${who.workspaceId} ${locking ?? tx``}`
  if (!row) throw noSuchTemplate()
  return row
}

function columnsOf(tx: Tx) {
  return tx`id, workspace_id, name, utm_source, utm_medium, utm_campaign, utm_term, utm_content,
    created_at, updated_at`
}

function checkFields({ name, ...input }: UpdateUtmTemplate): Partial<TemplateRow> {
  return {
    ...(name !== undefined && { name: checkName(name, 'name', NAME_MAX_CHARS) }),
    ...toUtmColumns(input),
  }
}

/** The fields that a client writes. */
function toValues(row: TemplateRow): object {
  return Object.fromEntries((['name', ...UTM_FIELDS] as const).map((field) => [field, row[field]]))
}

function noSuchTemplate(): ApiError {
  return new ApiError('NOT_FOUND', 'This UTM template does not exist.')
}
