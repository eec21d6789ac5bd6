import { CopyIcon } from '../kit/copy-button.tsx'
import { text } from '../text/webhooks.ts'

const RUN = 'SECRET=whsec_… PORT=4000 node receive.mjs'

const RECEIVER = `// ${RUN}
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

/** rawBody: the bytes as they arrived, before any JSON parser saw them. */
function isGenuine(secret, header, rawBody) {
  const [, timestamp, signature] = /^t=(\\d{1,15}),v1=([0-9a-f]{64})$/.exec(header) ?? []
  if (signature === undefined || Math.abs(Date.now() / 1000 - timestamp) > 300) return false
  const expected = createHmac('sha256', secret).update(\`t.\${timestamp}.\`).update(rawBody)
  return timingSafeEqual(expected.digest(), Buffer.from(signature, 'hex'))
}

createServer(async (req, res) => {
  const chunks = []
  for await (const chunk of req) chunks.push(chunk)
  const rawBody = Buffer.concat(chunks)
  const header = req.headers['x-service-signature'] ?? ''
  if (!isGenuine(process.env.SECRET, header, rawBody)) return res.writeHead(401).end()
  const { id, type, data } = JSON.parse(rawBody)
  console.log(type, id, data) // one id may come twice: handle it once
  res.writeHead(204).end()
}).listen(process.env.PORT ?? 4000)
`

/** A whole receiver that checks the signature, to copy. */
export function ReceiverSample() {
  return (
    <section aria-label={text.webhooks.receiver} className="flex min-w-0 flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-base font-semibold">{text.webhooks.receiver}</h3>
        <CopyIcon value={RECEIVER} label={text.webhooks.copyCode} />
      </div>
      <p className="text-sm text-soft">{text.webhooks.receiverExplain}</p>
      <Code label={text.webhooks.receiver}>{RECEIVER}</Code>
    </section>
  )
}

/** The command for those whose machine no delivery can reach. */
export function ListenCommand() {
  const command = `SIGNPOST_API_KEY=… npm run -s signpost -- listen --url ${location.origin} --to http://localhost:4000/hook`
  return (
    <section aria-label={text.webhooks.listen} className="flex min-w-0 flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-base font-semibold">{text.webhooks.listen}</h3>
        <CopyIcon value={command} label={text.webhooks.copyCommand} />
      </div>
      <p className="text-sm text-soft">{text.webhooks.listenExplain}</p>
      <Code label={text.webhooks.listen}>{command}</Code>
    </section>
  )
}

function Code({ label, children }: { label: string; children: string }) {
  return (
    <pre
      tabIndex={0}
      role="group"
      aria-label={label}
      className="max-h-96 overflow-auto rounded border border-line bg-sunk p-3 text-start font-mono text-xs leading-5 [font-variant-ligatures:none]"
    >
      <code>{children}</code>
    </pre>
  )
}
