import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { Card } from '../kit/layout.tsx'
import { ExactTime } from '../kit/time.tsx'
import { text } from '../text/en.ts'
import { historyQuery } from './queries.ts'

/** The versions of a link. A rollback writes a new one, so nothing is lost. */
export function LinkHistory({ linkId, mayWrite }: { linkId: string; mayWrite: boolean }) {
  const { id } = useWorkspace()
  const queryClient = useQueryClient()
  const history = useQuery(historyQuery(id, linkId))
  const rollback = useMutation({
    mutationFn: (historyId: string) =>
      dataOf(
        api.POST('/links/{id}/rollback', { params: { path: { id: linkId } }, body: { historyId } }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [id] }),
  })
  const entries = history.data?.data ?? []
  return (
    <Card className="mt-4" title={text.history.title} note={text.history.note(entries.length)}>
      <ErrorNote error={history.error ?? rollback.error} />
      <ol className="py-2">
        {entries.map((entry, index) => (
          <li
            key={entry.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-sm first:border-t-0"
          >
            <span className="w-28 shrink-0">
              {index === 0 ? (
                <span className="arm inline-flex min-h-8 items-center bg-way pl-3 font-semibold text-on-way">
                  {text.history.now}
                </span>
              ) : (
                `v${entries.length - index}`
              )}
            </span>
            <span className="w-40 shrink-0 text-soft">
              <ExactTime at={entry.changedAt} />
            </span>
            <span className="w-36 shrink-0 truncate">{actorOf(entry)}</span>
            <Changes entry={entry} />
            {mayWrite && index > 0 && (
              <Button
                icon="undo-2"
                isBusy={rollback.isPending && rollback.variables === entry.id}
                onClick={() => rollback.mutate(entry.id)}
              >
                {text.history.rollback}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </Card>
  )
}

function actorOf({ actor }: Schemas['LinkHistoryEntry']): string {
  const { name, email, type } = actor as {
    name?: string | null
    email?: string | null
    type?: string
  }
  return name ?? email ?? text.history.actors[type ?? ''] ?? text.history.system
}

function Changes({ entry: { changes } }: { entry: Schemas['LinkHistoryEntry'] }) {
  return (
    <ul className="min-w-40 flex-1">
      {Object.entries(changes).map(([field, change]) => {
        const { from, to } = (change ?? {}) as { from?: unknown; to?: unknown }
        return (
          <li key={field} className="break-all">
            <span className="text-soft">{field}</span>{' '}
            {from !== undefined && from !== null && <s className="text-soft">{show(from)}</s>}{' '}
            <b className="font-semibold">{show(to)}</b>
          </li>
        )
      })}
    </ul>
  )
}

function show(value: unknown): string {
  if (value === null || value === undefined) return text.history.nothing
  return typeof value === 'string' ? value : JSON.stringify(value)
}
