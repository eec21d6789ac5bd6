import { api, ask } from '../api/client.ts'
import { Confirm } from '../kit/confirm.tsx'
import { text } from '../text/webhooks.ts'
import { EndpointDrawer } from './endpoint-drawer.tsx'
import type { Endpoint } from './queries.ts'
import { ReplayDrawer } from './replay-drawer.tsx'
import type { EndpointPopup } from './search.ts'
import { SecretPopup } from './secret-popup.tsx'
import { TestPopup } from './test-popup.tsx'

type Props = {
  endpoint: Endpoint
  open: EndpointPopup
  onClose: () => void
  /** Shows a delivery that was queued. */
  onDelivery: (deliveryId: string) => void
  /** Leaves the page of the endpoint. */
  onDeleted?: () => Promise<unknown>
}

/** The drawer or popup that the address names, of one endpoint. */
export function EndpointPopups({ endpoint, open, onClose, onDelivery, onDeleted }: Props) {
  switch (open) {
    case 'edit':
      return <EndpointDrawer endpointId={endpoint.id} onClose={onClose} />
    case 'secret':
      return <SecretPopup endpoint={endpoint} onClose={onClose} />
    case 'test':
      return <TestPopup endpoint={endpoint} onClose={onClose} onSent={onDelivery} />
    case 'replay':
      return <ReplayDrawer endpoint={endpoint} onClose={onClose} />
    case 'delete':
      return <DeleteEndpoint endpoint={endpoint} onClose={onClose} onDeleted={onDeleted} />
  }
}

function DeleteEndpoint({
  endpoint: { id, url },
  onClose,
  onDeleted,
}: Pick<Props, 'endpoint' | 'onClose'> & { onDeleted: Props['onDeleted'] | undefined }) {
  const params = { path: { id } }
  return (
    <Confirm
      title={text.webhooks.deleteTitle}
      action={text.webhooks.delete}
      word={new URL(url).hostname}
      told={text.webhooks.deleted}
      onClose={onClose}
      onGone={onDeleted}
      onConfirm={() => ask(api.DELETE('/webhooks/endpoints/{id}', { params }))}
    >
      <p className="pb-2 font-mono break-all">{url}</p>
      {text.webhooks.deleteExplain}
    </Confirm>
  )
}
