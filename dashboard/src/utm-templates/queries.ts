import { api, ask, type Schemas } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'

export type UtmTemplate = Schemas['UtmTemplate']

export function templatesQuery(workspaceId: string) {
  return pagedQuery([workspaceId, 'utm-templates'], (page, signal) => {
    const query = { ...page, sortBy: 'name', sortOrder: 'asc' } as const
    return ask(api.GET('/utm-templates', { params: { query }, signal }))
  })
}
