import { hasRole, type Role } from '../api/session.ts'
import { useWorkspace } from '../api/workspace.ts'
import { text } from '../text/shell.ts'
import type { IconName } from './icon.tsx'

export const GROUPS = [1, 2, 3] as const
type Group = (typeof GROUPS)[number]

/** `role`: the lowest that may read the page; every role by default. */
type Entry = { to: string; label: () => string; icon: IconName; role?: Role }

/**
 * The pages of a workspace in the order of the navigation; `key` follows G. The groups are the links with their
 * numbers, what is made with them, and what is set up once.
 */
export const DESTINATIONS = [
  { to: '/$workspaceId', label: () => text.nav.overview, icon: 'house', key: 'o', group: 1 },
  { to: '/$workspaceId/links', label: () => text.nav.links, icon: 'link', key: 'l', group: 1 },
  {
    to: '/$workspaceId/analytics',
    label: () => text.nav.analytics,
    icon: 'chart-line',
    key: 'a',
    group: 1,
  },
  {
    to: '/$workspaceId/conversions',
    label: () => text.nav.conversions,
    icon: 'target',
    key: 'v',
    group: 1,
  },
  {
    to: '/$workspaceId/campaigns',
    label: () => text.nav.campaigns,
    icon: 'megaphone',
    key: 'c',
    group: 2,
  },
  {
    to: '/$workspaceId/bio-pages',
    label: () => text.nav.bioPages,
    icon: 'smartphone',
    key: 'b',
    group: 2,
  },
  { to: '/$workspaceId/media', label: () => text.nav.media, icon: 'image', key: 'i', group: 2 },
  {
    to: '/$workspaceId/dashboards',
    label: () => text.nav.dashboards,
    icon: 'eye',
    key: 'h',
    group: 2,
    role: 'member',
  },
  {
    to: '/$workspaceId/reports',
    label: () => text.nav.reports,
    icon: 'file-text',
    key: 'r',
    group: 2,
  },
  { to: '/$workspaceId/domains', label: () => text.nav.domains, icon: 'globe', key: 'd', group: 3 },
  {
    to: '/$workspaceId/webhooks',
    label: () => text.nav.webhooks,
    icon: 'webhook',
    key: 'w',
    group: 3,
  },
  {
    to: '/$workspaceId/settings',
    label: () => text.nav.settings,
    icon: 'settings',
    key: 's',
    group: 3,
  },
] as const satisfies readonly (Entry & { key: string; group: Group })[]

/** The first destinations, for which the bar of a phone has room. */
export const IN_BAR = 3

const SETTINGS = '/$workspaceId/settings'

export const SETTINGS_PAGES = [
  { to: `${SETTINGS}/workspace`, label: () => text.nav.settingsPages.workspace, icon: 'settings' },
  { to: `${SETTINGS}/members`, label: () => text.nav.settingsPages.members, icon: 'users' },
  {
    to: `${SETTINGS}/api-keys`,
    label: () => text.nav.settingsPages.apiKeys,
    icon: 'key-round',
    role: 'admin',
  },
  {
    to: `${SETTINGS}/tools`,
    label: () => text.nav.settingsPages.tools,
    icon: 'plus',
    role: 'member',
  },
  {
    to: `${SETTINGS}/audit-log`,
    label: () => text.nav.settingsPages.auditLog,
    icon: 'scroll-text',
    role: 'admin',
  },
  {
    to: `${SETTINGS}/security-log`,
    label: () => text.nav.settingsPages.securityLog,
    icon: 'shield',
    role: 'admin',
  },
  {
    to: `${SETTINGS}/abuse-reports`,
    label: () => text.nav.settingsPages.abuseReports,
    icon: 'flag',
    role: 'admin',
  },
  {
    to: `${SETTINGS}/billing`,
    label: () => text.nav.settingsPages.billing,
    icon: 'credit-card',
    role: 'admin',
  },
] as const satisfies readonly Entry[]

/** The pages of the user; the texts of the account and of the palette name them. */
export const ACCOUNT_PAGES = [
  { to: '/account', name: 'profile', icon: 'user' },
  { to: '/account/security', name: 'security', icon: 'shield-check' },
  { to: '/account/sessions', name: 'sessions', icon: 'monitor' },
  { to: '/account/data', name: 'data', icon: 'download' },
] as const satisfies readonly (Pick<Entry, 'to' | 'icon'> & { name: string })[]

/** Those of some pages that the role of the user may read. */
export function useReadable<Page extends Entry>(pages: readonly Page[]): Page[] {
  const { role } = useWorkspace()
  return pages.filter(({ role: needed = 'viewer' }) => hasRole(role, needed))
}
