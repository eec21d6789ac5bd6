import { Card } from '../kit/layout.tsx'
import { text } from '../text/shared.ts'

/** The totals, the chart and the first cards, before their numbers arrive. */
export function FiguresSkeleton() {
  return (
    <div
      role="status"
      aria-label={text.actions.loading}
      className="flex animate-appear flex-col gap-4"
    >
      <Card className="grid grid-cols-3 gap-4 p-4 max-md:grid-cols-2">
        {['w-20', 'w-16', 'w-12'].map((width) => (
          <div key={width} className="flex flex-col gap-3">
            <Bar className={width} />
            <Bar className="w-3/5" />
          </div>
        ))}
      </Card>
      <Card className="flex h-90 flex-col gap-4 p-4">
        <Bar className="w-32" />
        <div className="flex-1 rounded-sm bg-sunk" />
      </Card>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-2">
        <RowsSkeleton />
        <RowsSkeleton />
      </div>
    </div>
  )
}

function RowsSkeleton() {
  return (
    <Card className="flex flex-col gap-5 p-4">
      {['w-1/3', 'w-full', 'w-3/4', 'w-1/2', 'w-2/5'].map((width) => (
        <Bar key={width} className={width} />
      ))}
    </Card>
  )
}

function Bar({ className }: { className: string }) {
  return <span className={`block h-3 rounded-sm bg-sunk ${className}`} />
}
