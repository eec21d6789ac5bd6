import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { api, ask } from '../api/client.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { Icon, type IconName } from '../kit/icon.tsx'
import { text } from '../text/en.ts'
import { DESTINATIONS } from './destinations.ts'
import { setTheme } from '../kit/theme.ts'

type Command = { id: string; label: string; note: string; icon: IconName; run: () => void }

const FOUND_LINKS = 8

/** One field for every page, every action and every link of the workspace. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  const commands = useCommands()
  const links = useFoundLinks(q)
  const known = commands.filter(({ label }) => label.toLowerCase().includes(q.toLowerCase()))
  const items = [...known, ...links]
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 bg-black/45" />
        <Dialog.Popup
          aria-label={text.nav.find}
          className="fixed top-[12vh] left-1/2 z-20 w-[calc(100%-32px)] max-w-lg -translate-x-1/2 rounded bg-card shadow-popup"
        >
          <Autocomplete.Root
            inline
            open
            autoHighlight="always"
            mode="none"
            items={items}
            value={typed}
            onValueChange={setTyped}
            itemToStringValue={({ label }: Command) => label}
          >
            <Autocomplete.Input
              autoFocus
              placeholder={text.palette.placeholder}
              aria-label={text.palette.placeholder}
              className="min-h-12 w-full border-b border-line bg-transparent px-4 text-base outline-none"
            />
            <Autocomplete.Empty className="px-4 text-sm text-soft empty:hidden not-empty:py-4">
              {text.palette.nothing}
            </Autocomplete.Empty>
            <Autocomplete.List className="max-h-[50vh] overflow-y-auto py-1 empty:hidden">
              {(command: Command) => (
                <Autocomplete.Item
                  key={command.id}
                  value={command}
                  className="flex min-h-10 items-center gap-3 px-4 text-sm select-none data-[highlighted]:bg-sunk"
                  onClick={() => {
                    onClose()
                    command.run()
                  }}
                >
                  <Icon name={command.icon} className="text-soft" />
                  <span className="truncate">{command.label}</span>
                  <span className="ml-auto truncate text-xs text-soft">{command.note}</span>
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function useCommands(): Command[] {
  const { id: workspaceId } = useWorkspace()
  const mayWrite = useMay('member')
  const navigate = useNavigate()
  const pages = DESTINATIONS.map(({ to, label, icon, key }) => ({
    id: to,
    label,
    note: `G ${key.toUpperCase()}`,
    icon,
    run: () => void navigate({ to, params: { workspaceId } }),
  }))
  const newLink: Command = {
    id: 'new-link',
    label: text.links.newLink,
    note: 'C',
    icon: 'plus',
    run: () =>
      void navigate({ to: '/$workspaceId/links', params: { workspaceId }, search: { new: true } }),
  }
  const themes = (['light', 'dark', 'system'] as const).map((theme) => ({
    id: `theme-${theme}`,
    label: text.theme[theme],
    note: text.theme.label,
    icon: theme === 'light' ? ('sun' as const) : theme === 'dark' ? 'moon' : 'monitor',
    run: () => setTheme(theme),
  })) satisfies Command[]
  return [...(mayWrite ? [newLink] : []), ...pages, ...themes]
}

function useFoundLinks(q: string): Command[] {
  const { id: workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const found = useQuery({
    queryKey: [workspaceId, 'palette', q],
    queryFn: ({ signal }) =>
      ask(api.GET('/links', { params: { query: { search: q, limit: FOUND_LINKS } }, signal })).then(
        ({ data }) => data,
      ),
    enabled: q.length > 0,
    placeholderData: (previous) => previous,
  })
  if (q === '') return []
  return (found.data ?? []).map(({ id, name, shortUrl }) => ({
    id,
    label: name,
    note: shortUrl.replace(/^https?:\/\//, ''),
    icon: 'link' as const,
    run: () =>
      void navigate({ to: '/$workspaceId/links/$linkId', params: { workspaceId, linkId: id } }),
  }))
}
