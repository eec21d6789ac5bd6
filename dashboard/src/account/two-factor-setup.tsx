import { useState } from 'react'
import { ask, auth, dataOf, type AuthSchemas } from '../api/client.ts'
import { Button } from '../kit/button.tsx'
import { CopyIcon } from '../kit/copy-button.tsx'
import { Drawer } from '../kit/drawer.tsx'
import { TextField } from '../kit/field.tsx'
import { PageForm } from '../kit/page-form.tsx'
import { QrCode } from '../kit/qr-code.tsx'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/account.ts'
import { BackupCodes } from './backup-codes.tsx'
import { twoFactorQuery } from './queries.ts'
import { PasswordField } from './section.tsx'

type Setup = AuthSchemas['TwoFactorSetup']

/** Password, then the key for the app and a first code of it, then the backup codes. */
export function TwoFactorSetup({
  hasPassword,
  onClose,
}: {
  hasPassword: boolean
  onClose: () => void
}) {
  const [isOn, setOn] = useState(false)
  const form = useForm({
    start: () => ({ password: '' }),
    save: (body) => dataOf(auth.POST('/auth/two-factor/enable', { body: hasPassword ? body : {} })),
  })
  const setup = form.saved
  return (
    <Drawer title={text.account.twoFactorSetUp} isChanged={setup !== undefined} onClose={onClose}>
      {!setup && (
        <PageForm form={form} action={text.actions.next} button={{ look: 'primary' }}>
          <p className="text-sm text-soft">{text.account.twoFactorNeeds}</p>
          {hasPassword && <PasswordField autoFocus {...form.field('password')} />}
        </PageForm>
      )}
      {setup && !isOn && <FirstCode setup={setup} onOn={() => setOn(true)} />}
      {setup && isOn && (
        <>
          <p className="font-semibold">{text.account.twoFactorNowOn}</p>
          <BackupCodes codes={setup.backupCodes} />
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
  const form = useForm({
    start: () => ({ code: '' }),
    save: ({ code }) => ask(auth.POST('/auth/two-factor/verify', { body: { code: code.trim() } })),
    refreshes: [twoFactorQuery.queryKey],
    onSaved: onOn,
  })
  return (
    <PageForm form={form} action={text.account.turnOn} button={{ look: 'primary' }}>
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
        {...form.field('code')}
      />
    </PageForm>
  )
}
