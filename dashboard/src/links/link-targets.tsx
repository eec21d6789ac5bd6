import { Link as RouterLink } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Arm } from '../kit/layout.tsx'
import { ExactTime } from '../kit/time.tsx'
import { withoutScheme } from '../kit/url.ts'
import { text } from '../text/link-page.ts'
import type { Link } from './queries.ts'

/** Destinations of the link as arms, one for each rule and share. */
export function Targets({ link }: { link: Link }) {
  const { rules, variants, destinationUrl, aliases } = link
  const hasOthers = rules.some(({ enabled }) => enabled)
  return (
    <div className="flex flex-wrap items-end justify-between gap-3 pb-4 text-sm">
      <dl className="grid max-w-full grid-cols-[minmax(0,1fr)] items-center gap-x-3 gap-y-1 md:grid-cols-[auto_minmax(0,1fr)]">
        {rules
          .filter(({ enabled }) => enabled)
          .map(({ id, name, destinationUrl: url }, index) => (
            <Target key={id} name={name || text.links.rule(index + 1)} url={url} />
          ))}
        {variants.map(({ id, name, weight, destinationUrl: url }) => (
          <Target key={id} name={`${text.linkPage.share(weight)} ${name}`} url={url} />
        ))}
        {variants.length === 0 && (
          <Target
            name={hasOthers ? text.links.everyoneElse : text.links.pointsTo}
            url={destinationUrl}
          />
        )}
        {aliases.length > 0 && (
          <>
            <dt className="text-soft">{text.linkPage.aliases}</dt>
            <dd className="font-mono break-all">{aliases.join(', ')}</dd>
          </>
        )}
      </dl>
      <p className="text-soft">
        {link.tags.map((tag) => (
          <RouterLink
            key={tag}
            to="/$workspaceId/links"
            params={{ workspaceId: link.workspaceId }}
            search={{ tag }}
            className="me-1 rounded-sm border border-line px-1.5 text-xs no-underline"
          >
            {tag}
          </RouterLink>
        ))}
        {text.links.facts(link.redirectType, link.clicks)} <ExactTime at={link.createdAt} />
      </p>
    </div>
  )
}

/** The server admits http and https alone; a link of the page opens nothing else. */
function Target({ name, url }: { name: ReactNode; url: string }) {
  return (
    <div className="contents">
      <dt className="truncate text-soft md:max-w-64">{name}</dt>
      <dd className="min-w-0">
        <Arm className="max-w-full">
          {/^https?:/i.test(url) ? (
            <a
              href={url}
              rel="noreferrer noopener"
              target="_blank"
              className="truncate font-mono text-ink no-underline hover:underline"
            >
              {withoutScheme(url)}
            </a>
          ) : (
            <span className="truncate font-mono">{url}</span>
          )}
        </Arm>
      </dd>
    </div>
  )
}
