/** `new` opens the drawer for a new dashboard, of the link, campaign or folder that the address names. */
export type DashboardsSearch = {
  new?: true | undefined
  linkId?: string | undefined
  campaignId?: string | undefined
  folderId?: string | undefined
}

const TARGET_FIELDS = ['linkId', 'campaignId', 'folderId'] as const

export function readDashboardsSearch(search: Record<string, unknown>): DashboardsSearch {
  if (search.new !== true) return {}
  const target = TARGET_FIELDS.find((field) => typeof search[field] === 'string')
  return { new: true, ...(target && { [target]: search[target] }) }
}
