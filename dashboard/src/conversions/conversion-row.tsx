import { Link } from '@tanstack/react-router'
import { formatMinorUnits } from '../kit/format.ts'
import { LogTime } from '../kit/time.tsx'
import { text } from '../text/conversions.ts'
import type { Conversion } from './queries.ts'

/** A conversion; its name and customer are what a server of the workspace sent. */
export function ConversionRow({
  conversion,
  workspaceId,
}: {
  conversion: Conversion
  workspaceId: string
}) {
  const { eventName, type, value, currency, customerId, link, reason, occurredAt } = conversion
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 border-t border-line px-4 py-2 text-sm md:grid-cols-[minmax(0,2fr)_minmax(0,2fr)_120px_110px]">
      <div className="min-w-0">
        <p className="font-semibold break-words">{eventName}</p>
        <p className="break-words text-soft">
          {[
            text.conversions.types[type],
            ...(customerId === null ? [] : [text.conversions.customer(customerId)]),
          ].join(', ')}
        </p>
      </div>
      <p className="text-end font-semibold md:order-3">
        {value === 0 ? '' : formatMinorUnits(value, currency)}
      </p>
      <div className="min-w-0 md:order-2">
        {link === null ? (
          <p className="text-soft">{text.conversions.noLink}</p>
        ) : (
          <Link
            to="/$workspaceId/links/$linkId"
            params={{ workspaceId, linkId: link.id }}
            className="inline-block py-1 break-words max-md:py-2.5"
          >
            {link.name ?? text.conversions.deletedLink}
          </Link>
        )}
        <p className="break-words text-soft">{text.conversions.reasons[reason]}</p>
      </div>
      <p className="text-end text-soft md:order-4">
        <LogTime at={occurredAt} />
      </p>
    </li>
  )
}
