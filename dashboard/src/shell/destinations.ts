import type { IconName } from '../kit/icon.tsx'
import type { Role } from '../api/session.ts'
import { text } from '../text/en.ts'

/** The pages of a workspace in the order of the navigation. `key` follows G. */
export const DESTINATIONS = [
  { to: '/$workspaceId', label: text.nav.overview, icon: 'house', key: 'o', exact: true },
  { to: '/$workspaceId/links', label: text.nav.links, icon: 'link', key: 'l', exact: false },
  {
    to: '/$workspaceId/analytics',
    label: text.nav.analytics,
    icon: 'chart-line',
    key: 'a',
    exact: false,
  },
  {
    to: '/$workspaceId/webhooks',
    label: text.nav.webhooks,
    icon: 'webhook',
    key: 'w',
    exact: false,
  },
] as const satisfies readonly {
  to: string
  label: string
  icon: IconName
  key: string
  exact: boolean
  role?: Role
}[]
