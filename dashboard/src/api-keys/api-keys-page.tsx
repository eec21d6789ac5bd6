import { useState } from 'react'
import { usePages } from '../api/pages.ts'
import { useWorkspace } from '../api/workspace.ts'
import { Button, buttonClass } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { Icon } from '../kit/icon.tsx'
import { Card, Empty, Skeleton } from '../kit/layout.tsx'
import { OnlyFor } from '../kit/only-for.tsx'
import { text } from '../text/en.ts'
import { KeyDrawer } from './key-drawer.tsx'
import { KeyRow } from './key-row.tsx'
import { apiKeysQuery } from './queries.ts'

export function ApiKeysPage() {
  return (
    <OnlyFor role="admin">
      <ApiKeys />
    </OnlyFor>
  )
}

function ApiKeys() {
  const { id: workspaceId } = useWorkspace()
  const [isCreating, setCreating] = useState(false)
  const { list: keys, rows, total } = usePages(apiKeysQuery(workspaceId))
  return (
    <>
      <ErrorNote error={keys.error} onRetry={() => void keys.refetch()} />
      <Card
        title={text.apiKeys.title}
        note={total !== undefined && text.apiKeys.count(total)}
        action={
          <span className="flex flex-wrap gap-2">
            <a href="/v1/reference" target="_blank" rel="noreferrer" className={buttonClass()}>
              <Icon name="external-link" /> {text.apiKeys.reference}
            </a>
            <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
              {text.apiKeys.new_}
            </Button>
          </span>
        }
      >
        {keys.isPending && <Skeleton rows={3} height={64} />}
        {keys.data && rows.length === 0 && (
          <Empty icon="key-round" title={text.apiKeys.none}>
            {text.apiKeys.noneExplain}
          </Empty>
        )}
        <ul className="pt-2">
          {rows.map((key) => (
            <KeyRow key={key.id} apiKey={key} />
          ))}
        </ul>
        {keys.hasNextPage && (
          <div className="p-3">
            <Button isBusy={keys.isFetchingNextPage} onClick={() => void keys.fetchNextPage()}>
              {text.actions.more}
            </Button>
          </div>
        )}
      </Card>
      {isCreating && <KeyDrawer onClose={() => setCreating(false)} />}
    </>
  )
}
