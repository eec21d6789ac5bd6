import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, ask, dataOf } from '../api/client.ts'
import type { IconName } from '../kit/icon.tsx'
import { RowMenu, type RowAction } from '../kit/row-menu.tsx'
import { text } from '../text/campaigns.ts'
import { CampaignDrawer } from './campaign-drawer.tsx'
import type { Campaign } from './queries.ts'

type Status = Campaign['status']

/** The steps that make sense from a status; the drawer sets any other. */
const STEPS: Record<Status, readonly Status[]> = {
  draft: ['active', 'archived'],
  active: ['paused', 'completed'],
  paused: ['active', 'completed'],
  completed: ['active', 'archived'],
  archived: ['active'],
}
const ICONS: Record<Status, IconName> = {
  draft: 'pencil',
  active: 'play',
  paused: 'pause',
  completed: 'circle-check',
  archived: 'archive',
}
const LABELS: Record<Status, () => string> = {
  draft: () => text.campaigns.statuses.draft,
  active: () => text.campaigns.start,
  paused: () => text.campaigns.pause,
  completed: () => text.campaigns.complete,
  archived: () => text.campaigns.archive,
}

/** Actions of a member on a campaign. A change of status can be undone, but for the completion. */
export function CampaignMenu({
  campaign,
  onDeleted,
}: {
  campaign: Campaign
  /** Leaves its page. */
  onDeleted?: () => Promise<unknown>
}) {
  const [isEdited, setEdited] = useState(false)
  const navigate = useNavigate()
  const { workspaceId, id, name } = campaign
  const params = { path: { id } }
  const close = () => setEdited(false)
  return (
    <>
      <RowMenu
        label={text.campaigns.actionsOf(name)}
        actions={[
          { icon: 'pencil', label: text.actions.edit, onSelect: () => setEdited(true) },
          ...STEPS[campaign.status].map((status) => toStep(campaign, status)),
          {
            icon: 'eye',
            label: text.names.share,
            onSelect: () =>
              void navigate({
                to: '/$workspaceId/dashboards',
                params: { workspaceId },
                search: { new: true, campaignId: id },
              }),
          },
          {
            icon: 'trash-2',
            label: text.campaigns.delete,
            isDanger: true,
            run: () => ask(api.DELETE('/campaigns/{id}', { params })).then(onDeleted),
            told: text.campaigns.deleted(name),
            question: {
              title: text.campaigns.deleteTitle(name),
              explain: text.campaigns.deleteExplain,
            },
          },
        ]}
      />
      {isEdited && <CampaignDrawer campaign={campaign} onClose={close} onSaved={close} />}
    </>
  )
}

function toStep({ id, name, status: before }: Campaign, status: Status): RowAction {
  const patch = (to: Status) =>
    dataOf(api.PATCH('/campaigns/{id}', { params: { path: { id } }, body: { status: to } }))
  const step = {
    icon: ICONS[status],
    label: LABELS[status](),
    run: () => patch(status),
    told: text.campaigns.statusNow(name, text.campaigns.statuses[status]),
  }
  if (status !== 'completed') return { ...step, undo: () => patch(before) }
  const title = text.campaigns.completeTitle(name)
  return { ...step, question: { title, explain: text.campaigns.completeExplain } }
}
