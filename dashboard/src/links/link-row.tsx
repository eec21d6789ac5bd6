import type { MouseEvent as ReactMouseEvent } from 'react'
import { CopyIcon } from '../kit/copy-button.tsx'
import { formatCompact, formatMinorUnits } from '../kit/format.ts'
import { RelativeTime } from '../kit/time.tsx'
import { withoutScheme } from '../kit/url.ts'
import { text } from '../text/links.ts'
import { LinkStatus } from './link-status.tsx'
import { LIST_DAYS, type Link } from './queries.ts'

/** The columns of a list of links; on a phone they are two lines. */
const ROW_GRID =
  'grid grid-cols-[44px_minmax(0,1fr)_auto] items-center gap-x-3 pe-4 ps-2 text-sm md:grid-cols-[28px_minmax(0,5fr)_minmax(0,6fr)_minmax(0,4fr)_70px_96px_40px]'

/** The same with a column for what the clicks earned, where a wide screen has room for it. */
const ROW_GRID_EARNED = `${ROW_GRID} xl:grid-cols-[28px_minmax(0,5fr)_minmax(0,6fr)_minmax(0,4fr)_70px_130px_96px_40px]`

export function toRowGrid(hasConversions: boolean): string {
  return hasConversions ? ROW_GRID_EARNED : ROW_GRID
}

/** Targets of the links of a row: as addresses, and within the page. */
export type RowLinks = {
  toPage: (linkId: string) => string
  toTag: (tag: string) => string
  open: (linkId: string) => void
  filterByTag: (tag: string) => void
}

type Props = {
  link: Link
  links: RowLinks
  hasConversions: boolean
  /** Null: this user may not select. */
  isSelected: boolean | null
  onSelect: (isRange: boolean) => void
}

/**
 * A link of the list: on wide screens one line, on a phone two. Its anchors are plain, since those of the router
 * take most of the time in which a list of many rows is drawn.
 */
export function LinkRow({ link, links, hasConversions, isSelected, onSelect }: Props) {
  const clicks = link.periodClicks ?? link.clicks
  const roomForTags = link.status === 'active' ? 2 : 1
  const shownTags = link.tags.slice(0, roomForTags)
  const hiddenTags = link.tags.slice(roomForTags)
  return (
    <div className={`${toRowGrid(hasConversions)} h-full`}>
      {isSelected === null ? (
        <span className="max-md:row-span-2" />
      ) : (
        <SelectBox slug={link.slug} isSelected={isSelected} onSelect={onSelect} />
      )}
      <a
        href={links.toPage(link.id)}
        onClick={(event) => follow(event, () => links.open(link.id))}
        className="truncate font-mono no-underline"
        title={link.name}
      >
        <span className="text-soft">{link.domain}/</span>
        <b className="font-semibold">{link.slug}</b>
      </a>
      <span
        className="truncate text-soft max-md:order-last max-md:col-start-2 max-md:col-end-4"
        title={link.destinationUrl}
      >
        <span className="md:hidden">
          {link.status !== 'active' && <LinkStatus status={link.status} />}{' '}
        </span>
        <span aria-hidden="true">→ </span>
        {withoutScheme(link.destinationUrl)}
      </span>
      <span className="flex items-center gap-1 overflow-hidden max-md:hidden">
        {link.status !== 'active' && <LinkStatus status={link.status} />}
        {shownTags.map((tag) => (
          <a
            key={tag}
            href={links.toTag(tag)}
            onClick={(event) => follow(event, () => links.filterByTag(tag))}
            className="truncate rounded-sm border border-line px-1.5 text-xs text-ink no-underline"
          >
            {tag}
          </a>
        ))}
        {hiddenTags.length > 0 && (
          <span className="text-xs text-soft" title={hiddenTags.join(', ')}>
            +{hiddenTags.length}
          </span>
        )}
      </span>
      <span className="text-end font-semibold" title={text.links.clicksOf(LIST_DAYS)}>
        {formatCompact(clicks)}
      </span>
      {hasConversions && <Earned link={link} />}
      <span className="truncate text-soft max-md:hidden">
        {link.lastClickedAt ? <RelativeTime at={link.lastClickedAt} /> : text.links.neverClicked}
      </span>
      <span className="max-md:hidden">
        <CopyIcon value={link.shortUrl} label={text.links.copyUrl(link.slug)} />
      </span>
    </div>
  )
}

/** The currency in which a list sums up values; the page of conversions has all of them. */
const CURRENCY = 'usd'

/** Conversions of the period of the clicks, and their value. */
function Earned({ link: { periodConversions = 0, periodValue = 0 } }: Pick<Props, 'link'>) {
  return (
    <span
      className="truncate text-end text-soft max-xl:hidden"
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
    <label className="flex h-full items-center justify-center max-md:row-span-2">
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
