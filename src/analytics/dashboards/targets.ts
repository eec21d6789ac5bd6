import { invalid } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { foreignId, readForeign } from '../../platform/resources/ownership.ts'
import type { DashboardRow } from './row.ts'

/** Targets of a dashboard other than the whole workspace: the field that names one, and its table. */
export const TARGETS = [
  { field: 'linkId', type: 'link', table: 'links' },
  { field: 'campaignId', type: 'campaign', table: 'campaigns' },
  { field: 'folderId', type: 'folder', table: 'folders' },
] as const

export type TargetColumns = Pick<DashboardRow, 'linkId' | 'campaignId' | 'folderId'>
type TargetInput = { [Field in keyof TargetColumns]?: string | null | undefined }

export function toScope(row: TargetColumns & Pick<DashboardRow, 'workspaceId'>) {
  const target = TARGETS.find(({ field }) => row[field] !== null)
  if (!target) return { type: 'workspace', id: row.workspaceId } as const
  return { type: target.type, id: row[target.field]! }
}

/**
 * The columns of the target that a request names; none if it names none. Naming one replaces the present one.
 * @throws ApiError VALIDATION_ERROR for two of them, and for an id that no row has; FORBIDDEN for one of another workspace
 */
export async function toTargetColumns(
  tx: Tx,
  principal: Principal,
  input: TargetInput,
): Promise<Partial<TargetColumns>> {
  const sent = TARGETS.filter(({ field }) => input[field] !== undefined)
  const named = sent.filter(({ field }) => input[field] !== null)
  const [target, second] = named
  if (second)
    throw invalid(second.field, `${second.field} and ${target!.field} cannot be set together.`)
  if (target) await requireTarget(tx, principal, target, input[target.field]!)
  const cleared = target ? TARGETS : sent
  return {
    ...Object.fromEntries(cleared.map(({ field }) => [field, null])),
    ...(target && { [target.field]: input[target.field]! }),
  }
}

async function requireTarget(
  tx: Tx,
  { workspaceId }: Principal,
  { field, type, table }: (typeof TARGETS)[number],
  id: string,
): Promise<void> {
  const [own] = await tx`
    select from ${tx(table)} where id = ${id} and workspace_id = ${workspaceId}`
  if (own) return
  const foreign = await readForeign(tx, [table], [id])
  if (foreign.has(id)) throw foreignId(field)
  throw invalid(field, `${field} names no ${type}.`, 'unknown')
}
