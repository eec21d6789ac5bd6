import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { hasRole, workspacesQuery, type Role } from '../api/session.ts'
import { useWorkspace } from '../api/workspace.ts'
import type { IconName } from '../kit/icon.tsx'
import { chooseTheme } from '../kit/preferences.ts'
import { text } from '../text/en.ts'
import { useDestinations } from './destinations.ts'
import { useSignOut } from './use-sign-out.ts'

export type Command = {
  id: string
  label: string
  note?: string | undefined
  icon: IconName
  run: () => void
}
export type CommandGroup = { value: keyof typeof text.palette.groups; items: Command[] }

type Offer = Command & {
  /** The role that it needs; a lower one does not see it. */
  role?: Role
}

const words = text.palette
const { pages: settingsPages } = text.settings

/** Entries of the palette that need no request: actions, pages, workspaces and themes, by role. */
export function useCommands(showKeys: () => void): CommandGroup[] {
  const { role } = useWorkspace()
  const mayRun = ({ role: needed = 'viewer' }: Offer) => hasRole(role, needed)
  const actions = [...useLinkActions(), ...useActions(showKeys)]
  const pages = usePages()
  return [
    { value: 'actions', items: actions.filter(mayRun) },
    { value: 'pages', items: pages.filter(mayRun) },
    { value: 'workspaces', items: useWorkspaces() },
    { value: 'theme', items: useThemes() },
  ]
}

/** Actions on the link whose page is shown. */
function useLinkActions(): Offer[] {
  const { id: workspaceId } = useWorkspace()
  const { linkId } = useParams({ strict: false })
  const navigate = useNavigate()
  if (linkId === undefined) return []
  const show = (open: 'edit' | 'qr' | 'explain') => () =>
    void navigate({
      to: '/$workspaceId/links/$linkId',
      params: { workspaceId, linkId },
      search: { open },
    })
  return [
    {
      id: 'edit',
      label: words.editLink,
      note: 'E',
      icon: 'pencil',
      role: 'member',
      run: show('edit'),
    },
    { id: 'qr', label: words.qrOfLink, note: 'Q', icon: 'qr-code', run: show('qr') },
    { id: 'explain', label: words.explainLink, icon: 'split', run: show('explain') },
  ]
}

function useNewBioPage(): Offer {
  const { id: workspaceId } = useWorkspace()
  const navigate = useNavigate()
  return {
    id: 'new-bio-page',
    label: text.bioPages.new_,
    icon: 'smartphone',
    role: 'member',
    run: () =>
      void navigate({
        to: '/$workspaceId/bio-pages',
        params: { workspaceId },
        search: { new: true },
      }),
  }
}

