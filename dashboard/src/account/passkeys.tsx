import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ask, auth, dataOf } from '../api/client.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { Confirm } from '../kit/confirm.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { TextField } from '../kit/field.tsx'
import { FormPopup } from '../kit/form-drawer.tsx'
import { Icon } from '../kit/icon.tsx'
import { Skeleton } from '../kit/layout.tsx'
import { RelativeTime } from '../kit/time.tsx'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/account.ts'
import { describeAgent } from './agent.ts'
import { addPasskey, passkeysQuery, type Passkey } from './queries.ts'
import { Section } from './section.tsx'

type Open = { action: 'add' } | { action: 'rename' | 'remove'; passkey: Passkey } | null

/** Keys of the user's devices, which sign in without a password. */
export function Passkeys() {
  const passkeys = useQuery(passkeysQuery)
  const [open, setOpen] = useState<Open>(null)
  const isSupported = 'PublicKeyCredential' in globalThis
  return (
    <Section title={text.account.passkeys} note={text.account.passkeysNote}>
      <ErrorNote error={passkeys.error} onRetry={() => void passkeys.refetch()} />
      {passkeys.isPending && <Skeleton rows={1} />}
      {passkeys.data && passkeys.data.length > 0 && (
        <PasskeyRows passkeys={passkeys.data} onOpen={setOpen} />
      )}
      {isSupported ? (
        <div>
          <Button icon="plus" onClick={() => setOpen({ action: 'add' })}>
            {text.account.addPasskey}
          </Button>
        </div>
      ) : (
        <p className="text-sm text-soft">{text.account.passkeysUnsupported}</p>
      )}
      <PasskeyPopup open={open} onClose={() => setOpen(null)} />
    </Section>
  )
}

function PasskeyRows({
  passkeys,
  onOpen,
}: {
  passkeys: readonly Passkey[]
  onOpen: (open: Open) => void
}) {
  return (
    <ul className="divide-y divide-line rounded border border-line">
      {passkeys.map((passkey) => (
        <li key={passkey.id} className="flex items-center gap-2 py-1 pe-1 ps-3 text-sm">
          <Icon name="fingerprint" />
          <span className="min-w-0 flex-1">
            <b className="block truncate font-semibold">{passkey.name}</b>
            <span className="text-xs text-soft">
              {passkey.isSynced ? text.account.synced : text.account.oneDevice}
              {', '}
              {passkey.lastUsedAt ? (
                <>
                  {text.account.used} <RelativeTime at={passkey.lastUsedAt} />
                </>
              ) : (
                text.account.neverUsed
              )}
            </span>
          </span>
          <IconButton
            icon="pencil"
            label={text.account.rename(passkey.name)}
            onClick={() => onOpen({ action: 'rename', passkey })}
          />
          <IconButton
            icon="trash-2"
            label={text.account.remove(passkey.name)}
            onClick={() => onOpen({ action: 'remove', passkey })}
          />
        </li>
      ))}
    </ul>
  )
}

/** The question about a new passkey, or about one of the list. */
function PasskeyPopup({ open, onClose }: { open: Open; onClose: () => void }) {
  if (open === null) return null
  if (open.action === 'add')
    return (
      <NamePopup
        title={text.account.addPasskey}
        first={describeAgent(navigator.userAgent)}
        onName={addPasskey}
        onClose={onClose}
      />
    )
  const { id, name } = open.passkey
  const params = { path: { id } }
  if (open.action === 'rename')
    return (
      <NamePopup
        title={text.account.rename(name)}
        first={name}
        onName={(next) =>
          dataOf(auth.PATCH('/auth/passkeys/{id}', { params, body: { name: next } }))
        }
        onClose={onClose}
      />
    )
  return (
    <Confirm
      title={text.account.remove(name)}
      action={text.account.removePasskey}
      refreshes={[passkeysQuery.queryKey]}
      onClose={onClose}
      onConfirm={() => ask(auth.DELETE('/auth/passkeys/{id}', { params }))}
    >
      {text.account.removePasskeyExplain}
    </Confirm>
  )
}

function NamePopup({
  title,
  first,
  onName,
  onClose,
}: {
  title: string
  first: string
  onName: (name: string) => Promise<unknown>
  onClose: () => void
}) {
  const form = useForm({
    start: () => ({ name: first }),
    save: ({ name }) => onName(name),
    refreshes: [passkeysQuery.queryKey],
    onSaved: onClose,
  })
  const isCanceled = form.refusal?.name === 'NotAllowedError'
  return (
    <FormPopup
      form={isCanceled ? { ...form, error: null } : form}
      title={title}
      action={text.actions.save}
      onClose={onClose}
    >
      <TextField
        label={text.account.passkeyName}
        required
        maxLength={100}
        autoFocus
        {...form.field('name')}
      />
      {isCanceled && (
        <p role="alert" className="text-sm text-warn">
          {text.account.passkeyCanceled}
        </p>
      )}
    </FormPopup>
  )
}
