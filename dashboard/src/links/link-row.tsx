import type { MouseEvent as ReactMouseEvent, ReactNode } from 'react'
import { IconButton } from '../kit/button.tsx'
import { CopyIcon } from '../kit/copy-button.tsx'
import { formatCompact, formatMinorUnits } from '../kit/format.ts'
import { RelativeTime } from '../kit/time.tsx'
import { withoutScheme } from '../kit/url.ts'
import { text } from '../text/links.ts'
import { cellClass, ROW_GRID, type Column } from './columns.ts'
import { LinkBadges } from './link-badges.tsx'
import { LinkIcon } from './link-icon.tsx'
import { LinkStatus } from './link-status.tsx'
import { LIST_DAYS, type Link } from './queries.ts'

/** Targets of the links of a row: as addresses, and within the page. */
export type RowLinks = {
  toPage: (linkId: string) => string
  toTag: (tag: string) => string
  open: (linkId: string) => void
  filterByTag: (tag: string) => void
  /** Opens the menu of a link at its button. */
  openMenu: (link: Link, at: HTMLElement) => void
}

type Props = {
  link: Link
  links: RowLinks
  columns: readonly Column[]
  /** Null: this user may not select. */
  isSelected: boolean | null
  onSelect: (isRange: boolean) => void
}

/**
 * A link of the list in two lines. It has plain anchors and one menu for all rows: a long list of router links takes
 * most of its time to draw them.
 */
export function LinkRow({ link, links, columns, isSelected, onSelect }: Props) {
  return (
    <div className={`${ROW_GRID} h-full`}>
      {isSelected === null ? (
        <span />
      ) : (
        <SelectBox slug={link.slug} isSelected={isSelected} onSelect={onSelect} />
      )}
      <div className="flex min-w-0 flex-col gap-0.5">
        <ShortLink link={link} links={links} />
        <span className="flex min-w-0 items-center gap-1.5 text-soft" title={link.destinationUrl}>
          {link.status !== 'active' && (
            <span className="md:hidden">
              <LinkStatus status={link.status} />
            </span>
          )}
          <LinkIcon destinationUrl={link.destinationUrl} />
          <span className="truncate">{withoutScheme(link.destinationUrl)}</span>
        </span>
      </div>
      <span className="text-end font-semibold md:hidden" title={text.links.clicksOf(LIST_DAYS)}>
        {formatCompact(link.periodClicks ?? link.clicks)}
      </span>
      {columns.map((column) => (
        <span key={column} className={`min-w-0 ${cellClass(column)}`}>
          {CELLS[column](link, links)}
        </span>
      ))}
      <span className="flex justify-end">
        <span className="max-md:hidden">
          <CopyIcon value={link.shortUrl} label={text.links.copyUrl(link.slug)} />
        </span>
        <IconButton
          icon="ellipsis"
          label={text.linkList.menuOf(link.slug)}
          aria-haspopup="menu"
          onClick={(event) => links.openMenu(link, event.currentTarget)}
        />
      </span>
    </div>
  )
}

/** The host gives way first, then the name; the slug last. */
function ShortLink({ link, links }: Pick<Props, 'link' | 'links'>) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <a
        href={links.toPage(link.id)}
        onClick={(event) => follow(event, () => links.open(link.id))}
        className="flex shrink-[1000] font-mono no-underline"
        // The width of the slug: all characters of this font have the same.
        style={{ minWidth: `min(75%, ${link.slug.length + 1}ch)` }}
        title={link.shortUrl}
      >
        <span className="min-w-0 shrink-[1000] truncate text-soft max-md:hidden">
          {link.domain}
        </span>
        <span className="text-soft">/</span>
        <b className="min-w-0 truncate font-semibold">{link.slug}</b>
      </a>
      <LinkBadges link={link} />
      <span className="min-w-0 truncate" title={link.name}>
        {link.name}
      </span>
    </span>
  )
}

const CELLS: Record<Column, (link: Link, links: RowLinks) => ReactNode> = {
  status: ({ status }) => (
    <span className="flex">
      <LinkStatus status={status} />
    </span>
  ),
  tags: ({ tags }, links) => <Tags tags={tags} links={links} />,
  periodClicks: ({ periodClicks, clicks }) => (
    <Clicks count={periodClicks ?? clicks} title={text.links.clicksOf(LIST_DAYS)} />
  ),
  clicks: ({ clicks }) => <Clicks count={clicks} />,
  conversions: (link) => <Earned link={link} />,
  lastClickedAt: ({ lastClickedAt }) => (
    <span className="block truncate text-soft">
      {lastClickedAt ? <RelativeTime at={lastClickedAt} /> : text.links.neverClicked}
    </span>
  ),
  createdAt: ({ createdAt }) => (
    <span className="block truncate text-soft">
      <RelativeTime at={createdAt} />
    </span>
  ),
}

function Clicks({ count, title }: { count: number; title?: string }) {
  return (
    <span className="block text-end font-semibold" title={title}>
      {formatCompact(count)}
    </span>
  )
}

const SHOWN_TAGS = 2

function Tags({ tags, links }: { tags: readonly string[]; links: RowLinks }) {
  const hidden = tags.slice(SHOWN_TAGS)
  return (
    <span className="flex items-center gap-1 overflow-hidden">
      {tags.slice(0, SHOWN_TAGS).map((tag) => (
        <a
          key={tag}
          href={links.toTag(tag)}
          onClick={(event) => follow(event, () => links.filterByTag(tag))}
          className="truncate rounded-sm border border-line px-1.5 text-xs text-ink no-underline"
        >
          {tag}
        </a>
      ))}
      {hidden.length > 0 && (
        <span className="text-xs text-soft" title={hidden.join(', ')}>
          +{hidden.length}
        </span>
      )}
    </span>
  )
}

/** The currency in which a list sums up values; the page of conversions has all of them. */
const CURRENCY = 'usd'

/** Conversions of the period of the clicks, and their value. */
function Earned({ link: { periodConversions = 0, periodValue = 0 } }: Pick<Props, 'link'>) {
  return (
    <span
      className="block truncate text-end text-soft"
      title={text.linkList.conversionsOf(periodConversions, LIST_DAYS)}
    >
      {periodValue !== 0 && (
        <span className="me-1.5">{formatMinorUnits(periodValue, CURRENCY)}</span>
      )}{' '}
      <b className={periodConversions > 0 ? 'font-semibold text-ink' : 'font-normal'}>
        {formatCompact(periodConversions)}
      </b>
    </span>
  )
}

/** Stays within the page, except where the browser opens a link elsewhere: in a new tab or window, or as a file. */
function follow(event: ReactMouseEvent, go: () => void): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  go()
}

/** The box is the middle of a target of 44 px on a phone. */
function SelectBox({
  slug,
  isSelected,
  onSelect,
}: {
  slug: string
  isSelected: boolean
  onSelect: (isRange: boolean) => void
}) {
  return (
    <label className="flex h-full items-center justify-center">
      <input
        type="checkbox"
        className="size-4 accent-lake"
        aria-label={text.linkList.select(slug)}
        checked={isSelected}
        onChange={(event) => onSelect((event.nativeEvent as MouseEvent).shiftKey)}
      />
    </label>
  )
}
