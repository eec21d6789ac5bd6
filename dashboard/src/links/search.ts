import { COLUMNS, DEFAULT_COLUMNS, type Column } from './columns.ts'
import { readFigureSearch, type FigureSearch } from '../figures/search.ts'

const SORTS = ['createdAt', 'clicks', 'lastClickedAt', 'name', 'periodClicks'] as const
const STATUSES = ['active', 'paused', 'archived', 'expired', 'blocked'] as const
const GROUP_KINDS = ['folders', 'tags'] as const

export type LinkSort = (typeof SORTS)[number]
export type GroupKind = (typeof GROUP_KINDS)[number]

/** Filters of the list of links, and the popup over it. */
export type LinksSearch = {
  q?: string | undefined
  tag?: string | undefined
  folderId?: string | undefined
  campaignId?: string | undefined
  domainId?: string | undefined
  /** A host in place of `domainId`: the shared one, which has no id. */
  domain?: string | undefined
  status?: (typeof STATUSES)[number] | undefined
  /** Archived links as well. */
  archived?: true | undefined
  sort?: LinkSort | undefined
  /** Columns of the list in the place of the default ones: status,tags. */
  columns?: string | undefined
  /** The drawer for a new link, with its destination in `url`. */
  new?: true | undefined
  url?: string | undefined
  /** The drawer of a link, by its id. */
  edit?: string | undefined
  /** The drawer of folders or tags. */
  organize?: GroupKind | undefined
}

/** Reads the search of an address; what it does not know is left out. */
export function readLinksSearch(search: Record<string, unknown>): LinksSearch {
  const textOf = (key: string) => {
    const value = search[key]
    if (typeof value === 'number') return String(value)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const read: LinksSearch = {
    q: textOf('q'),
    tag: textOf('tag'),
    folderId: textOf('folderId'),
    campaignId: textOf('campaignId'),
    domainId: textOf('domainId'),
    domain: textOf('domain'),
    status: STATUSES.find((each) => each === search.status),
    archived: search.archived === true ? true : undefined,
    sort: SORTS.find((each) => each === search.sort),
    columns: typeof search.columns === 'string' ? search.columns : undefined,
    new: search.new === true ? true : undefined,
    url: textOf('url'),
    edit: textOf('edit'),
    organize: GROUP_KINDS.find((each) => each === search.organize),
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}

/** The filters of a list as the API takes them: for the list, its export, and changes of all its links. */
export function toFilter({
  q,
  tag,
  folderId,
  campaignId,
  domainId,
  domain,
  status,
  archived,
}: LinksSearch) {
  return {
    ...(q ? { search: q } : {}),
    ...(tag ? { tag } : {}),
    ...(folderId ? { folderId } : {}),
    ...(campaignId ? { campaignId } : {}),
    ...(domainId ? { domainId } : {}),
    ...(domain ? { domain } : {}),
    ...(status ? { status } : {}),
    ...(archived ? { includeArchived: true } : {}),
  }
}
export type LinkFilter = ReturnType<typeof toFilter>

export function columnsOf({ columns }: LinksSearch): readonly Column[] {
  if (columns === undefined) return DEFAULT_COLUMNS
  const named = columns.split(',')
  return COLUMNS.filter((column) => named.includes(column))
}

export function isFiltered(search: LinksSearch): boolean {
  return Object.keys(toFilter(search)).length > 0
}

const OPENED = ['edit', 'qr', 'explain'] as const
export type Opened = (typeof OPENED)[number]

/** Filters of the figures of a link, and the popup over its page. */
export type LinkSearch = FigureSearch & { open?: Opened | undefined }

export function readLinkSearch(search: Record<string, unknown>): LinkSearch {
  const open = OPENED.find((each) => each === search.open)
  return { ...readFigureSearch(search), ...(open ? { open } : {}) }
}
