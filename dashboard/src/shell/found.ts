import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, dataOf } from '../api/client.ts'
import { useWorkspace } from '../api/workspace.ts'
import { withoutScheme } from '../kit/url.ts'
import { text } from '../text/shared.ts'
import type { CommandGroup } from './commands.ts'

const MAX_CHARS = 2_048

/** Search results of the workspace; each leads to its page. */
export function useFound(q: string): {
  groups: CommandGroup[]
  isPending: boolean
  hasFailed: boolean
} {
  const { id: workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const found = useQuery({
    queryKey: [workspaceId, 'search', q],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/search', { params: { query: { q: q.slice(0, MAX_CHARS) } }, signal })),
    enabled: q !== '',
    placeholderData: (previous) => previous,
  })
  const params = { workspaceId }
  if (q === '' || !found.data)
    return { groups: [], isPending: found.isFetching, hasFailed: found.isError }
  const { links, campaigns, tags, folders, webhookEndpoints, members } = found.data
  const groups: CommandGroup[] = [
    {
      value: 'links',
      items: (links ?? []).map(({ id, name, shortUrl }) => ({
        ...{ id, label: name, note: withoutScheme(shortUrl), icon: 'link' as const },
        run: () =>
          void navigate({ to: '/$workspaceId/links/$linkId', params: { workspaceId, linkId: id } }),
      })),
    },
    {
      value: 'campaigns',
      items: (campaigns ?? []).map(({ id, name, status }) => ({
        ...{ id, label: name, note: status, icon: 'megaphone' as const },
        run: () =>
          void navigate({
            to: '/$workspaceId/campaigns/$campaignId',
            params: { workspaceId, campaignId: id },
          }),
      })),
    },
    {
      value: 'tags',
      items: (tags ?? []).map(({ name }) => ({
        ...{ id: `tag-${name}`, label: name, icon: 'tag' as const },
        run: () => void navigate({ to: '/$workspaceId/links', params, search: { tag: name } }),
      })),
    },
    {
      value: 'folders',
      items: (folders ?? []).map(({ id, name }) => ({
        ...{ id, label: name, icon: 'folder' as const },
        run: () => void navigate({ to: '/$workspaceId/links', params, search: { folderId: id } }),
      })),
    },
    {
      value: 'webhookEndpoints',
      items: (webhookEndpoints ?? []).map(({ id, url, description }) => ({
        ...{ id, label: url, note: description ?? undefined, icon: 'webhook' as const },
        run: () =>
          void navigate({ to: '/$workspaceId/webhooks', params, search: { endpointId: id } }),
      })),
    },
    {
      value: 'members',
      items: (members ?? []).map(({ userId, name, email, role }) => ({
        ...{ id: userId, label: name, icon: 'user' as const },
        note: `${email}, ${text.names.roles[role]}`,
        run: () => void navigate({ to: '/$workspaceId/settings/members', params }),
      })),
    },
  ]
  return { groups, isPending: found.isFetching, hasFailed: found.isError }
}