function useActions(showKeys: () => void): Offer[] {
  const { id: workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const newBioPage = useNewBioPage()
  const adminActions = useAdminActions()
  const ownActions = useOwnActions(showKeys)
  const params = { workspaceId }
  const links = (search: { new: true } | { organize: 'folders' | 'tags' }) => () =>
    void navigate({ to: '/$workspaceId/links', params, search })
  return [
    {
      id: 'new',
      label: text.links.newLink,
      note: 'C',
      icon: 'plus',
      role: 'member',
      run: links({ new: true }),
    },
    {
      id: 'new-campaign',
      label: words.newCampaign,
      icon: 'megaphone',
      role: 'member',
      run: () => void navigate({ to: '/$workspaceId/campaigns', params, search: { new: true } }),
    },
    newBioPage,
    {
      id: 'new-dashboard',
      label: text.dashboards.new_,
      icon: 'eye',
      role: 'member',
      run: () => void navigate({ to: '/$workspaceId/dashboards', params, search: { new: true } }),
    },
    {
      id: 'new-report',
      label: text.reports.new_,
      icon: 'file-text',
      role: 'member',
      run: () => void navigate({ to: '/$workspaceId/reports', params, search: { new: true } }),
    },
    {
      id: 'new-template',
      label: words.newTemplate,
      icon: 'file-text',
      role: 'member',
      run: () =>
        void navigate({ to: '/$workspaceId/utm-templates', params, search: { new: true } }),
    },
    {
      id: 'folders',
      label: words.folders,
      icon: 'folder',
      role: 'member',
      run: links({ organize: 'folders' }),
    },
    {
      id: 'tags',
      label: words.tags,
      icon: 'tags',
      role: 'member',
      run: links({ organize: 'tags' }),
    },
    ...adminActions,
    ...ownActions,
  ]
}

function useAdminActions(): Offer[] {
  const { id: workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const params = { workspaceId }
  return [
    {
      id: 'new-endpoint',
      label: words.newEndpoint,
      icon: 'webhook',
      role: 'admin',
      run: () => void navigate({ to: '/$workspaceId/webhooks', params, search: { open: 'new' } }),
    },
    {
      id: 'new-domain',
      label: text.domains.add,
      icon: 'globe',
      role: 'admin',
      run: () => void navigate({ to: '/$workspaceId/domains', params, search: { new: true } }),
    },
    {
      id: 'invite',
      label: words.invite,
      icon: 'user-plus',
      role: 'admin',
      run: () => void navigate({ to: '/$workspaceId/settings/members', params }),
    },
    {
      id: 'new-key',
      label: words.newKey,
      icon: 'key-round',
      role: 'admin',
      run: () => void navigate({ to: '/$workspaceId/settings/api-keys', params }),
    },
  ]
}

/** Actions that need no workspace. */
function useOwnActions(showKeys: () => void): Offer[] {
  const navigate = useNavigate()
  const signOut = useSignOut()
  return [
    {
      id: 'new-workspace',
      label: words.newWorkspace,
      icon: 'building-2',
      run: () => void navigate({ to: '/new-workspace' }),
    },
    { id: 'keys', label: words.keys, note: '?', icon: 'keyboard', run: showKeys },
    { id: 'sign-out', label: words.signOut, icon: 'log-out', run: () => void signOut() },
  ]
}

const SETTINGS = [
  {
    to: '/$workspaceId/settings/workspace',
    label: settingsPages.workspace,
    icon: 'settings',
    role: 'viewer',
  },
  {
    to: '/$workspaceId/settings/members',
    label: settingsPages.members,
    icon: 'users',
    role: 'viewer',
  },
  {
    to: '/$workspaceId/settings/api-keys',
    label: settingsPages.apiKeys,
    icon: 'key-round',
    role: 'admin',
  },
  {
    to: '/$workspaceId/settings/audit-log',
    label: settingsPages.auditLog,
    icon: 'scroll-text',
    role: 'admin',
  },
  {
    to: '/$workspaceId/settings/security-log',
    label: settingsPages.securityLog,
    icon: 'shield',
    role: 'admin',
  },
  {
    to: '/$workspaceId/settings/abuse-reports',
    label: settingsPages.abuseReports,
    icon: 'flag',
    role: 'admin',
  },
  {
    to: '/$workspaceId/settings/billing',
    label: settingsPages.billing,
    icon: 'credit-card',
    role: 'admin',
  },
  {
    to: '/$workspaceId/utm-templates',
    label: text.templates.title,
    icon: 'file-text',
    role: 'viewer',
  },
  { to: '/$workspaceId/links/import', label: words.importLinks, icon: 'upload', role: 'member' },
] as const

const ACCOUNT = [
  { to: '/account', label: words.account, icon: 'user' },
  { to: '/account/security', label: words.security, icon: 'shield-check' },
  { to: '/account/sessions', label: words.sessions, icon: 'monitor' },
  { to: '/account/data', label: words.data, icon: 'download' },
] as const

function usePages(): Offer[] {
  const { id: workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const params = { workspaceId }
  return [
    ...useDestinations().map(({ to, label, icon, key }) => ({
      ...{ id: to, label, icon, note: `G ${key.toUpperCase()}` },
      run: () => void navigate({ to, params }),
    })),
    ...SETTINGS.map(({ to, label, icon, role }) => ({
      ...{ id: to, label, icon, role },
      run: () => void navigate({ to, params }),
    })),
    ...ACCOUNT.map(({ to, label, icon }) => ({
      ...{ id: to, label, icon },
      run: () => void navigate({ to, search: { from: workspaceId } }),
    })),
  ]
}

/** The other workspaces of the user. */
function useWorkspaces(): Command[] {
  const { id: present } = useWorkspace()
  const navigate = useNavigate()
  const workspaces = useQuery(workspacesQuery)
  return (workspaces.data ?? [])
    .filter(({ id }) => id !== present)
    .map(({ id, name, role }) => ({
      ...{ id, label: name, icon: 'building-2' as const, note: text.settings.roles[role] },
      run: () => void navigate({ to: '/$workspaceId', params: { workspaceId: id } }),
    }))
}

const THEME_ICONS = { light: 'sun', dark: 'moon', system: 'monitor' } as const

function useThemes(): Command[] {
  const queryClient = useQueryClient()
  return (['light', 'dark', 'system'] as const).map((theme) => ({
    ...{ id: `theme-${theme}`, label: text.theme[theme], icon: THEME_ICONS[theme] },
    note: text.theme.label,
    run: () => chooseTheme(queryClient, theme),
  }))
}

/** The commands in whose label, or note, each typed word begins a word. */
export function matching(groups: readonly CommandGroup[], typed: string): CommandGroup[] {
  const wanted = fold(typed).split(/\s+/).filter(Boolean)
  const isMeant = ({ label, note = '' }: Command, group: string) => {
    const own = fold(`${label} ${note} ${group}`).split(/[\s,]+/)
    return wanted.every((word) => own.some((each) => each.startsWith(word)))
  }
  return groups.map(({ value, items }) => ({
    value,
    items: items.filter((item) => isMeant(item, words.groups[value])),
  }))
}

function fold(value: string): string {
  return value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
