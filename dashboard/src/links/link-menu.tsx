import { useNavigate } from '@tanstack/react-router'
import { copyText } from '../kit/copy-button.tsx'
import { RowMenuAt } from '../kit/row-menu.tsx'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/links.ts'
import { statusActions, useSetStatus } from './link-actions.tsx'
import type { Link } from './queries.ts'

/** What can be done with a link of the list, at the button of its row. */
export function LinkMenu({
  link,
  anchor,
  mayWrite,
  onQr,
  onEdit,
  onDelete,
}: {
  link: Link
  anchor: HTMLElement
  mayWrite: boolean
  onQr: () => void
  onEdit: () => void
  onDelete: () => void
}) {
  const navigate = useNavigate()
  const setStatus = useSetStatus(link)
  const { workspaceId, id: linkId, shortUrl } = link
  // A blocked link can be deleted, and nothing else.
  const mayChange = mayWrite && link.status !== 'blocked'
  return (
    <RowMenuAt
      anchor={anchor}
      actions={[
        {
          icon: 'copy',
          label: text.linkList.copyLink,
          onSelect: () =>
            void copyText(shortUrl).then(() => showToast(text.links.copied(shortUrl))),
        },
        { icon: 'qr-code', label: text.linkList.showQr, onSelect: onQr },
        {
          icon: 'chart-line',
          label: text.linkList.openStatistics,
          onSelect: () =>
            void navigate({ to: '/$workspaceId/links/$linkId', params: { workspaceId, linkId } }),
        },
        mayChange && { icon: 'pencil', label: text.actions.edit, onSelect: onEdit },
        ...(mayChange ? statusActions(link, setStatus) : []),
        mayWrite && {
          icon: 'trash-2',
          label: text.links.delete,
          isDanger: true,
          onSelect: onDelete,
        },
      ]}
    />
  )
}
