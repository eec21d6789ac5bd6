import { useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { AuthSchemas } from '../api/client.ts'
import { Menu, MenuItem, MenuLine } from '../kit/menu.tsx'
import { chooseTheme } from '../kit/preferences.ts'
import { text } from '../text/shell.ts'
import { useSignOut } from './use-sign-out.ts'

/** The user, their theme and the way out. */
export function AccountMenu({
  session: { user, isOperator },
  zone,
}: {
  session: AuthSchemas['SignedIn']
  zone: string
}) {
  const { workspaceId } = useParams({ strict: false })
  const queryClient = useQueryClient()
  const signOut = useSignOut()
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="flex min-h-11 items-center gap-2 rounded px-2 text-start hover:bg-sunk"
        >
          <span
            aria-hidden="true"
            className="inline-flex size-7 items-center justify-center rounded bg-sunk text-xs font-semibold"
          >
            {initials(user.name)}
          </span>
          <span className="min-w-0">
            <span className="block truncate text-sm font-semibold">{user.name}</span>
            <span className="block truncate text-xs text-soft">{zone}</span>
            <span className="sr-only">{text.nav.account}</span>
          </span>
        </button>
      }
    >
      <MenuItem
        icon="user"
        render={<Link to="/account" search={workspaceId ? { from: workspaceId } : {}} />}
      >
        {text.nav.accountPages}
      </MenuItem>
      {isOperator && (
        <MenuItem
          icon="monitor-cog"
          render={<Link to="/server" search={workspaceId ? { from: workspaceId } : {}} />}
        >
          {text.nav.server}
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem icon="sun" onSelect={() => chooseTheme(queryClient, 'light')}>
        {text.theme.light}
      </MenuItem>
      <MenuItem icon="moon" onSelect={() => chooseTheme(queryClient, 'dark')}>
        {text.theme.dark}
      </MenuItem>
      <MenuItem icon="monitor" onSelect={() => chooseTheme(queryClient, 'system')}>
        {text.theme.system}
      </MenuItem>
      <MenuLine />
      <MenuItem icon="log-out" onSelect={() => void signOut()}>
        {text.nav.signOut}
      </MenuItem>
    </Menu>
  )
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .flatMap((word) => (word ? [Array.from(word)[0]!.toUpperCase()] : []))
    .join('')
}
