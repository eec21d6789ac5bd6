import { useState } from 'react'
import { usePages } from '../api/pages.ts'
import { useWorkspace } from '../api/workspace.ts'
import { Button, buttonClass } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { Card, Empty } from '../kit/layout.tsx'
import { OnlyFor } from '../kit/only-for.tsx'
import { PagedList } from '../kit/paged-list.tsx'
import { text } from '../text/apps.ts'
import { KeyDrawer } from './key-drawer.tsx'
import { AppRow, KeyRow } from './key-row.tsx'
import { apiKeysQuery } from './queries.ts'

export function ApiKeysPage() {
  return (
    <OnlyFor role="admin">
      <div className="flex flex-col gap-4">
        <ApiKeys />
        <Apps />
      </div>
    </OnlyFor>
  )
}

function ApiKeys() {
  const { id: workspaceId } = useWorkspace()
  const [isCreating, setCreating] = useState(false)
  const keys = usePages(apiKeysQuery(workspaceId, 'key'))
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

/** Keys that apps got by the consent of a user. */
function Apps() {
  const { id: workspaceId } = useWorkspace()
  const apps = usePages(apiKeysQuery(workspaceId, 'app'))
  return (
    <Card title={text.apps.title} note={apps.total !== undefined && text.apps.count(apps.total)}>
      <PagedList
        isInCard
        label={text.apps.title}
        pages={apps}
        empty={<p className="p-4 text-sm text-soft">{text.apps.none}</p>}
      >
        {(key) => <AppRow key={key.id} apiKey={key} />}
      </PagedList>
    </Card>
  )
}
