export const STATUSES = ['pending', 'verified', 'misconfigured', 'failed'] as const

/** What the list of domains shows; `new` opens the drawer for a new one. */
export type DomainsSearch = {
  q?: string | undefined
  status?: (typeof STATUSES)[number] | undefined
  new?: true | undefined
}

export function readDomainsSearch(search: Record<string, unknown>): DomainsSearch {
  const status = STATUSES.find((each) => each === search.status)
  const q = typeof search.q === 'number' ? String(search.q) : search.q
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...(status ? { status } : {}),
    ...(search.new === true ? { new: true } : {}),
  }
}

const DOMAIN_POPUPS = ['edit', 'delete'] as const
export type DomainPopup = (typeof DOMAIN_POPUPS)[number]

/** What is open over the page of a domain. */
export type DomainSearch = { open?: DomainPopup | undefined }

export function readDomainSearch({ open }: Record<string, unknown>): DomainSearch {
  const popup = DOMAIN_POPUPS.find((each) => each === open)
  return popup ? { open: popup } : {}
}
