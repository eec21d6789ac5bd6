import { useState } from 'react'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { TextField } from '../kit/field.tsx'
import { Card } from '../kit/layout.tsx'
import { useAction } from '../kit/use-action.ts'
import { text } from '../text/imports.ts'
import { DomainField } from './file-form.tsx'
import { startShlinkImport, type LinkImport } from './queries.ts'

type Props = {
  /** A workspace has one import at a time. */
  isBusy: boolean
  onStarted: (started: LinkImport) => void
}

/** Imports from the API of a Shlink server, whose key is sent once and kept nowhere in the browser. */
export function ShlinkForm({ isBusy, onStarted }: Props) {
  const [source, setSource] = useState({ baseUrl: '', apiKey: '', domain: '' })
  const start = useAction((dryRun: boolean) => startShlinkImport(source, dryRun), {
    refreshes: [],
    showsErrors: true,
    onDone: onStarted,
  })
  const isReady = source.baseUrl !== '' && source.apiKey !== '' && !isBusy
  const change = (part: Partial<typeof source>) => setSource((now) => ({ ...now, ...part }))
  return (
    <Card title={text.imports.shlinkTitle} note={text.imports.shlinkNote} className="pb-4">
      <div className="flex flex-col gap-4 px-4 pt-3">
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            label={text.imports.shlinkUrl}
            type="url"
            value={source.baseUrl}
            onValue={(baseUrl) => change({ baseUrl })}
          />
          <TextField
            label={text.imports.shlinkKey}
            type="password"
            autoComplete="off"
            value={source.apiKey}
            onValue={(apiKey) => change({ apiKey })}
          />
          <DomainField value={source.domain} onValue={(domain) => change({ domain })} />
        </div>
        <ErrorNote error={start.error} />
        <div className="flex flex-wrap gap-2">
          <Button
            icon="search"
            disabled={!isReady}
            isBusy={start.isPending && start.variables}
            onClick={() => start.mutate(true)}
          >
            {text.imports.dryRun}
          </Button>
          <Button
            icon="download"
            disabled={!isReady}
            isBusy={start.isPending && !start.variables}
            onClick={() => start.mutate(false)}
          >
            {text.imports.start}
          </Button>
        </div>
      </div>
    </Card>
  )
}
