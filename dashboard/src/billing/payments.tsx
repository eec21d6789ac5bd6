import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../api/client.ts'
import { useWorkspace } from '../api/workspace.ts'
import { ErrorNote } from '../kit/error-note.tsx'
import { formatDay, formatMinorUnits } from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import { Card, Skeleton } from '../kit/layout.tsx'
import { text } from '../text/billing.ts'
import { paymentsQuery } from './queries.ts'

const LINK = 'inline-flex min-h-8 items-center gap-1 max-md:min-h-11'

export function Payments() {
  const { id } = useWorkspace()
  const payments = useQuery(paymentsQuery(id))
  if (payments.error && !payments.data)
    return <ErrorNote error={payments.error} onRetry={() => void payments.refetch()} />
  if (!payments.data) return <Skeleton rows={3} />
  const { invoices, methods } = payments.data
  return (
    <>
      <Card title={text.billing.payment}>
        <ul className="px-4 pt-1 pb-4 text-sm">
          {methods.length === 0 && <li className="text-soft">{text.billing.noPayment}</li>}
          {methods.map((method) => (
            <Method key={method.id} method={method} />
          ))}
        </ul>
      </Card>
      <Card title={text.billing.invoices}>
        {invoices.length === 0 && (
          <p className="px-4 pb-4 text-sm text-soft">{text.billing.noInvoices}</p>
        )}
        <ul className="pt-2">
          {invoices.map((invoice) => (
            <InvoiceRow key={invoice.id} invoice={invoice} />
          ))}
        </ul>
      </Card>
    </>
  )
}

function Method({ method }: { method: Schemas['PaymentMethod'] }) {
  const { type, brand, last4, expiryMonth, expiryYear } = method
  return (
    <li className="flex min-h-9 flex-wrap items-center gap-x-2">
      <Icon name="credit-card" className="text-soft" />
      <span className="font-semibold">{brand ?? type}</span>
      {last4 && <span>{text.billing.endsWith(last4)}</span>}
      {expiryMonth !== null && expiryYear !== null && (
        <span className="text-soft">{text.billing.expires(`${expiryMonth}/${expiryYear}`)}</span>
      )}
    </li>
  )
}

function InvoiceRow({ invoice }: { invoice: Schemas['Invoice'] }) {
  const { number, status, amountDue, currency, createdAt, url, pdfUrl } = invoice
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-4 border-t border-line px-4 text-sm first:border-t-0">
      <span>{formatDay(createdAt)}</span>
      <span className="text-soft">{number ?? text.billing.invoice}</span>
      <b className="font-semibold">{formatMinorUnits(amountDue, currency)}</b>
      <span className="text-soft">{status}</span>
      <span className="ms-auto flex gap-3">
        {url && (
          <a href={url} target="_blank" rel="noreferrer noopener" className={LINK}>
            <Icon name="external-link" /> {text.billing.open}
          </a>
        )}
        {pdfUrl && (
          <a href={pdfUrl} target="_blank" rel="noreferrer noopener" className={LINK}>
            <Icon name="download" /> {text.billing.pdf}
          </a>
        )}
      </span>
    </li>
  )
}
