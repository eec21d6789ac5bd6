import { useQuery } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { allDomainsQuery } from '../api/domains.ts'
import { usePages } from '../api/pages.ts'
import { useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { Card } from '../kit/layout.tsx'
import { PagedList } from '../kit/paged-list.tsx'
import { ExactTime } from '../kit/time.tsx'
import { useAction } from '../kit/use-action.ts'
import { text } from '../text/link-page.ts'
import { Changes } from './history-changes.tsx'
import { historyQuery, useGroups } from './queries.ts'

/** The versions of a link. A rollback writes a new one, so nothing is lost. */
export function LinkHistory({ linkId, mayWrite }: { linkId: string; mayWrite: boolean }) {
  const { id } = useWorkspace()
  const history = usePages(historyQuery(id, linkId))
  const { rows: entries, total = 0 } = history
  const names = (field: string) => entries.some(({ changes }) => field in changes)
  // Names are read for entries that have them: their counts would delay the figures.
  const groups = useGroups(id, names('folderId') || names('campaignId'))
  const domains = useQuery({ ...allDomainsQuery(id), enabled: names('domainId') }).data
  const params = { path: { id: linkId } }
  const rollback = useAction(
    (historyId: string) =>
      dataOf(api.POST('/links/{id}/rollback', { params, body: { historyId } })),
    { showsErrors: true },
  )
  return (
    <Card className="mt-4" title={text.history.title} note={text.history.note(total)}>
      <ErrorNote error={rollback.error} />
      <PagedList
        isInCard
        label={text.history.title}
        pages={history}
        className="py-2"
        more={text.linkHistory.more}
      >
        {(entry, index) => (
          <li
            key={entry.id}
            className="flex flex-wrap items-start gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-sm first:border-t-0"
          >
            <span className="w-40 shrink-0">
              {index === 0 ? (
                <span className="arm inline-flex min-h-8 items-center gap-1 whitespace-nowrap bg-way ps-3 font-semibold text-on-way">
                  {text.linkHistory.version(total)} {text.history.now}
                </span>
              ) : (
                <span className="inline-flex min-h-8 items-center ps-3">
                  {text.linkHistory.version(total - index)}
                </span>
              )}
            </span>
            <span className="w-36 shrink-0 py-1.5 text-soft">
              <ExactTime at={entry.changedAt} />
            </span>
            <span className="w-36 shrink-0 truncate py-1.5">{actorOf(entry)}</span>
            <Changes entry={entry} names={{ ...groups, domains }} />
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
        )}
      </PagedList>
    </Card>
  )
}

function actorOf({ actor: { name, type } }: Schemas['LinkHistoryEntry']): string {
  const kind = text.history.actors[type] ?? text.history.system
  if (type === 'api_key' && name) return `${kind} ${name}`
  return name ?? kind
}
