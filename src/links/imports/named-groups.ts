import { ApiError } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type TenantSql } from '../../platform/storage/postgres/postgres.ts'
import { checkName, toNameKey } from '../../platform/resources/names.ts'
import { toError, type Draft } from './drafts.ts'

export type GroupDeps = {
  sql: TenantSql
  /** @throws ApiError CONFLICT when there is one with this name; PLAN_LIMIT_REACHED */
  createFolder: (principal: Principal, input: { name: string }) => Promise<{ id: string }>
}

type Column = (field: string) => string | null
type Found = ReadonlyMap<string, string | ApiError>

const FOLDER_ID = /^fld_[0-9A-Z]{26}$/
const CAMPAIGN_ID = /^cmp_[0-9A-Z]{26}$/
const NAME_MAX_CHARS = 255

/**
 * Puts ids in the place of names of folders and campaigns. A folder that does not exist is created; a
 * campaign is not, since it has dates and UTM values. Rows that cannot be resolved get an error.
 */
export async function resolveGroups(
  deps: GroupDeps,
  principal: Principal,
  drafts: readonly Draft[],
  { isDry, column }: { isDry: boolean; column: Column },
): Promise<Draft[]> {
  const folders = await findFolders(deps, principal, unique(drafts.map(toFolderName)), isDry)
  const campaigns = await findCampaigns(deps, principal, unique(drafts.map(toCampaignName)))
  return drafts.map((draft) => {
    const input = { ...draft.input }
    const errors = [...draft.errors]
    const put = (name: string | null, field: 'folder' | 'campaign', found: Found) => {
      const key = `${field}Id` as const
      if (name === null) return
      const id = found.get(name)
      delete input[key]
      if (typeof id === 'string') input[key] = id
      else if (id)
        errors.push(toError(draft.row, column(field) ?? column(key), id.message, id.code))
    }
    put(toFolderName(draft), 'folder', folders)
    put(toCampaignName(draft), 'campaign', campaigns)
    return { ...draft, input, errors }
  })
}

function toFolderName({ input, folder }: Draft): string | null {
  const given = folder ?? input.folderId?.trim() ?? null
  return given === null || FOLDER_ID.test(given) ? null : given
}

function toCampaignName({ input, campaign }: Draft): string | null {
  const given = campaign ?? input.campaignId?.trim() ?? null
  return given === null || CAMPAIGN_ID.test(given) ? null : given
}

function unique(names: readonly (string | null)[]): string[] {
  return [...new Set(names.filter((name) => name !== null))]
}

/** @returns without an entry for a folder that a dry run would create */
async function findFolders(
  deps: GroupDeps,
  principal: Principal,
  names: readonly string[],
  isDry: boolean,
): Promise<Found> {
  if (names.length === 0) return new Map()
  const ids = await readFolders(deps, principal, names)
  const found = new Map<string, string | ApiError>()
  for (const name of names) {
    const id = ids.get(toNameKey(name))
    if (id !== undefined) found.set(name, id)
    else
      try {
        const checked = checkName(name, 'folder', NAME_MAX_CHARS)
        if (!isDry) {
          const folderId = await createFolder(deps, principal, checked)
          ids.set(toNameKey(checked), folderId)
          found.set(name, folderId)
        }
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        found.set(name, error)
      }
  }
  return found
}

async function createFolder(deps: GroupDeps, principal: Principal, name: string): Promise<string> {
  try {
    return (await deps.createFolder(principal, { name })).id
  } catch (error) {
    // A request has created it since it was looked for.
    const id = (await readFolders(deps, principal, [name])).get(toNameKey(name))
    if (id === undefined) throw error
    return id
  }
}

async function readFolders(
  { sql }: GroupDeps,
  { workspaceId }: Principal,
  names: readonly string[],
): Promise<Map<string, string>> {
  const keys = names.map(toNameKey)
  const rows = await inWorkspace(
    sql,
    workspaceId,
    (tx) => tx<{ id: string; nameKey: string }[]>`
      select id, name_key from folders
      where workspace_id = ${workspaceId} and name_key = any(${keys}::text[])`,
  )
  return new Map(rows.map(({ id, nameKey }) => [nameKey, id]))
}

async function findCampaigns(
  { sql }: GroupDeps,
  { workspaceId }: Principal,
  names: readonly string[],
): Promise<Found> {
  if (names.length === 0) return new Map()
  const rows = await inWorkspace(
    sql,
    workspaceId,
    (tx) => tx<{ id: string; name: string }[]>`
      select id, name from campaigns
      where workspace_id = ${workspaceId} and name = any(${[...names]}::text[])`,
  )
  return new Map<string, string | ApiError>(
    names.map((name) => {
      const ids = rows.filter((row) => row.name === name).map(({ id }) => id)
      if (ids.length === 1) return [name, ids[0]!]
      const shown = `"${name.slice(0, 100)}"`
      const message =
        ids.length === 0
          ? `There is no campaign ${shown}; create it first, or leave the cell empty.`
          : `There are ${ids.length} campaigns ${shown}; write the id of one of them.`
      return [name, new ApiError('VALIDATION_ERROR', message)]
    }),
  )
}
