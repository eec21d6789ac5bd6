import { useState } from 'react'
import { api, dataOf } from '../api/client.ts'
import { Button } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { Popup } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { SelectField } from '../kit/field.tsx'
import { ExactTime } from '../kit/time.tsx'
import { useAction } from '../kit/use-action.ts'
import { text } from '../text/webhooks.ts'
import type { Endpoint } from './queries.ts'

/** The signing secret, shown on demand since each look is audited, and its replacement. */
export function SecretPopup({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const params = { path: { id: endpoint.id } }
  const reveal = useAction(() => dataOf(api.GET('/webhooks/endpoints/{id}/secret', { params })), {
    refreshes: [],
    showsErrors: true,
  })
  const rotate = useRotate(endpoint.id)
  const value = rotate.data?.secret ?? reveal.data?.secret
  const validUntil = rotate.data
    ? rotate.data.previousSecretValidUntil
    : endpoint.previousSecretValidUntil
  return (
    <Popup title={text.webhooks.secret} onClose={onClose}>
      <p className="text-sm text-soft">{text.webhooks.secretExplain}</p>
      {value ? (
        <>
          {rotate.data && <p className="text-sm">{text.webhooks.rotated}</p>}
          <SecretText value={value} />
        </>
      ) : (
        <Button icon="eye" isBusy={reveal.isPending} onClick={() => reveal.mutate()}>
          {text.webhooks.reveal}
        </Button>
      )}
      <ErrorNote error={reveal.error} />
      {validUntil && (
        <p className="text-sm">
          {rotate.data ? text.webhooks.oldValidUntil : text.webhooks.previousSecret}{' '}
          <ExactTime at={validUntil} />.
        </p>
      )}
      {rotate.data && !validUntil && <p className="text-sm">{text.webhooks.oldInvalid}</p>}
      {!rotate.data && <RotateForm rotate={rotate} />}
    </Popup>
  )
}

/** A secret as text, with a button that copies it. */
export function SecretText({ value }: { value: string }) {
  return (
    <div className="flex flex-col items-start gap-2">
      <code className="w-full rounded border border-line bg-sunk p-3 font-mono text-sm break-all">
        {value}
      </code>
      <CopyButton value={value} />
    </div>
  )
}

function useRotate(id: string) {
  return useAction(
    (overlapHours: number) =>
      dataOf(
        api.POST('/webhooks/endpoints/{id}/secret/rotate', {
          params: { path: { id }, query: { overlapHours } },
        }),
      ),
    { showsErrors: true },
  )
}

function RotateForm({ rotate }: { rotate: ReturnType<typeof useRotate> }) {
  const { overlaps } = text.webhooks
  const [hours, setHours] = useState(overlaps[0]!.value)
  return (
    <details className="border-t border-line pt-3">
      <summary className="min-h-9 text-sm font-semibold max-md:min-h-11">
        {text.webhooks.rotate}
      </summary>
      <div className="flex flex-col items-start gap-3">
        <p className="text-sm text-soft">{text.webhooks.rotateExplain}</p>
        <SelectField
          label={text.webhooks.overlap}
          value={hours}
          options={overlaps}
          onValue={setHours}
        />
        <ErrorNote error={rotate.error} />
        <Button
          look="danger"
          icon="refresh-cw"
          isBusy={rotate.isPending}
          onClick={() => rotate.mutate(Number(hours))}
        >
          {text.webhooks.rotateNow}
        </Button>
      </div>
    </details>
  )
}
