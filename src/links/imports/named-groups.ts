import { ApiError } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace } from '../../platform/storage/postgres/postgres.ts'
import { checkName, toNameKey } from '../../platform/resources/field-checks.ts'
import { createFolder } from '../folders/folders.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import { toError, type Draft } from './drafts.ts'

type Group = 'folder' | 'campaign'
type Column = (field: string) => string | null
/** The id for each name, or why there is none. */
type Found = ReadonlyMap<string, string | ApiError>

const IDS = { folder: /^fld_[0-9A-Z]{26}$/, campaign: /^cmp_[0-9A-Z]{26}$/ }
const NAME_MAX_CHARS = 255

/**
 * Replaces names of folders and campaigns by ids. Missing folders are created; missing campaigns are not, since a
 * campaign has dates and UTM values. Rows that cannot be resolved get an error.
 */
export async function resolveGroups(
  deps: LinkDeps,
  principal: Principal,
  drafts: readonly Draft[],
  { isDry, column }: { isDry: boolean; column: Column },
): Promise<Draft[]> {
  const found = {
    folder: await findFolders(deps, principal, namesOf(drafts, 'folder'), isDry),
    campaign: await findCampaigns(deps, principal, namesOf(drafts, 'campaign')),
  }
  return drafts.map((draft) => {
    const input = { ...draft.input }
    const errors = [...draft.errors]
    for (const group of ['folder', 'campaign'] as const) {
      const key = `${group}Id` as const
      const name = nameOf(draft, group)
      if (name === null) continue
      const id = found[group].get(name)
      delete input[key]
      if (typeof id === 'string') input[key] = id
      else if (id)
        errors.push(toError(draft.row, column(group) ?? column(key), id.message, id.code))
    }
    return { ...draft, input, errors }
  })
}

function nameOf(draft: Draft, group: Group): string | null {
  const name = draft[group] ?? draft.input[`${group}Id`]?.trim() ?? null
  return name === null || IDS[group].test(name) ? null : name
}

function namesOf(drafts: readonly Draft[], group: Group): string[] {
  const names = drafts.map((draft) => nameOf(draft, group)).filter((name) => name !== null)
  return [...new Set(names)]
}

/** @returns no entry for a folder that a dry run would create */
async function findFolders(
  deps: LinkDeps,
  principal: Principal,
  names: readonly string[],
  isDry: boolean,
): Promise<Found> {
  if (names.length === 0) return new Map()
  const ids = await readFolders(deps, principal, names)
  const found = new Map<string, string | ApiError>()
  for (const name of names)
    try {
      let id = ids.get(toNameKey(name))
      if (id === undefined) {
        const checked = checkName(name, 'folder', NAME_MAX_CHARS)
        if (isDry) continue
        id = await createOrRead(deps, principal, checked)
        ids.set(toNameKey(checked), id)
      }
      found.set(name, id)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      found.set(name, error)
    }
  return found
}

async function createOrRead(deps: LinkDeps, principal: Principal, name: string): Promise<string> {
  try {
    return (await createFolder(deps, principal, { name })).id
  } catch (error) {
    // A request may have created it in the meantime.
    const id = (await readFolders(deps, principal, [name])).get(toNameKey(name))
    if (id === undefined) throw error
    return id
  }
}

async function readFolders(
  { sql }: LinkDeps,
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
  { sql }: LinkDeps,
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
