import { readListSearch, type ListSearch } from '../kit/list-search.ts'

export const STATUSES = ['pending', 'verified', 'misconfigured', 'failed'] as const

export type DomainsSearch = ListSearch<(typeof STATUSES)[number]>

export const readDomainsSearch = (search: Record<string, unknown>): DomainsSearch =>
  readListSearch(search, STATUSES)

const DOMAIN_POPUPS = ['edit', 'delete'] as const
export type DomainPopup = (typeof DOMAIN_POPUPS)[number]

/** The popup over the page of a domain. */
export type DomainSearch = { open?: DomainPopup | undefined }

export function readDomainSearch({ open }: Record<string, unknown>): DomainSearch {
  const popup = DOMAIN_POPUPS.find((each) => each === open)
  return popup ? { open: popup } : {}
}
