import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, ask, dataOf } from '../api/client.ts'
import { IconButton } from '../kit/button.tsx'
import { Confirm } from '../kit/confirm.tsx'
import type { IconName } from '../kit/icon.tsx'
import { Menu, MenuItem, MenuLine } from '../kit/menu.tsx'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
import { CampaignDrawer } from './campaign-drawer.tsx'
import type { Campaign } from './queries.ts'

type Status = Campaign['status']
type Open = 'edit' | 'complete' | 'delete' | null

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
const LABELS: Record<Status, string> = {
  draft: text.campaigns.statuses.draft,
  active: text.campaigns.start,
  paused: text.campaigns.pause,
  completed: text.campaigns.complete,
  archived: text.campaigns.archive,
}

/** Actions of a member on a campaign. A change of status can be undone, but for the completion. */
export function CampaignMenu({
  campaign,
  onDeleted,
}: {
  campaign: Campaign
  onDeleted?: () => void
}) {
  const [open, setOpen] = useState<Open>(null)
  const setStatus = useStatusChange(campaign)
  const navigate = useNavigate()
  const { workspaceId, id: campaignId } = campaign
  const close = () => setOpen(null)
  return (
    <>
      <Menu
        trigger={<IconButton icon="ellipsis" label={text.campaigns.actionsOf(campaign.name)} />}
      >
        <MenuItem icon="pencil" onSelect={() => setOpen('edit')}>
          {text.actions.edit}
        </MenuItem>
        {STEPS[campaign.status].map((status) => (
          <MenuItem
            key={status}
            icon={ICONS[status]}
            onSelect={() =>
              status === 'completed' ? setOpen('complete') : setStatus.mutate(status)
            }
          >
            {LABELS[status]}
          </MenuItem>
        ))}
        <MenuItem
          icon="eye"
          onSelect={() =>
            void navigate({
              to: '/$workspaceId/dashboards',
              params: { workspaceId },
              search: { new: true, campaignId },
            })
          }
        >
          {text.dashboards.share}
        </MenuItem>
        <MenuLine />
        <MenuItem icon="trash-2" isDanger onSelect={() => setOpen('delete')}>
          {text.campaigns.delete}
        </MenuItem>
      </Menu>
      {open === 'edit' && <CampaignDrawer campaign={campaign} onClose={close} onSaved={close} />}
      {open === 'complete' && (
        <Confirm
          title={text.campaigns.completeTitle(campaign.name)}
          action={text.campaigns.complete}
          onConfirm={() => setStatus.mutateAsync('completed')}
          onClose={close}
        >
          {text.campaigns.completeExplain}
        </Confirm>
      )}
      {open === 'delete' && (
        <DeleteCampaign campaign={campaign} onClose={close} onDeleted={onDeleted} />
      )}
    </>
  )
}

function useStatusChange(campaign: Campaign) {
  const queryClient = useQueryClient()
  const patch = async (status: Status) => {
    const params = { path: { id: campaign.id } }
    const saved = await dataOf(api.PATCH('/campaigns/{id}', { params, body: { status } }))
    await queryClient.invalidateQueries({ queryKey: [campaign.workspaceId] })
    return saved
  }
  return useMutation({
    // The status before is of the call: the page has read the new one when this succeeds.
    mutationFn: async (status: Status) => ({ before: campaign.status, saved: await patch(status) }),
    onSuccess: ({ before, saved: { name, status } }) => {
      const undo = () => {
        patch(before).catch((error: Error) => showToast(error.message, { isError: true }))
      }
      showToast(text.campaigns.statusNow(name, text.campaigns.statuses[status]), {
        undo: status === 'completed' ? null : undo,
      })
    },
    onError: (error) => showToast(error.message, { isError: true }),
  })
}

function DeleteCampaign({
  campaign: { id, name, workspaceId },
  onClose,
  onDeleted,
}: {
  campaign: Campaign
  onClose: () => void
  onDeleted: (() => void) | undefined
}) {
  const queryClient = useQueryClient()
  return (
    <Confirm
      title={text.campaigns.deleteTitle(name)}
      action={text.campaigns.delete}
      onClose={onClose}
      onConfirm={async () => {
        await ask(api.DELETE('/campaigns/{id}', { params: { path: { id } } }))
        showToast(text.campaigns.deleted(name))
        onDeleted?.()
        queryClient.removeQueries({ queryKey: [workspaceId, 'campaign', id] })
        await queryClient.invalidateQueries({ queryKey: [workspaceId] })
      }}
    >
      {text.campaigns.deleteExplain}
    </Confirm>
  )
}
