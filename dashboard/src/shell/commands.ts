import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { hasRole, sessionQuery, workspacesQuery, type Role } from '../api/session.ts'
import { useWorkspace } from '../api/workspace.ts'
import type { IconName } from '../kit/icon.tsx'
import { ACCOUNT_PAGES, DESTINATIONS, SETTINGS_PAGES, useReadable } from '../kit/navigation.ts'
import { chooseTheme } from '../kit/preferences.ts'
import { text } from '../text/shell.ts'
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
  role: Role
}

/** Entries of the palette that need no request: actions, pages, workspaces and themes, by role. */
export function useCommands(showKeys: () => void): CommandGroup[] {
  const { role } = useWorkspace()
  const actions = [...useLinkActions(), ...useActions(), ...useAdminActions()]
  const mayRun = ({ role: needed }: Offer) => hasRole(role, needed)
  return [
    { value: 'actions', items: [...actions.filter(mayRun), ...useOwnActions(showKeys)] },
    { value: 'pages', items: usePages() },
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
  const offer = (
    open: 'edit' | 'qr' | 'explain',
    label: string,
    icon: IconName,
    role: Role,
    note?: string,
  ): Offer => ({
    ...{ id: open, label, icon, role, note },
    run: () =>
      void navigate({
        to: '/$workspaceId/links/$linkId',
        params: { workspaceId, linkId },
        search: { open },
      }),
  })
  return [
    offer('edit', text.palette.editLink, 'pencil', 'member', 'E'),
    offer('qr', text.palette.qrOfLink, 'qr-code', 'viewer', 'Q'),
    offer('explain', text.palette.explainLink, 'split', 'viewer'),
  ]
}

/** Pages that open a drawer for something new. */
type NewPage = 'links' | 'campaigns' | 'bio-pages' | 'dashboards' | 'reports' | 'utm-templates'

function useActions(): Offer[] {
  const { id: workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const params = { workspaceId }
  const make = (page: NewPage, label: string, icon: IconName, note?: string): Offer => ({
    ...{ id: `new ${page}`, label, icon, role: 'member', note },
    run: () => void navigate({ to: `/$workspaceId/${page}`, params, search: { new: true } }),
  })
  const organize = (kind: 'folders' | 'tags', label: string, icon: IconName): Offer => ({
    ...{ id: kind, label, icon, role: 'member' },
    run: () => void navigate({ to: '/$workspaceId/links', params, search: { organize: kind } }),
  })
  return [
    make('links', text.names.newLink, 'plus', 'C'),
    make('campaigns', text.palette.newCampaign, 'megaphone'),
    make('bio-pages', text.palette.newBioPage, 'smartphone'),
    make('dashboards', text.palette.newDashboard, 'eye'),
    make('reports', text.palette.newReport, 'file-text'),
    make('utm-templates', text.palette.newTemplate, 'file-text'),
    organize('folders', text.palette.folders, 'folder'),
    organize('tags', text.palette.tags, 'tags'),
  ]
}

function useAdminActions(): Offer[] {
  const { id: workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const params = { workspaceId }
  const offer = (label: string, icon: IconName, run: () => unknown): Offer => ({
    ...{ id: label, label, icon, role: 'admin' },
    run: () => void run(),
  })
  return [
    offer(text.palette.newEndpoint, 'webhook', () =>
      navigate({ to: '/$workspaceId/webhooks', params, search: { open: 'new' } }),
    ),
    offer(text.palette.addDomain, 'globe', () =>
      navigate({ to: '/$workspaceId/domains', params, search: { new: true } }),
    ),
    offer(text.palette.invite, 'user-plus', () =>
      navigate({ to: '/$workspaceId/settings/members', params }),
    ),
    offer(text.palette.newKey, 'key-round', () =>
      navigate({ to: '/$workspaceId/settings/api-keys', params }),
    ),
  ]
}

/** Actions that need no workspace. */
function useOwnActions(showKeys: () => void): Command[] {
  const navigate = useNavigate()
  const signOut = useSignOut()
  return [
    {
      id: 'new-workspace',
      label: text.palette.newWorkspace,
      icon: 'building-2',
      run: () => void navigate({ to: '/new-workspace' }),
    },
    { id: 'keys', label: text.palette.keys, note: '?', icon: 'keyboard', run: showKeys },
    { id: 'sign-out', label: text.palette.signOut, icon: 'log-out', run: () => void signOut() },
  ]
}

/** Pages that belong to another one of the navigation. */
const OTHER_PAGES = [
  { to: '/$workspaceId/alerts', label: () => text.nav.alerts, icon: 'bell' },
  { to: '/$workspaceId/utm-templates', label: () => text.palette.templates, icon: 'file-text' },
  {
    to: '/$workspaceId/links/import',
    label: () => text.palette.importLinks,
    icon: 'upload',
    role: 'member',
  },
] as const

function usePages(): Command[] {
  const { id: workspaceId } = useWorkspace()
  const session = useQuery(sessionQuery)
  const navigate = useNavigate()
  const params = { workspaceId }
  const pages = useReadable([...DESTINATIONS, ...SETTINGS_PAGES, ...OTHER_PAGES])
  return [
    ...pages.map((page) => ({
      ...{ id: page.to, label: page.label(), icon: page.icon },
      note: 'key' in page ? `G ${page.key.toUpperCase()}` : undefined,
      run: () => void navigate({ to: page.to, params }),
    })),
    ...ACCOUNT_PAGES.map(({ to, name, icon }) => ({
      ...{ id: to, label: text.palette.account[name], icon },
      run: () => void navigate({ to, search: { from: workspaceId } }),
    })),
    ...(session.data?.isOperator
      ? [
          {
            ...{ id: '/server', label: text.nav.server, icon: 'monitor-cog' as const },
            run: () => void navigate({ to: '/server', search: { from: workspaceId } }),
          },
        ]
      : []),
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
      ...{ id, label: name, icon: 'building-2' as const, note: text.names.roles[role] },
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
    items: items.filter((item) => isMeant(item, text.palette.groups[value])),
  }))
}

function fold(value: string): string {
  return value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
