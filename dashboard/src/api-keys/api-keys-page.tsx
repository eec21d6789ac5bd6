import { useState } from 'react'
import { usePages } from '../api/pages.ts'
import { useWorkspace } from '../api/workspace.ts'
import { Button, buttonClass } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { Card, Empty } from '../kit/layout.tsx'
import { OnlyFor } from '../kit/only-for.tsx'
import { PagedList } from '../kit/paged-list.tsx'
import { text } from '../text/api-keys.ts'
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
  const keys = usePages(apiKeysQuery(workspaceId))
  const { total } = keys
  return (
    <>
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
        <PagedList
          isInCard
          label={text.apiKeys.title}
          pages={keys}
          empty={
            <Empty icon="key-round" title={text.apiKeys.none}>
              {text.apiKeys.noneExplain}
            </Empty>
          }
        >
          {(key) => <KeyRow key={key.id} apiKey={key} />}
        </PagedList>
      </Card>
      {isCreating && <KeyDrawer onClose={() => setCreating(false)} />}
    </>
  )
}
