import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ask, auth, dataOf } from '../api/client.ts'
import { Button } from '../kit/button.tsx'
import { Popup } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { TextField } from '../kit/field.tsx'
import { FormPopup } from '../kit/form-drawer.tsx'
import { Icon } from '../kit/icon.tsx'
import { Skeleton } from '../kit/layout.tsx'
import { useAction } from '../kit/use-action.ts'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/account.ts'
import { BackupCodes } from './backup-codes.tsx'
import { twoFactorQuery } from './queries.ts'
import { PasswordField, Section } from './section.tsx'
import { TwoFactorSetup } from './two-factor-setup.tsx'

type Open = 'setup' | 'codes' | 'off' | null

/** A code of an app beside the password. */
export function TwoFactor({ hasPassword }: { hasPassword: boolean }) {
  const state = useQuery(twoFactorQuery)
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const shown = text.account
  return (
    <Section title={shown.twoFactor} note={shown.twoFactorNote}>
      <ErrorNote error={state.error} onRetry={() => void state.refetch()} />
      {state.isPending && <Skeleton rows={1} />}
      {state.data && !state.data.enabled && (
        <div>
          <Button icon="shield" onClick={() => setOpen('setup')}>
            {shown.twoFactorSetUp}
          </Button>
        </div>
      )}
      {state.data?.enabled && (
        <>
          <p className="flex flex-wrap items-center gap-2 text-sm">
            <span className="inline-flex items-center gap-1 font-semibold text-ok">
              <Icon name="shield-check" /> {shown.twoFactorOn}
            </span>
            <span className={state.data.backupCodesLeft < 3 ? 'text-warn' : 'text-soft'}>
              {shown.codesLeft(state.data.backupCodesLeft)}
            </span>
          </p>
          <div className="flex flex-wrap gap-2">
            <Button icon="refresh-cw" onClick={() => setOpen('codes')}>
              {shown.newCodes}
            </Button>
            <Button onClick={() => setOpen('off')}>{shown.twoFactorTurnOff}</Button>
          </div>
        </>
      )}
      {open === 'setup' && <TwoFactorSetup hasPassword={hasPassword} onClose={close} />}
      {open === 'codes' && <NewCodes onClose={close} />}
      {open === 'off' && <TurnOff hasPassword={hasPassword} onClose={close} />}
    </Section>
  )
}

/** New codes replace all of before, so they are asked for once more. */
function NewCodes({ onClose }: { onClose: () => void }) {
  const replace = useAction(() => dataOf(auth.POST('/auth/two-factor/backup-codes')), {
    refreshes: [twoFactorQuery.queryKey],
    showsErrors: true,
  })
  return (
    <Popup
      title={text.account.newCodes}
      onClose={onClose}
      foot={
        replace.data ? (
          <Button look="primary" onClick={onClose}>
            {text.actions.done}
          </Button>
        ) : (
          <Button look="primary" isBusy={replace.isPending} onClick={() => replace.mutate()}>
            {text.account.makeCodes}
          </Button>
        )
      }
    >
      {replace.data ? (
        <BackupCodes codes={replace.data.backupCodes} />
      ) : (
        <p className="text-sm">{text.account.newCodesExplain}</p>
      )}
      <ErrorNote error={replace.error} />
    </Popup>
  )
}

function TurnOff({ hasPassword, onClose }: { hasPassword: boolean; onClose: () => void }) {
  const form = useForm({
    start: () => ({ password: '', code: '' }),
    save: ({ password, code }) => {
      const body = { code: code.trim(), ...(hasPassword ? { password } : {}) }
      return ask(auth.POST('/auth/two-factor/disable', { body }))
    },
    refreshes: [twoFactorQuery.queryKey],
    told: () => text.account.twoFactorOff,
    onSaved: onClose,
  })
  return (
    <FormPopup
      form={form}
      title={text.account.twoFactorTurnOff}
      action={text.account.twoFactorTurnOff}
      button={{ look: 'danger' }}
      onClose={onClose}
    >
      {hasPassword && <PasswordField {...form.field('password')} />}
      <TextField
        label={text.signIn.code}
        hint={text.signIn.codeHint}
        autoComplete="one-time-code"
        required
        {...form.field('code')}
      />
    </FormPopup>
  )
}
