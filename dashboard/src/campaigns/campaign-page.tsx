import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMay } from '../api/workspace.ts'
import { Figures } from '../figures/figures.tsx'
import { summaryQuery, type Summary } from '../figures/queries.ts'
import { toSearch, type FigureSearch } from '../figures/search.ts'
import { ErrorNote } from '../kit/error-note.tsx'
import { formatNumber } from '../kit/locale.ts'
import { Card, Skeleton } from '../kit/layout.tsx'
import { Breadcrumb, Unread } from '../kit/object-page.tsx'
import { withoutScheme } from '../kit/url.ts'
import { text } from '../text/campaigns.ts'
import { CampaignMenu } from './campaign-actions.tsx'
import { CampaignGoal } from './campaign-goal.tsx'
import { CampaignPeriod } from './campaign-period.tsx'
import { CampaignStatus } from './campaign-status.tsx'
import { campaignLinksQuery, campaignQuery, SHOWN_LINKS, type Campaign } from './queries.ts'
import { useTabTitle } from '../kit/tab-title.ts'

const LIST = '/$workspaceId/campaigns'

/** One campaign: its state and goal, the figures of its links, and the links. */
export function CampaignPage() {
  const { workspaceId, campaignId } = useParams({
    from: '/signed-in/$workspaceId/campaigns/$campaignId',
  })
  const search = useSearch({ from: '/signed-in/$workspaceId/campaigns/$campaignId' })
  const navigate = useNavigate({ from: '/$workspaceId/campaigns/$campaignId' })
  const campaign = useQuery(campaignQuery(workspaceId, campaignId))
  // The slowest of the page, which would wait for the campaign otherwise.
  usePrefetchQuery(summaryQuery(workspaceId, { campaignId }, search))
  if (!campaign.data)
    return (
      <Unread
        to={LIST}
        title={text.campaigns.title}
        read={campaign}
        icon="megaphone"
        missing={text.campaigns.missing}
      />
    )
  return (
    <>
      <Head
        campaign={campaign.data}
        onDeleted={() => navigate({ to: '/$workspaceId/campaigns', params: { workspaceId } })}
      />
      <Figures
        scope={{ campaignId }}
        search={search}
        onChange={(change) => void navigate({ search: (now) => toSearch(now, change) })}
        aside={<CampaignLinks campaign={campaign.data} search={search} />}
      />
    </>
  )
}

function Head({ campaign, onDeleted }: { campaign: Campaign; onDeleted: () => Promise<unknown> }) {
  const mayWrite = useMay('member')
  const { name, status, description, tags, startsAt, endsAt } = campaign
  useTabTitle(name)
  return (
    <>
      <Breadcrumb to={LIST} title={text.campaigns.title} here={name} />
      <header className="flex flex-wrap items-center justify-between gap-3 py-3">
        <h1 className="flex min-w-0 flex-wrap items-center gap-3 text-xl font-bold">
          <span className="break-words">{name}</span> <CampaignStatus status={status} />
        </h1>
        {mayWrite && <CampaignMenu campaign={campaign} onDeleted={onDeleted} />}
      </header>
      <div className="flex flex-wrap items-start gap-x-8 gap-y-2 pb-4 text-sm">
        <CampaignGoal campaign={campaign} />
        <p className="text-soft">
          <CampaignPeriod startsAt={startsAt} endsAt={endsAt} />
        </p>
        {tags.length > 0 && (
          <p className="flex flex-wrap gap-1">
            {tags.map((tag) => (
              <span key={tag} className="rounded-sm border border-line px-1.5 text-xs">
                {tag}
              </span>
            ))}
          </p>
        )}
        {description && <p className="basis-full break-words text-soft">{description}</p>}
      </div>
    </>
  )
}

/** The links of a campaign by their clicks of the period, as the figures beside them count it. */
function CampaignLinks({
  campaign: { id, workspaceId, linkCount },
  search,
}: {
  campaign: Campaign
  search: FigureSearch
}) {
  const clicked = useQuery(summaryQuery(workspaceId, { campaignId: id }, search)).data?.data
  const links = useQuery(campaignLinksQuery(workspaceId, id))
  const rows = clicked && links.data ? toRows(clicked.topLinks, links.data.data) : []
  return (
    <Card
      title={text.campaigns.links}
      note={formatNumber(linkCount)}
      action={
        rows.length > 0 && (
          <Link
            to="/$workspaceId/links"
            params={{ workspaceId }}
            search={{ campaignId: id }}
            className="inline-flex min-h-8 items-center text-sm max-md:min-h-11"
          >
            {text.campaigns.allLinks}
          </Link>
        )
      }
    >
      <ErrorNote error={links.error} onRetry={() => void links.refetch()} />
      {links.isPending && <Skeleton rows={4} />}
      {links.data && rows.length === 0 && (
        <p className="p-4 text-sm text-soft">{text.campaigns.noLinks}</p>
      )}
      <ul className="py-2">
        {rows.map(({ link, clicks }) => (
          <li key={link.id}>
            <Link
              to="/$workspaceId/links/$linkId"
              params={{ workspaceId, linkId: link.id }}
              className="flex min-h-9 items-center gap-3 px-4 text-sm text-ink no-underline hover:bg-sunk max-md:min-h-11"
            >
              <span className="truncate font-mono" title={link.name ?? ''}>
                {withoutScheme(link.shortUrl ?? '')}
              </span>
              <b className="ms-auto font-semibold">{formatNumber(clicks)}</b>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

type Clicked = Pick<Summary['data']['topLinks'][number], 'link' | 'clicks'>

/** The most clicked links come first; there are fewer of them than rows, so every other link has no clicks. */
function toRows(clicked: readonly Clicked[], links: readonly Clicked['link'][]): Clicked[] {
  const ids = new Set(clicked.map(({ link }) => link.id))
  const others = links.filter(({ id }) => !ids.has(id)).map((link) => ({ link, clicks: 0 }))
  return [...clicked, ...others].slice(0, SHOWN_LINKS)
}
