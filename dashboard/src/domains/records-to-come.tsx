import { text } from '../text/domains.ts'

/** The two records that a host will need, before it is added: names are known, values are not. */
export function RecordsToCome({ hostname }: { hostname: string }) {
  const host = hostname || text.domains.exampleHost
  const rows = [
    { type: 'TXT', name: `_signpost.${host}`, value: text.domains.tokenToCome },
    { type: 'CNAME', name: host, value: text.domains.targetToCome },
  ]
  return (
    <section aria-label={text.domains.recordsToCome} className="flex flex-col gap-2 text-sm">
      <h3 className="font-semibold">{text.domains.recordsToCome}</h3>
      <ul className="rounded border border-line bg-card">
        {rows.map(({ type, name, value }) => (
          <li
            key={type}
            className="grid grid-cols-[64px_minmax(0,1fr)] gap-x-3 border-t border-line px-3 py-2 first:border-t-0"
          >
            <b className="font-mono font-semibold">{type}</b>
            <span className="font-mono break-all">{name}</span>
            <span className="col-start-2 text-soft">{value}</span>
          </li>
        ))}
      </ul>
      <p className="text-soft">{text.domains.recordsToComeNote}</p>
    </section>
  )
}
