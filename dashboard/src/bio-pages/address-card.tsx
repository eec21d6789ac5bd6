import { useQuery } from '@tanstack/react-query'
import { allDomainsQuery, isServed } from '../api/domains.ts'
import { providersQuery } from '../api/providers.ts'
import { useWorkspace } from '../api/workspace.ts'
import { CheckField, SelectField, TextField } from '../kit/field.tsx'
import { Card } from '../kit/layout.tsx'
import { text } from '../text/bio-pages.ts'
import type { CardProps } from './page-cards.tsx'

/** The host of the page, its slug there, and whether it is what the host itself shows. */
export function AddressCard({ form }: CardProps) {
  const { domainId } = form.draft
  const hosts = useHosts(domainId)
  return (
    <Card title={text.bioPages.place}>
      <div className="flex flex-col gap-4 px-4 pt-3 pb-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={text.bioPages.host}
            value={domainId ?? ''}
            options={hosts}
            onValue={(id) =>
              form.change(id === '' ? { domainId: null, isRoot: false } : { domainId: id })
            }
            error={form.errorAt('domainId')}
          />
          <TextField
            label={text.bioPages.slug}
            hint={text.bioPages.slugHint}
            required
            maxLength={100}
            className="font-mono"
            {...form.field('slug')}
          />
        </div>
        {domainId !== null && (
          <CheckField
            label={text.bioPages.isRoot}
            hint={text.bioPages.isRootHint}
            {...form.field('isRoot')}
          />
        )}
      </div>
    </Card>
  )
}

/** The shared host, which is the empty option, and the domains; until they are read, the one that the page has. */
function useHosts(chosenId: string | null) {
  const { id } = useWorkspace()
  const sharedHost = useQuery(providersQuery).data?.meta.shortDomain ?? location.host
  const domains = useQuery(allDomainsQuery(id)).data ?? []
  const isListed = chosenId === null || domains.some((domain) => domain.id === chosenId)
  return [
    { value: '', label: sharedHost },
    ...domains.map((domain) => ({
      value: domain.id,
      label: isServed(domain) ? domain.hostname : text.bioPages.opensLater(domain.hostname),
    })),
    ...(isListed ? [] : [{ value: chosenId, label: text.bioPages.itsDomain }]),
  ]
}
