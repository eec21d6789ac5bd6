import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ask, auth, dataOf, type AuthSchemas } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { Button } from '../kit/button.tsx'
import { CopyIcon } from '../kit/copy-button.tsx'
import { Drawer } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { TextField } from '../kit/field.tsx'
import { QrCode } from '../kit/qr-code.tsx'
import { text } from '../text/en.ts'
import { BackupCodes } from './backup-codes.tsx'
import { twoFactorQuery } from './queries.ts'

type Setup = AuthSchemas['TwoFactorSetup']

/** Password, then the key for the app and a first code of it, then the backup codes. */
export function TwoFactorSetup({
  hasPassword,
  onClose,
}: {
  hasPassword: boolean
  onClose: () => void
}) {
  const [password, setPassword] = useState('')
  const [isOn, setOn] = useState(false)
  const begin = useMutation({
    mutationFn: () =>
      dataOf(auth.POST('/auth/two-factor/enable', { body: hasPassword ? { password } : {} })),
  })
  const errors = begin.error instanceof ApiError ? begin.error.fieldErrors : {}
  return (
    <Drawer title={text.account.twoFactorSetUp} isChanged={begin.isSuccess} onClose={onClose}>
      {!begin.data && (
        <form
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            begin.mutate()
          }}
        >
          <p className="text-sm text-soft">{text.account.twoFactorNeeds}</p>
          {hasPassword && (
            <TextField
              label={text.account.currentPassword}
              type="password"
              autoComplete="current-password"
              required
              autoFocus
              value={password}
              onValue={setPassword}
              error={errors.password}
            />
          )}
          {!errors.password && <ErrorNote error={begin.error} />}
          <div>
            <Button type="submit" look="primary" isBusy={begin.isPending}>
              {text.actions.next}
            </Button>
          </div>
        </form>
      )}
      {begin.data && !isOn && <FirstCode setup={begin.data} onOn={() => setOn(true)} />}
      {begin.data && isOn && (
        <>
          <p className="font-semibold">{text.account.twoFactorNowOn}</p>
          <BackupCodes codes={begin.data.backupCodes} />
          <div>
            <Button look="primary" onClick={onClose}>
              {text.account.codesKept}
            </Button>
          </div>
        </>
      )}
    </Drawer>
  )
}

function FirstCode({ setup: { otpauthUrl, secret }, onOn }: { setup: Setup; onOn: () => void }) {
  const [code, setCode] = useState('')
  const queryClient = useQueryClient()
  const verify = useMutation({
    mutationFn: () => ask(auth.POST('/auth/two-factor/verify', { body: { code: code.trim() } })),
    onSuccess: async () => {
      onOn()
      await queryClient.invalidateQueries(twoFactorQuery)
    },
  })
  const errors = verify.error instanceof ApiError ? verify.error.fieldErrors : {}
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        verify.mutate()
      }}
    >
      <p className="text-sm">{text.account.scan}</p>
      <div>
        <QrCode value={otpauthUrl} size={184} />
      </div>
      <div className="flex items-center gap-2">
        <span className="text-sm text-soft">{text.account.typeSecret}</span>
        <code className="min-w-0 font-mono text-sm break-all">{secret}</code>
        <CopyIcon value={secret} label={text.account.copySecret} />
      </div>
      <TextField
        label={text.account.firstCode}
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        autoFocus
        value={code}
        onValue={setCode}
        error={errors.code}
      />
      {!errors.code && <ErrorNote error={verify.error} />}
      <div>
        <Button type="submit" look="primary" isBusy={verify.isPending}>
          {text.account.turnOn}
        </Button>
      </div>
    </form>
  )
}
