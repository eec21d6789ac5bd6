import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf } from '../api/client.ts'
import { Button } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { Popup } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { text } from '../text/en.ts'
import type { Endpoint } from './queries.ts'

/** The signing secret; each look is a line of the audit log. */
export function SecretPopup({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const path = { id: endpoint.id }
  const [rotated, setRotated] = useState<string | null>(null)
  const secret = useQuery({
    queryKey: ['secret', endpoint.id],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/webhooks/endpoints/{id}/secret', { params: { path }, signal })),
    gcTime: 0,
    staleTime: Infinity,
  })
  const rotate = useMutation({
    mutationFn: () =>
      dataOf(api.POST('/webhooks/endpoints/{id}/secret/rotate', { params: { path } })),
    onSuccess: (answer) => setRotated(answer.secret),
  })
  const value = rotated ?? secret.data?.secret
  return (
    <Popup title={text.webhooks.secret} onClose={onClose}>
      <p className="text-sm text-soft">{text.webhooks.secretExplain}</p>
      <ErrorNote error={secret.error ?? rotate.error} />
      {value && (
        <>
          <code className="rounded border border-line bg-sunk p-3 font-mono text-sm break-all">
            {value}
          </code>
          <div className="flex flex-wrap gap-2">
            <CopyButton value={value} />
            <Button icon="refresh-cw" isBusy={rotate.isPending} onClick={() => rotate.mutate()}>
              {text.webhooks.rotate}
            </Button>
          </div>
        </>
      )}
    </Popup>
  )
}
