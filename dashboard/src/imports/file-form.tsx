import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { allDomainsQuery } from '../api/domains.ts'
import { providersQuery } from '../api/providers.ts'
import { useWorkspace } from '../api/workspace.ts'
import { Button, buttonClass } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { SelectField } from '../kit/field.tsx'
import { formatNumber } from '../kit/locale.ts'
import { Icon } from '../kit/icon.tsx'
import { Card } from '../kit/layout.tsx'
import { useAction } from '../kit/use-action.ts'
import { useDrop } from '../kit/use-drop.ts'
import { text } from '../text/imports.ts'
import { ColumnsTable } from './columns-table.tsx'
import { downloadSample } from './files.ts'
import { isJson, startImport, type ImportOptions, type LinkImport, type Source } from './queries.ts'

const BYTES_PER_KIB = 1_024
const SOURCES: readonly Source[] = [
  ...(['csv', 'bitly', 'dub', 'shortio', 'rebrandly', 'yourls', 'kutt'] as const),
  ...(['shlink', 'sink', 'linktree', 'linkstack'] as const),
]
type Handlers = {
  /** Another file, or other options than those of the latest run. */
  onChange: () => void
  onStarted: (started: LinkImport) => void
}

/** The chosen file with its options, and the start of its runs. */
export function useFileImport({ onChange, onStarted }: Handlers) {
  const [file, setFile] = useState<File | null>(null)
  const [options, setOptions] = useState<ImportOptions>({
    source: '',
    onConflict: 'skip',
    domain: '',
    mapping: {},
  })
  const start = useAction(
    ({ dryRun, chosen }: { dryRun: boolean; chosen: File }) => startImport(chosen, options, dryRun),
    { refreshes: [], showsErrors: true, onDone: onStarted },
  )
  return {
    file,
    options,
    error: start.error,
    /** The kind of run that is being sent. */
    sending: start.isPending ? (start.variables.dryRun ? 'dry run' : 'import') : null,
    change(part: Partial<ImportOptions>) {
      setOptions((now) => ({ ...now, ...part }))
      onChange()
    },
    choose(chosen: File) {
      setFile(chosen)
      setOptions((now) => ({ ...now, mapping: {} }))
      start.reset()
      onChange()
    },
    run: (dryRun: boolean) => file && start.mutate({ dryRun, chosen: file }),
  } as const
}
type FileImport = ReturnType<typeof useFileImport>

type Props = {
  form: FileImport
  /** Whether the latest run was a dry one of the same file without a problem that stops it. */
  isChecked: boolean
  /** A workspace has one import at a time. */
  isBusy: boolean
}

/** Chooses a file, says what its columns are, checks it, and imports it. */
export function FileForm({ form, isChecked, isBusy }: Props) {
  const { file, options, error, sending, change, choose, run } = form
  return (
    <Card title={text.imports.fileTitle} note={text.imports.fileNote} className="pb-4">
      <div className="flex flex-col gap-4 px-4 pt-3">
        <DropZone file={file} onFile={choose} />
        {file && (
          <>
            <OptionFields options={options} onOptions={change} />
            {!isJson(file) && (
              <ColumnsTable
                file={file}
                options={options}
                onMapping={(mapping) => change({ mapping })}
              />
            )}
            <ErrorNote error={isChecked ? null : error} />
            <div className="flex flex-wrap gap-2">
              <Button
                look={isChecked ? 'plain' : 'primary'}
                icon="search"
                disabled={isBusy}
                isBusy={sending === 'dry run'}
                onClick={() => run(true)}
              >
                {text.imports.dryRun}
              </Button>
              <Button
                look={isChecked ? 'primary' : 'plain'}
                icon="upload"
                disabled={isBusy}
                isBusy={sending === 'import'}
                onClick={() => run(false)}
              >
                {text.imports.start}
              </Button>
            </div>
          </>
        )}
      </div>
    </Card>
  )
}

function DropZone({ file, onFile }: { file: File | null; onFile: (file: File) => void }) {
  const id = useId()
  const { isOver, target } = useDrop(([dropped]) => dropped && onFile(dropped))
  return (
    <div
      className={`flex items-center gap-2 rounded border-2 border-dashed px-4 ${file ? 'flex-wrap justify-between py-3' : 'flex-col py-6 text-center'} ${isOver ? 'border-way bg-sunk' : 'border-edge'}`}
      {...target}
    >
      {file ? (
        <b className="max-w-full font-semibold break-all">
          {file.name}{' '}
          <span className="font-normal text-soft">
            {text.imports.size(formatNumber(Math.ceil(file.size / BYTES_PER_KIB)))}
          </span>
        </b>
      ) : (
        <>
          <Icon name="file-text" size={28} className="text-soft" />
          <span className="text-soft">{text.imports.drop}</span>
        </>
      )}
      <input
        id={id}
        type="file"
        accept=".csv,.tsv,.txt,.json,text/csv,application/json"
        className="peer sr-only"
        onChange={(event) => {
          const [chosen] = event.target.files ?? []
          if (chosen) onFile(chosen)
        }}
      />
      <label
        htmlFor={id}
        className={buttonClass(
          'plain',
          'cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-lake',
        )}
      >
        {file ? text.imports.chooseOther : text.imports.choose}
      </label>
      {!file && (
        <Button look="quiet" icon="download" onClick={downloadSample}>
          {text.imports.sample}
        </Button>
      )}
    </div>
  )
}

function OptionFields({
  options: { source, onConflict, domain },
  onOptions,
}: {
  options: ImportOptions
  onOptions: (part: Partial<ImportOptions>) => void
}) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <SelectField
        label={text.imports.source}
        hint={source === '' ? text.imports.sourceHint : text.imports.sourceHints[source]}
        value={source}
        options={[
          { value: '' as const, label: text.imports.anySource },
          ...SOURCES.map((value) => ({ value, label: text.imports.sources[value] })),
        ]}
        onValue={(value) => onOptions({ source: value })}
      />
      <SelectField
        label={text.imports.onConflict}
        value={onConflict}
        options={[
          { value: 'skip' as const, label: text.imports.policies.skip },
          { value: 'update' as const, label: text.imports.policies.update },
        ]}
        onValue={(value) => onOptions({ onConflict: value })}
      />
      <DomainField value={domain} onValue={(value) => onOptions({ domain: value })} />
    </div>
  )
}

/** The host of all links, whichever the file names. */
export function DomainField({
  value,
  onValue,
}: {
  value: string
  onValue: (value: string) => void
}) {
  const { id } = useWorkspace()
  const sharedHost = useQuery(providersQuery).data?.meta.shortDomain
  const domains = useQuery(allDomainsQuery(id)).data ?? []
  const hosts = [...(sharedHost ? [sharedHost] : []), ...domains.map(({ hostname }) => hostname)]
  return (
    <SelectField
      label={text.imports.domain}
      hint={text.imports.domainHint}
      value={value}
      options={[
        { value: '', label: text.imports.domainOfFile },
        { value: 'default', label: text.imports.defaultDomain },
        ...hosts.map((host) => ({ value: host, label: host })),
      ]}
      onValue={onValue}
    />
  )
}
