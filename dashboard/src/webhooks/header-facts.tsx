/** Headers as they were on the wire, by name. */
export function HeaderFacts({ headers }: { headers: Readonly<Record<string, string>> | null }) {
  if (!headers) return null
  return (
    <dl className="grid grid-cols-[minmax(0,auto)_minmax(0,1fr)] gap-x-4 py-2 font-mono text-xs">
      {Object.entries(headers).map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="break-all text-soft">{name}</dt>
          <dd className="break-all">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
