import { api, dataOf } from '../api/client.ts'
import { Button } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { Drawer } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { useAction } from '../kit/use-action.ts'
import { text } from '../text/members.ts'

/** A link to pass on. It is made when the user asks for it, since a new one voids the one before. */
export function InvitationLink({ id, email }: { id: string; email: string }) {
  const params = { path: { id } }
  const make = useAction(() => dataOf(api.POST('/invitations/{id}/link', { params })), {
    showsErrors: true,
  })
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-soft">{text.members.linkNote(email)}</p>
      {make.data ? (
        <>
          <code className="rounded border border-line bg-sunk p-2 font-mono text-sm break-all">
            {make.data.url}
          </code>
          <div>
            <CopyButton value={make.data.url} label={text.members.copyLink} look="primary" />
          </div>
        </>
      ) : (
        <div>
          <Button icon="link" isBusy={make.isPending} onClick={() => make.mutate()}>
            {text.members.makeLink}
          </Button>
        </div>
      )}
      <ErrorNote error={make.error} />
    </div>
  )
}

export function InvitationLinkDrawer({
  id,
  email,
  onClose,
}: {
  id: string
  email: string
  onClose: () => void
}) {
  return (
    <Drawer
      title={text.members.linkTitle}
      onClose={onClose}
      foot={
        <Button look="primary" onClick={onClose}>
          {text.actions.done}
        </Button>
      }
    >
      <InvitationLink id={id} email={email} />
    </Drawer>
  )
}
