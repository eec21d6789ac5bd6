import { Link as RouterLink } from '@tanstack/react-router'
import { CopyIcon } from '../kit/copy-button.tsx'
import { formatCompact } from '../kit/format.ts'
import { RelativeTime } from '../kit/time.tsx'
import { text } from '../text/en.ts'
import { LinkStatus } from './link-status.tsx'
import { LIST_DAYS, type Link } from './queries.ts'

/** A link of the list: on wide screens one line, on a phone two. */
export function LinkRow({ link, workspaceId }: { link: Link; workspaceId: string }) {
  const host = link.domain
  const clicks = link.periodClicks ?? link.clicks
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4 text-sm md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_minmax(0,1fr)_90px_100px_40px]">
      <RouterLink
        to="/$workspaceId/links/$linkId"
        params={{ workspaceId, linkId: link.id }}
        className="truncate font-mono no-underline"
        title={link.name}
      >
        <span className="text-soft">{host}/</span>
        <b className="font-semibold">{link.slug}</b>
      </RouterLink>
      <span
        className="truncate text-soft max-md:order-last max-md:col-span-2"
        title={link.destinationUrl}
      >
        <span aria-hidden="true">→ </span>
        {link.destinationUrl}
      </span>
      <span className="flex gap-1 overflow-hidden max-md:hidden">
        {link.status !== 'active' && <LinkStatus status={link.status} />}
        {link.tags.slice(0, 2).map((tag) => (
          <span key={tag} className="truncate rounded-sm border border-line px-1.5 text-xs">
            {tag}
          </span>
        ))}
      </span>
      <span className="text-right font-semibold" title={text.links.clicksOf(LIST_DAYS)}>
        {formatCompact(clicks)}
      </span>
      <span className="truncate text-soft max-md:hidden">
        {link.lastClickedAt ? <RelativeTime at={link.lastClickedAt} /> : text.links.neverClicked}
      </span>
      <span className="max-md:hidden">
        <CopyIcon value={link.shortUrl} label={text.links.copyUrl(link.slug)} />
      </span>
    </div>
  )
}
