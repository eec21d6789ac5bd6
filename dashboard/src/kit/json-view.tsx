/** JSON as text nodes with colored tokens and line numbers; never HTML. */
export function JsonView({ text: source }: { text: string }) {
  const lines = pretty(source).split('\n')
  return (
    <pre
      tabIndex={0}
      className="max-h-96 overflow-auto rounded border border-line bg-sunk p-3 font-mono text-xs leading-5"
    >
      {lines.map((line, index) => (
        <div key={index} className="flex gap-4">
          <span aria-hidden="true" className="w-8 shrink-0 text-end text-soft select-none">
            {index + 1}
          </span>
          <code className="break-all whitespace-pre-wrap">{color(line)}</code>
        </div>
      ))}
    </pre>
  )
}

function pretty(source: string): string {
  try {
    return JSON.stringify(JSON.parse(source), null, 2)
  } catch {
    return source
  }
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi

function color(line: string) {
  const parts = []
  let from = 0
  for (const match of line.matchAll(TOKEN)) {
    parts.push(line.slice(from, match.index))
    const isKey = match[2] !== undefined
    const className = isKey ? 'text-soft' : match[1] ? 'text-lake' : 'text-warn'
    parts.push(
      <span key={match.index} className={className}>
        {match[0]}
      </span>,
    )
    from = match.index + match[0].length
  }
  parts.push(line.slice(from))
  return parts
}
