import { useQuery } from '@tanstack/react-query'
import { allDomainsQuery, isServed } from '../api/domains.ts'
import { providersQuery } from '../api/providers.ts'
import { useWorkspace } from '../api/workspace.ts'
import { text } from '../text/link-page.ts'

export type HostOption = { value: string; label: string }

/** The hosts of which a link has one. */
export type Hosts = {
  /** That of a new link which names none. */
  defaultHost: string
  /** The shared host, then the domains of the workspace; empty until they are read. */
  options: readonly HostOption[]
}

/** @param isNew whether the empty option stands for the default host, as for a link that is created */
export function useHosts(isNew: boolean): Hosts {
  const { id } = useWorkspace()
  const providers = useQuery(providersQuery).data
  const domains = useQuery(allDomainsQuery(id)).data
  const sharedHost = providers?.meta.shortDomain ?? location.host
  const defaultHost = domains?.find(({ isDefault }) => isDefault)?.hostname ?? sharedHost
  if (!providers || !domains) return { defaultHost, options: [] }
  const options = [
    { value: sharedHost, label: sharedHost },
    ...domains.map((domain) => ({
      value: domain.hostname,
      label: isServed(domain) ? domain.hostname : text.links.opensLater(domain.hostname),
    })),
  ]
  const isEmpty = ({ value }: HostOption) => isNew && value === defaultHost
  return {
    defaultHost,
    options: options.map((option) => (isEmpty(option) ? { ...option, value: '' } : option)),
  }
}
