import type { Point } from '../charts/line-chart.tsx'
import { text } from '../text/figures.ts'

/** A series as a table, with the columns that are named. */
export function SeriesTable({
  points,
  columns,
}: {
  points: readonly Point[]
  columns: readonly { name: string; show: (point: Point, at: number) => string }[]
}) {
  return (
    <details className="px-4 pb-3 text-sm">
      <summary className="min-h-8 text-soft max-md:min-h-11">{text.figures.asTable}</summary>
      <table className="w-full text-start">
        <thead className="text-soft">
          <tr>
            <th scope="col">{text.figures.bucket}</th>
            {columns.map(({ name }) => (
              <th key={name} scope="col" className="text-end">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map((point, at) => (
            <tr key={at}>
              <td>{point.longLabel}</td>
              {columns.map(({ name, show }) => (
                <td key={name} className="text-end">
                  {show(point, at)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
