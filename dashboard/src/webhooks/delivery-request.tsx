import { CopyButton, CopyIcon } from '../kit/copy-button.tsx'
import { JsonView } from '../kit/json-view.tsx'
import { text } from '../text/webhooks.ts'
import { toCurl } from './curl.ts'
import { HeaderFacts } from './header-facts.tsx'
import type { DeliveryDetail } from './queries.ts'

const SIGNATURE = 'x-service-signature'
const MASK = '********'

/** The request of the latest attempt, with its signature; before the first one, the payload of the event. */
export function DeliveryRequest({
  delivery,
  url,
}: {
  delivery: DeliveryDetail
  /** Of the endpoint, as it is now. */
  url: string | undefined
}) {
  const texts = text.deliveries
  const { requestHeaders, requestBody, payload, attempts } = delivery
  const isSent = requestHeaders !== null && requestBody !== null
  const body = requestBody ?? (payload === null ? null : JSON.stringify(payload))
  const { [SIGNATURE]: signature, ...headers } = requestHeaders ?? {}
  const isMasked = Object.values(headers).includes(MASK)
  return (
    <section aria-label={texts.request} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-sm font-semibold">
          {isSent ? texts.requestOf(attempts) : texts.request}
        </h3>
        {isSent && url && (
          <CopyButton
            look="quiet"
            label={texts.curl}
            value={toCurl({ url, headers: requestHeaders, body: requestBody })}
          />
        )}
      </div>
      {isMasked && <p className="text-sm text-soft">{texts.curlMasked}</p>}
      {isSent && <HeaderFacts headers={headers} />}
      {signature && (
        <Signature value={signature} timestamp={headers['x-service-timestamp'] ?? ''} />
      )}
      {!isSent && body !== null && <p className="text-sm text-soft">{texts.requestPending}</p>}
      {body === null ? (
        <p className="text-sm text-soft">{texts.payloadGone}</p>
      ) : (
        <div className="relative">
          <JsonView text={body} />
          <span className="absolute top-1 end-1 rounded bg-sunk">
            <CopyIcon value={body} label={texts.copyBody} />
          </span>
        </div>
      )}
    </section>
  )
}

function Signature({ value, timestamp }: { value: string; timestamp: string }) {
  return (
    <div className="text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <span className="font-mono text-xs font-semibold">{SIGNATURE}</span>
        <span className="text-xs text-soft">{text.deliveries.signedText(timestamp)}</span>
      </div>
      <div className="flex items-center gap-2 rounded border border-line bg-sunk ps-3">
        <code className="min-w-0 flex-1 py-1 font-mono text-xs break-all">{value}</code>
        <CopyIcon value={value} label={text.deliveries.copySignature} />
      </div>
    </div>
  )
}
