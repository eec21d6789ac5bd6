import type { Schemas } from '../api/client.ts'
import { formatDateTime } from '../kit/format.ts'
import { splitList } from '../kit/lists.ts'
import { fromLocalTime } from '../kit/local-time.ts'
import { UTM_FIELDS, utmDraftOf, type UtmDraft } from '../kit/utm-fields.tsx'
import { text } from '../text/links.ts'
import type { Link } from './queries.ts'

/** `keep` leaves a field of each link as it is, `clear` empties it. */
type Mode = 'keep' | 'set' | 'clear'

export type BulkDraft = UtmDraft & {
  tagMode: 'change' | 'replace'
  /** Tags to add, or all tags, as a text with commas. */
  tags: string
  removeTags: string
  folderMode: Mode
  folderId: string
  campaignMode: Mode
  campaignId: string
  utmMode: Mode
  expiryMode: Mode
  expiresAt: string
  status: 'keep' | 'active' | 'paused' | 'archived'
}

export const EMPTY_BULK: BulkDraft = {
  tagMode: 'change',
  tags: '',
  removeTags: '',
  folderMode: 'keep',
  folderId: '',
  campaignMode: 'keep',
  campaignId: '',
  utmMode: 'keep',
  expiryMode: 'keep',
  expiresAt: '',
  status: 'keep',
  ...utmDraftOf(null),
}

type Change = Schemas['UpdateEachLink']

/** The fields of a draft that change, as the API takes them. */
export function toChange(draft: BulkDraft): Change {
  const { tagMode, status, utmMode } = draft
  const [tags, removeTags] = [splitList(draft.tags), splitList(draft.removeTags)]
  const utm = UTM_FIELDS.flatMap((field): [string, string | null][] => {
    const value = draft[field].trim()
    if (utmMode === 'clear') return [[field, null]]
    return utmMode === 'set' && value !== '' ? [[field, value]] : []
  })
  return {
    ...(tagMode === 'replace' && { tags }),
    ...(tagMode === 'change' && tags.length > 0 && { addTags: tags }),
    ...(tagMode === 'change' && removeTags.length > 0 && { removeTags }),
    ...valueOf('folderId', draft.folderMode, draft.folderId),
    ...valueOf('campaignId', draft.campaignMode, draft.campaignId),
    ...valueOf('expiresAt', draft.expiryMode, fromLocalTime(draft.expiresAt) ?? ''),
    ...(Object.fromEntries(utm) as Change),
    ...(status !== 'keep' && { status }),
  }
}

function valueOf(field: 'folderId' | 'campaignId' | 'expiresAt', mode: Mode, value: string) {
  if (mode === 'keep' || (mode === 'set' && value === '')) return {}
  return { [field]: mode === 'clear' ? null : value }
}

/** Names of the groups that a preview shows. */
export type GroupNames = {
  folders?: readonly { id: string; name: string }[] | undefined
  campaigns?: readonly { id: string; name: string }[] | undefined
}

/** A field of the links with what it becomes. */
export type Step = {
  field: string
  label: string
  of: (link: Link) => string
  after: (link: Link) => string
}

/** What the change does, field by field, for a preview. */
export function toSteps(draft: BulkDraft, { folders = [], campaigns = [] }: GroupNames): Step[] {
  const change = toChange(draft)
  const names = new Map([...folders, ...campaigns].map(({ id, name }) => [id, name]))
  const show = (value: unknown): string => {
    if (Array.isArray(value)) return value.length === 0 ? text.links.none : value.join(', ')
    if (typeof value !== 'string' || value === '') return text.links.none
    return names.get(value) ?? value
  }
  const showTime = (value: string | null | undefined) =>
    value ? formatDateTime(value) : text.links.none
  const steps: Step[] = []
  if (change.tags ?? change.addTags ?? change.removeTags)
    steps.push({
      ...{ field: 'tags', label: text.links.tags },
      of: ({ tags }) => show(tags),
      after: ({ tags }) => show(toTags(tags, change)),
    })
  for (const field of ['folderId', 'campaignId'] as const)
    if (change[field] !== undefined)
      steps.push({
        field,
        label: field === 'folderId' ? text.links.folder : text.links.campaign,
        of: (link) => show(link[field]),
        after: () => show(change[field]),
      })
  for (const field of UTM_FIELDS)
    if (change[field] !== undefined)
      steps.push({
        field,
        label: text.linkHistory.fields[field] ?? field,
        of: (link) => show(link[field]),
        after: () => show(change[field]),
      })
  if (change.expiresAt !== undefined)
    steps.push({
      ...{ field: 'expiresAt', label: text.links.expiresAt },
      of: ({ expiresAt }) => showTime(expiresAt),
      after: () => showTime(change.expiresAt),
    })
  if (change.status !== undefined)
    steps.push({
      ...{ field: 'status', label: text.links.status },
      of: ({ status }) => text.links.statuses[status],
      after: () => text.links.statuses[change.status as Link['status']],
    })
  return steps
}

function toTags(tags: readonly string[], { tags: all, addTags = [], removeTags = [] }: Change) {
  if (all) return all
  return [...new Set([...tags.filter((tag) => !removeTags.includes(tag)), ...addTags])]
}
