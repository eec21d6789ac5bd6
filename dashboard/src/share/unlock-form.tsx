import { useState, type FormEvent } from 'react'
import type { Visit } from '../api/visit.ts'
import { Button } from '../kit/button.tsx'
import { TextField } from '../kit/field.tsx'
import { formatSpan } from '../kit/format.ts'
import { text } from '../text/share.ts'
import { Sign } from './sign.tsx'

const MAX_CHARS = 256

/** Asks for the password of a shared dashboard. */
export function UnlockForm({ open }: { open: (password: string) => Promise<Visit> }) {
  const [password, setPassword] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | undefined>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(errorOf(await open(password)))
    setBusy(false)
  }
  return (
    <Sign title={text.share.locked.title}>
      <p className="text-soft">{text.share.locked.intro}</p>
      <form className="mt-5 flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <TextField
          label={text.share.locked.label}
          type="password"
          required
          autoFocus
          autoComplete="off"
          maxLength={MAX_CHARS}
          value={password}
          onValue={setPassword}
          error={error}
        />
        <Button type="submit" look="primary" icon="lock-open" isBusy={isBusy}>
          {text.share.locked.open}
        </Button>
        <p className="text-sm text-soft">{text.share.locked.cookie}</p>
      </form>
    </Sign>
  )
}

function errorOf(visit: Visit): string | undefined {
  if (visit.kind === 'locked') return text.share.locked.wrong
  if (visit.kind !== 'failed') return undefined
  const { retryAfter } = visit
  return retryAfter === null
    ? text.share.locked.failed
    : text.share.locked.wait(formatSpan(retryAfter * 1_000))
}
