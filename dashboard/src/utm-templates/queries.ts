import { queryOptions } from '@tanstack/react-query'
import { api, ask, type Schemas } from '../api/client.ts'

export type UtmTemplate = Schemas['UtmTemplate']

const PAGE_ROWS = 100

/** Every template of a workspace, by name. */
export function templatesQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [workspaceId, 'utm-templates'],
    queryFn: async ({ signal }) => {
      const rows: UtmTemplate[] = []
      for (;;) {
        const query = {
          limit: PAGE_ROWS,
          offset: rows.length,
          sortBy: 'name',
          sortOrder: 'asc',
        } as const
        const { data, meta } = await ask(api.GET('/utm-templates', { params: { query }, signal }))
        rows.push(...data)
        if (data.length === 0 || rows.length >= meta.total) return rows
      }
    },
  })
}
