import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { Drawer } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { SelectField, TextField } from '../kit/field.tsx'
import { Icon } from '../kit/icon.tsx'
import { MailNote } from '../kit/mail-note.tsx'
import { text } from '../text/en.ts'
import { InvitationLink } from './invitation-link.tsx'
import { ROLES } from './member-row.tsx'
import type { Role } from './queries.ts'

/** Invites an address. What the invited user needs besides the mail stays on the screen. */
export function InvitationDrawer({ onClose }: { onClose: () => void }) {
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const isOwner = useMay('owner')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const send = useMutation({
    mutationFn: () => dataOf(api.POST('/invitations', { body: { email: email.trim(), role } })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [workspaceId, 'invitations'] }),
  })
  const errors = send.error instanceof ApiError ? send.error.fieldErrors : {}
  const foot = send.data ? (
    <Button look="primary" onClick={onClose}>
      {text.actions.done}
    </Button>
  ) : (
    <Button look="primary" type="submit" form="invitation-form" isBusy={send.isPending}>
      {text.members.send}
    </Button>
  )
  return (
    <Drawer
      title={text.members.inviteTitle}
      isChanged={email !== '' && !send.data}
      onClose={onClose}
      foot={foot}
    >
      {send.data ? (
        <Outcome {...send.data} />
      ) : (
        <form
          id="invitation-form"
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            send.mutate()
          }}
        >
          {Object.keys(errors).length === 0 && <ErrorNote error={send.error} />}
          <TextField
            label={text.members.email}
            type="email"
            required
            autoFocus
            autoComplete="off"
            value={email}
            onValue={setEmail}
            error={errors.email}
          />
          <SelectField
            label={text.members.role}
            hint={text.members.roleHints[role]}
            value={role}
            options={ROLES.filter((each) => isOwner || each !== 'owner').map((value) => ({
              value,
              label: text.settings.roles[value],
            }))}
            onValue={setRole}
            error={errors.role}
          />
        </form>
      )}
    </Drawer>
  )
}

function Outcome({
  id,
  email,
  mailed,
  accountRequired,
}: {
  id: string
  email: string
  mailed: boolean
  accountRequired: boolean
}) {
  return (
    <div className="flex flex-col gap-3">
      <div role="status" className="flex flex-col gap-3">
        {mailed ? (
          <p>{text.members.sent(email)}</p>
        ) : (
          <Warning>{text.members.notMailed(email)}</Warning>
        )}
        {accountRequired && <Warning>{text.members.accountRequired}</Warning>}
        {mailed && <MailNote />}
      </div>
      <InvitationLink id={id} email={email} />
    </div>
  )
}

function Warning({ children }: { children: string }) {
  return (
    <p className="flex items-start gap-2 rounded border border-warn p-3 text-sm">
      <Icon name="triangle-alert" className="mt-0.5 text-warn" /> {children}
    </p>
  )
}
