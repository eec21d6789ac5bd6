import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { usePages } from '../api/pages.ts'
import { useMay } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { CampaignTabs } from '../kit/campaign-tabs.tsx'
import { Empty, PageHead } from '../kit/layout.tsx'
import { ListFilters } from '../kit/list-filters.tsx'
import { PagedList } from '../kit/paged-list.tsx'
import { text } from '../text/campaigns.ts'
import { CampaignMenu } from './campaign-actions.tsx'
import { CampaignDrawer } from './campaign-drawer.tsx'
import { CampaignGoal } from './campaign-goal.tsx'
import { CampaignPeriod } from './campaign-period.tsx'
import { CampaignStatus } from './campaign-status.tsx'
import { campaignsQuery, type Campaign } from './queries.ts'
import { STATUSES, type CampaignsSearch } from './search.ts'

export function CampaignsPage() {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const search = useSearch({ from: '/signed-in/$workspaceId/campaigns' })
  const navigate = useNavigate({ from: '/$workspaceId/campaigns' })
  const mayWrite = useMay('member')
  const campaigns = usePages(campaignsQuery(workspaceId, search))
  const { total, rows } = campaigns
  const isFiltered = Boolean(search.q ?? search.status)
  const change = (part: Partial<CampaignsSearch>) =>
    void navigate({ search: (now) => ({ ...now, ...part }) })
  const newButton = mayWrite && (
    <Button look="primary" icon="plus" onClick={() => change({ new: true })}>
      {text.campaigns.new_}
    </Button>
  )
  return (
    <>
      <PageHead
        title={text.campaigns.title}
        note={total !== undefined && text.campaigns.count(total)}
      >
        {(isFiltered || total !== 0) && newButton}
      </PageHead>
      <CampaignTabs />
      {(isFiltered || rows.length > 0) && (
        <ListFilters search={search} statuses={STATUSES} words={text.campaigns} onChange={change} />
      )}
      <PagedList
        label={text.campaigns.title}
        pages={campaigns}
        empty={
          <Empty
            icon="megaphone"
            title={isFiltered ? text.campaigns.noneFound : text.campaigns.none}
            action={!isFiltered && newButton}
          >
            {isFiltered ? text.campaigns.noneFoundHint : text.campaigns.noneExplain}
          </Empty>
        }
      >
        {(campaign) => <CampaignRow key={campaign.id} campaign={campaign} mayWrite={mayWrite} />}
      </PagedList>
      {search.new && mayWrite && (
        <CampaignDrawer
          onClose={() => change({ new: undefined })}
          onSaved={({ id: campaignId }) =>
            void navigate({
              to: '/$workspaceId/campaigns/$campaignId',
              params: { workspaceId, campaignId },
            })
          }
        />
      )}
    </>
  )
}

function CampaignRow({ campaign, mayWrite }: { campaign: Campaign; mayWrite: boolean }) {
  const { id, workspaceId, name, status, startsAt, endsAt, linkCount, clicks } = campaign
  return (
    <li className="flex items-center gap-2 border-t border-line py-2 pe-2 ps-4 first:border-t-0">
      <div className="grid min-w-0 flex-1 items-center gap-x-4 gap-y-1 md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]">
        <div className="min-w-0">
          <Link
            to="/$workspaceId/campaigns/$campaignId"
            params={{ workspaceId, campaignId: id }}
            className="flex min-h-8 items-center text-base font-semibold break-words no-underline max-md:min-h-11"
          >
            <span className="min-w-0">{name}</span>
          </Link>
          <p className="flex flex-wrap gap-x-3 text-sm text-soft">
            <CampaignStatus status={status} />
            <CampaignPeriod startsAt={startsAt} endsAt={endsAt} />
          </p>
        </div>
        <CampaignGoal campaign={campaign} />
        <p className="text-sm text-soft md:col-start-3 md:text-end">
          <b className="font-semibold text-ink">{text.campaigns.clickCount(clicks)}</b>
          <span className="md:block max-md:ms-2">{text.campaigns.linkCount(linkCount)}</span>
        </p>
      </div>
      {mayWrite && <CampaignMenu campaign={campaign} />}
    </li>
  )
}
