import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ask, auth, type AuthSchemas } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { closeGate } from '../api/session-gate.ts'
import { sessionQuery } from '../api/session.ts'
import { Button, buttonClass } from '../kit/button.tsx'
import { Popup } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { CheckField, TextField } from '../kit/field.tsx'
import { Icon } from '../kit/icon.tsx'
import { text } from '../text/en.ts'
import { Section } from './section.tsx'

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
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const [withWorkspaces, setWithWorkspaces] = useState(false)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const remove = useMutation({
    mutationFn: () =>
      ask(
        auth.DELETE('/auth/user', {
          body: {
            workspaces: withWorkspaces ? 'delete' : 'refuse',
            ...(user.hasPassword ? { password } : {}),
          },
        }),
      ),
    onSuccess: async () => {
      closeGate()
      queryClient.clear()
      await navigate({ to: '/sign-in' })
    },
  })
  const errors = remove.error instanceof ApiError ? remove.error.fieldErrors : {}
  return (
    <Popup
      title={text.account.deleteTitle}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{text.actions.cancel}</Button>
          <Button
            type="submit"
            form="delete-account"
            look="danger"
            disabled={typed.trim().toLowerCase() !== user.email.toLowerCase()}
            isBusy={remove.isPending}
          >
            {text.account.delete}
          </Button>
        </>
      }
    >
      <form
        id="delete-account"
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          remove.mutate()
        }}
      >
        <p className="text-sm">{text.account.deleteExplain}</p>
        <TextField
          label={text.actions.typeToConfirm(user.email)}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onValue={setTyped}
        />
        {user.hasPassword && (
          <TextField
            label={text.account.currentPassword}
            type="password"
            autoComplete="current-password"
            required
            value={password}
            onValue={setPassword}
            error={errors.password}
          />
        )}
        <CheckField
          label={text.account.deleteWorkspaces}
          hint={text.account.deleteWorkspacesHint}
          checked={withWorkspaces}
          onChecked={setWithWorkspaces}
        />
        {Object.keys(errors).length === 0 && <ErrorNote error={remove.error} />}
      </form>
    </Popup>
  )
}
