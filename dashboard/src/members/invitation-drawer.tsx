import { api, dataOf } from '../api/client.ts'
import { useMay } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { Drawer } from '../kit/drawer.tsx'
import { SelectField, TextField } from '../kit/field.tsx'
import { FormDrawer } from '../kit/form-drawer.tsx'
import { Icon } from '../kit/icon.tsx'
import { MailNote } from '../kit/mail-note.tsx'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/members.ts'
import { InvitationLink } from './invitation-link.tsx'
import { ROLES } from './member-row.tsx'
import type { Role } from './queries.ts'

/** Invites an address. What the invited user needs besides the mail stays on the screen. */
export function InvitationDrawer({ onClose }: { onClose: () => void }) {
  const isOwner = useMay('owner')
  const form = useForm({
    start: () => ({ email: '', role: 'member' as Role }),
    save: ({ email, role }) =>
      dataOf(api.POST('/invitations', { body: { email: email.trim(), role } })),
  })
  if (form.saved)
    return (
      <Drawer
        title={text.members.inviteTitle}
        onClose={onClose}
        foot={
          <Button look="primary" onClick={onClose}>
            {text.actions.done}
          </Button>
        }
      >
        <Outcome {...form.saved} />
      </Drawer>
    )
  return (
    <FormDrawer
      form={form}
      title={text.members.inviteTitle}
      action={text.members.send}
      onClose={onClose}
    >
      <TextField
        label={text.members.email}
        type="email"
        required
        autoFocus
        autoComplete="off"
        {...form.field('email')}
      />
      <SelectField
        label={text.members.role}
        hint={text.members.roleHints[form.draft.role]}
        options={ROLES.filter((each) => isOwner || each !== 'owner').map((value) => ({
          value,
          label: text.names.roles[value],
        }))}
        {...form.field('role')}
      />
    </FormDrawer>
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
