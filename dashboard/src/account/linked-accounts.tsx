import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ask, auth, dataOf } from '../api/client.ts'
import { providersQuery } from '../api/providers.ts'
import { Button } from '../kit/button.tsx'
import { Confirm } from '../kit/confirm.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { RelativeTime } from '../kit/time.tsx'
import { useAction } from '../kit/use-action.ts'
import { text } from '../text/account.ts'
import { linkedAccountsQuery } from './queries.ts'
import { Section } from './section.tsx'

/** Accounts at providers that sign in to this one. Absent without providers and links. */
export function LinkedAccounts() {
  const providers = useQuery(providersQuery)
  const linked = useQuery(linkedAccountsQuery)
  const [unlinking, setUnlinking] = useState<{ id: string; name: string } | null>(null)
  const link = useAction(
    (provider: string) =>
      dataOf(
        auth.POST('/auth/link/{provider}', {
          params: { path: { provider }, query: { redirect: '/app/account/security' } },
        }),
      ),
    { showsErrors: true, onDone: ({ url }) => location.assign(url) },
  )
  const known = providers.data?.data ?? []
  const rows = linked.data ?? []
  if (known.length === 0 && rows.length === 0) return null
  const nameOf = (id: string) => known.find((each) => each.id === id)?.name ?? id
  const free = known.filter(({ id }) => rows.every(({ provider }) => provider !== id))
  return (
    <Section title={text.account.linked} note={text.account.linkedNote}>
      <ErrorNote error={linked.error ?? link.error} />
      {rows.length > 0 && (
        <ul className="divide-y divide-line rounded border border-line">
          {rows.map(({ id, provider, email, lastUsedAt }) => (
            <li key={id} className="flex items-center gap-2 py-1 pe-1 ps-3 text-sm">
              <span className="min-w-0 flex-1">
                <b className="block truncate font-semibold">{nameOf(provider)}</b>
                <span className="block truncate text-xs text-soft">
                  {email} {text.account.used} <RelativeTime at={lastUsedAt} />
                </span>
              </span>
              <Button look="quiet" onClick={() => setUnlinking({ id, name: nameOf(provider) })}>
                {text.account.unlink}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2 empty:hidden">
        {free.map(({ id, name }) => (
          <Button
            key={id}
            icon="plus"
            isBusy={link.isPending && link.variables === id}
            onClick={() => link.mutate(id)}
          >
            {text.account.link(name)}
          </Button>
        ))}
      </div>
      {unlinking && (
        <Confirm
          title={text.account.unlinkTitle(unlinking.name)}
          action={text.account.unlink}
          onClose={() => setUnlinking(null)}
          refreshes={[linkedAccountsQuery.queryKey]}
          onConfirm={() =>
            ask(auth.DELETE('/auth/accounts/{id}', { params: { path: { id: unlinking.id } } }))
          }
        >
          {text.account.unlinkExplain}
        </Confirm>
      )}
    </Section>
  )
}
