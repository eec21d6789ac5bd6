export const STATUSES = ['pending', 'processing', 'completed', 'failed', 'dead_letter'] as const

/** Which deliveries the page lists, and the one that is open. */
export type DeliverySearch = {
  endpointId?: string | undefined
  status?: (typeof STATUSES)[number] | undefined
  delivery?: string | undefined
  new?: true | undefined
}

export function readDeliverySearch(search: Record<string, unknown>): DeliverySearch {
  const { endpointId, delivery } = search
  const status = STATUSES.find((each) => each === search.status)
  return {
    ...(typeof endpointId === 'string' ? { endpointId } : {}),
    ...(typeof delivery === 'string' ? { delivery } : {}),
    ...(status ? { status } : {}),
    ...(search.new === true ? { new: true } : {}),
  }
}
