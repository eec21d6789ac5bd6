import { api, ask } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'
import type { GroupKind } from './search.ts'

const PAGE_ROWS = 100

/** A folder by its id, or a tag by its name. */
export type GroupRow = { id: string; name: string; links: number }

export function groupRowsQuery(workspaceId: string, kind: GroupKind, searched: string) {
  return pagedQuery([workspaceId, 'group-rows', kind, searched], (page, signal) => {
    const query = { ...page, limit: PAGE_ROWS, ...(searched ? { search: searched } : {}) }
    return kind === 'folders' ? listFolders(query, signal) : listTags(query, signal)
  })
}

type Query = { limit: number; offset: number; search?: string }

async function listFolders(query: Query, signal: AbortSignal) {
  const { data, meta } = await ask(
    api.GET('/folders', {
      params: { query: { ...query, sortBy: 'name', sortOrder: 'asc' } },
      signal,
    }),
  )
  return { data: data.map(({ id, name, links }): GroupRow => ({ id, name, links })), meta }
}

async function listTags(query: Query, signal: AbortSignal) {
  const { data, meta } = await ask(
    api.GET('/tags', {
      params: { query: { ...query, sortBy: 'links', sortOrder: 'desc' } },
      signal,
    }),
  )
  return { data: data.map(({ name, links }): GroupRow => ({ id: name, name, links })), meta }
}

export function createFolder(name: string) {
  return ask(api.POST('/folders', { body: { name } }))
}

/** A tag that gets the name of another one becomes that one. */
export function renameGroup(kind: GroupKind, key: string, name: string): Promise<unknown> {
  const body = { name }
  return kind === 'folders'
    ? ask(api.PATCH('/folders/{id}', { params: { path: { id: key } }, body }))
    : ask(api.PATCH('/tags/{name}', { params: { path: { name: key } }, body }))
}

/** Its links stay. */
export function removeGroup(kind: GroupKind, key: string): Promise<unknown> {
  return kind === 'folders'
    ? ask(api.DELETE('/folders/{id}', { params: { path: { id: key } } }))
    : ask(api.DELETE('/tags/{name}', { params: { path: { name: key } } }))
}
