import { readNewSearch, type NewSearch } from '../kit/list-search.ts'

/** The workspace that the user came from, and goes back to. */
export type ServerSearch = { from?: string | undefined }

const STATES = ['active', 'suspended', 'blocked'] as const
const STATUSES = ['open', 'resolved'] as const
export const KINDS = ['host', 'link', 'workspace', 'image'] as const

type Found = {
  q?: string | undefined
  /** The id of the row whose drawer is open. */
  open?: string | undefined
}
export type WorkspacesSearch = Found & { state?: (typeof STATES)[number] | undefined }
export type UsersSearch = Found
export type ServerReportsSearch = { status?: (typeof STATUSES)[number] | undefined }
export type BlocksSearch = Pick<Found, 'q'> &
  NewSearch & {
    kind?: (typeof KINDS)[number] | undefined
    /** What a new block begins with. */
    value?: string | undefined
  }

export function readServerSearch({ from }: Record<string, unknown>): ServerSearch {
  return typeof from === 'string' && /^wsp_\w+$/.test(from) ? { from } : {}
}

export function readWorkspacesSearch(search: Record<string, unknown>): WorkspacesSearch {
  const state = STATES.find((each) => each === search.state)
  return { ...readUsersSearch(search), ...(state ? { state } : {}) }
}

export function readUsersSearch(search: Record<string, unknown>): UsersSearch {
  const { open } = search
  return {
    ...readText('q', search.q),
    ...(typeof open === 'string' && /^\w{1,64}$/.test(open) ? { open } : {}),
  }
}

export function readServerReportsSearch(search: Record<string, unknown>): ServerReportsSearch {
  const status = STATUSES.find((each) => each === search.status)
  return status ? { status } : {}
}

export function readBlocksSearch(search: Record<string, unknown>): BlocksSearch {
  const kind = KINDS.find((each) => each === search.kind)
  return {
    ...readText('q', search.q),
    ...readText('value', search.value),
    ...(kind ? { kind } : {}),
    ...readNewSearch(search),
  }
}

/** A text of digits arrives as a number. */
function readText<Name extends string>(name: Name, given: unknown): Partial<Record<Name, string>> {
  const value = typeof given === 'number' ? String(given) : given
  const isText = typeof value === 'string' && value !== ''
  return (isText ? { [name]: value } : {}) as Partial<Record<Name, string>>
}
