import { hasRole, type Role } from '../api/session.ts'
import { useWorkspace } from '../api/workspace.ts'
import type { IconName } from '../kit/icon.tsx'
import { text } from '../text/en.ts'

/** The pages of a workspace in the order of the navigation. `key` follows G; `inBar`: on a phone too. */
export const DESTINATIONS = [
  {
    to: '/$workspaceId',
    label: text.nav.overview,
    icon: 'house',
    key: 'o',
    exact: true,
    inBar: true,
  },
  {
    to: '/$workspaceId/links',
    label: text.nav.links,
    icon: 'link',
    key: 'l',
    exact: false,
    inBar: true,
  },
  {
    to: '/$workspaceId/analytics',
    label: text.nav.analytics,
    icon: 'chart-line',
    key: 'a',
    exact: false,
    inBar: true,
  },
  {
    to: '/$workspaceId/conversions',
    label: text.nav.conversions,
    icon: 'target',
    key: 'v',
    exact: false,
    inBar: false,
  },
  {
    to: '/$workspaceId/campaigns',
    label: text.nav.campaigns,
    icon: 'megaphone',
    key: 'c',
    exact: false,
    inBar: false,
  },
  {
    to: '/$workspaceId/bio-pages',
    label: text.nav.bioPages,
    icon: 'smartphone',
    key: 'b',
    exact: false,
    inBar: false,
  },
  {
    to: '/$workspaceId/media',
    label: text.nav.media,
    icon: 'image',
    key: 'i',
    exact: false,
    inBar: false,
  },
  {
    to: '/$workspaceId/dashboards',
    label: text.nav.dashboards,
    icon: 'eye',
    key: 'h',
    exact: false,
    inBar: false,
    role: 'member',
  },
  {
    to: '/$workspaceId/reports',
    label: text.nav.reports,
    icon: 'file-text',
    key: 'r',
    exact: false,
    inBar: false,
  },
  {
    to: '/$workspaceId/domains',
    label: text.nav.domains,
    icon: 'globe',
    key: 'd',
    exact: false,
    inBar: false,
  },
  {
    to: '/$workspaceId/webhooks',
    label: text.nav.webhooks,
    icon: 'webhook',
    key: 'w',
    exact: false,
    inBar: false,
  },
  {
    to: '/$workspaceId/settings',
    label: text.nav.settings,
    icon: 'settings',
    key: 's',
    exact: false,
    inBar: false,
  },
] as const satisfies readonly {
  to: string
  label: string
  icon: IconName
  key: string
  exact: boolean
  inBar: boolean
  /** The lowest that may read it; every role by default. */
  role?: Role
}[]

export type Destination = (typeof DESTINATIONS)[number]

/** The pages that the role of the user may read. */
export function useDestinations(): readonly Destination[] {
  const { role } = useWorkspace()
  return DESTINATIONS.filter((each) => hasRole(role, 'role' in each ? each.role : 'viewer'))
}
