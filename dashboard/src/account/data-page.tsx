import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ask, auth, type AuthSchemas } from '../api/client.ts'
import { closeGate } from '../api/session-gate.ts'
import { sessionQuery } from '../api/session.ts'
import { Button, buttonClass } from '../kit/button.tsx'
import { CheckField, TextField } from '../kit/field.tsx'
import { FormPopup } from '../kit/form-drawer.tsx'
import { Icon } from '../kit/icon.tsx'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/account.ts'
import { PasswordField, Section } from './section.tsx'

export function DataPage() {
  const { data: session } = useSuspenseQuery(sessionQuery)
  const [isDeleting, setDeleting] = useState(false)
  if (!session) return null
  return (
    <>
      <h1 className="text-xl font-bold">{text.account.data}</h1>
      <Section title={text.account.export} note={text.account.exportNote}>
        <div>
          <a
            href="/v1/auth/user/export"
            download="signpost-account.json"
            className={buttonClass('plain')}
          >
            <Icon name="download" /> {text.account.exportAction}
          </a>
        </div>
      </Section>
      <Section title={text.account.delete} note={text.account.deleteNote}>
        <div>
          <Button look="danger" icon="trash-2" onClick={() => setDeleting(true)}>
            {text.account.delete}
          </Button>
        </div>
      </Section>
      {isDeleting && <DeleteAccount user={session.user} onClose={() => setDeleting(false)} />}
    </>
  )
}

/** Takes the e-mail address as typed, and the password; workspaces of this user alone go by choice. */
function DeleteAccount({ user, onClose }: { user: AuthSchemas['User']; onClose: () => void }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const form = useForm({
    start: () => ({ typed: '', password: '', withWorkspaces: false }),
    save: ({ password, withWorkspaces }) =>
      ask(
        auth.DELETE('/auth/user', {
          body: {
            workspaces: withWorkspaces ? 'delete' : 'refuse',
            ...(user.hasPassword ? { password } : {}),
          },
        }),
      ),
    onSaved: async () => {
      closeGate()
      queryClient.clear()
      await navigate({ to: '/sign-in' })
    },
  })
  const isOther = form.draft.typed.trim().toLowerCase() !== user.email.toLowerCase()
  return (
    <FormPopup
      form={form}
      title={text.account.deleteTitle}
      action={text.account.delete}
      button={{ look: 'danger', disabled: isOther }}
      onClose={onClose}
    >
      <p className="text-sm">{text.account.deleteExplain}</p>
      <TextField
        label={text.actions.typeToConfirm(user.email)}
        autoComplete="off"
        spellCheck={false}
        {...form.field('typed')}
      />
      {user.hasPassword && <PasswordField {...form.field('password')} />}
      <CheckField
        label={text.account.deleteWorkspaces}
        hint={text.account.deleteWorkspacesHint}
        {...form.field('withWorkspaces')}
      />
    </FormPopup>
  )
}
