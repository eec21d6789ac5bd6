import { hasRole, type Role } from '../api/session.ts'
import { useWorkspace } from '../api/workspace.ts'
import { text } from '../text/en-shell.ts'
import type { IconName } from './icon.tsx'

const { nav } = text
const { settingsPages: settings } = nav

/** `role`: the lowest that may read the page; every role by default. */
type Entry = { to: string; label: string; icon: IconName; role?: Role }

/** The pages of a workspace in the order of the navigation; `key` follows G. */
export const DESTINATIONS = [
  { to: '/$workspaceId', label: nav.overview, icon: 'house', key: 'o' },
  { to: '/$workspaceId/links', label: nav.links, icon: 'link', key: 'l' },
  { to: '/$workspaceId/analytics', label: nav.analytics, icon: 'chart-line', key: 'a' },
  { to: '/$workspaceId/conversions', label: nav.conversions, icon: 'target', key: 'v' },
  { to: '/$workspaceId/campaigns', label: nav.campaigns, icon: 'megaphone', key: 'c' },
  { to: '/$workspaceId/bio-pages', label: nav.bioPages, icon: 'smartphone', key: 'b' },
  { to: '/$workspaceId/media', label: nav.media, icon: 'image', key: 'i' },
  { to: '/$workspaceId/dashboards', label: nav.dashboards, icon: 'eye', key: 'h', role: 'member' },
  { to: '/$workspaceId/reports', label: nav.reports, icon: 'file-text', key: 'r' },
  { to: '/$workspaceId/domains', label: nav.domains, icon: 'globe', key: 'd' },
  { to: '/$workspaceId/webhooks', label: nav.webhooks, icon: 'webhook', key: 'w' },
  { to: '/$workspaceId/settings', label: nav.settings, icon: 'settings', key: 's' },
] as const satisfies readonly (Entry & { key: string })[]

/** The first destinations, for which the bar of a phone has room. */
export const IN_BAR = 3

const SETTINGS = '/$workspaceId/settings'

export const SETTINGS_PAGES = [
  { to: `${SETTINGS}/workspace`, label: settings.workspace, icon: 'settings' },
  { to: `${SETTINGS}/members`, label: settings.members, icon: 'users' },
  { to: `${SETTINGS}/api-keys`, label: settings.apiKeys, icon: 'key-round', role: 'admin' },
  { to: `${SETTINGS}/audit-log`, label: settings.auditLog, icon: 'scroll-text', role: 'admin' },
  { to: `${SETTINGS}/security-log`, label: settings.securityLog, icon: 'shield', role: 'admin' },
  { to: `${SETTINGS}/abuse-reports`, label: settings.abuseReports, icon: 'flag', role: 'admin' },
  { to: `${SETTINGS}/billing`, label: settings.billing, icon: 'credit-card', role: 'admin' },
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
