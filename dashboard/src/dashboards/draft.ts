import type { Dashboard } from './queries.ts'
import type { DashboardsSearch } from './search.ts'

export type Kind = 'workspace' | 'linkId' | 'campaignId' | 'folderId'

/** The fields of the drawer as the user sees them. */
export type Draft = {
  title: string
  kind: Kind
  targetId: string
  days: string
  hasPassword: boolean
  /** Empty: the present one stays. */
  password: string
  showConversions: boolean
  currency: string
  doIndex: boolean
}

export const DAYS = ['7', '30', '90', '365'] as const

export function draftOf(dashboard: Dashboard | null, target: DashboardsSearch): Draft {
  const shown = dashboard ?? target
  const [kind, targetId] = kindOf(shown)
  return {
    title: dashboard?.title ?? '',
    kind,
    targetId,
    days: String(dashboard?.days ?? 30),
    hasPassword: dashboard?.hasPassword ?? false,
    password: '',
    showConversions: dashboard?.showConversions ?? false,
    currency: dashboard?.currency.toUpperCase() ?? 'USD',
    doIndex: dashboard?.doIndex ?? false,
  }
}

type Shown = Partial<Record<Exclude<Kind, 'workspace'>, string | null | undefined>>

function kindOf({ linkId, campaignId, folderId }: Shown): [Kind, string] {
  if (linkId) return ['linkId', linkId]
  if (campaignId) return ['campaignId', campaignId]
  return folderId ? ['folderId', folderId] : ['workspace', '']
}

/** The body of the request. */
export function toBody({ kind, targetId, hasPassword, password, ...draft }: Draft) {
  const idOf = (each: Kind) => (each === kind ? targetId : null)
  return {
    title: draft.title.trim(),
    days: Number(draft.days),
    showConversions: draft.showConversions,
    currency: draft.currency.trim(),
    doIndex: draft.doIndex,
    linkId: idOf('linkId'),
    campaignId: idOf('campaignId'),
    folderId: idOf('folderId'),
    ...(!hasPassword && { password: null }),
    ...(hasPassword && password !== '' && { password }),
  }
}
