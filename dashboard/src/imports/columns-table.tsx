import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../api/workspace.ts'
import { ErrorNote } from '../kit/error-note.tsx'
import { text } from '../text/imports.ts'
import { readPreview, type Preview } from './files.ts'
import { columnsQuery, type Field, type ImportOptions } from './queries.ts'

/** Bounds of the server on the first row of a file. */
const MAX_COLUMNS = 200
const MAX_CHARS = 200
/** Fields that a column can be put into; a service's own columns find theirs by themselves. */
const FIELDS = [
  'name',
  'destinationUrl',
  'slug',
  'tags',
  'folder',
  'campaign',
  'externalId',
  'expiresAt',
  'startsAt',
  'maxClicks',
  'expiredUrl',
  'password',
  'status',
  'redirectType',
  'iosDeepLink',
  'androidDeepLink',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmTerm',
  'utmContent',
  'metadata',
] as const
const LEFT_OUT = '-'

type Mapping = ImportOptions['mapping']

/** The first rows as they are; above each column, the field as which the server reads it, or which the user has chosen. */
export function ColumnsTable({
  file,
  options,
  onMapping,
}: {
  file: File
  options: Pick<ImportOptions, 'source' | 'mapping'>
  onMapping: (mapping: Mapping) => void
}) {
  const preview = useQuery<Preview>({
    queryKey: ['preview', file.name, file.size, file.lastModified],
    queryFn: () => readPreview(file),
    gcTime: 0,
  })
  const { id: workspaceId } = useWorkspace()
  const { mapping } = options
  const header = preview.data?.columns.map((column) => column.slice(0, MAX_CHARS)) ?? []
  const recognized = useQuery({
    ...columnsQuery(workspaceId, header, options),
    enabled: header.length > 0 && header.length <= MAX_COLUMNS,
  })
  if (!preview.data) return <ErrorNote error={preview.error} />
  const { columns, rows } = preview.data
  const set = (column: string, field: string) => {
    const { [column]: _before, ...others } = mapping
    if (field === '') onMapping(others)
    else onMapping({ ...others, [column]: field === LEFT_OUT ? null : field })
  }
  const guesses = recognized.data?.columns ?? []
  const missing = recognized.data?.missing ?? []
  return (
    <>
      {recognized.data && (
        <p className="text-sm text-soft" role="status">
          {text.imports.recognizedAs(text.imports.sources[recognized.data.source])}{' '}
          {missing.length > 0 && (
            <b className="font-semibold text-stop">
              {text.imports.missing(missing.map((field) => fieldLabel(field as Field)).join(', '))}
            </b>
          )}
        </p>
      )}
      <div
        className="overflow-x-auto rounded border border-line"
        tabIndex={0}
        role="region"
        aria-label={text.imports.preview}
      >
        <table className="w-full text-start text-sm">
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th key={index} className="min-w-36 px-3 py-2 align-bottom font-semibold">
                  <span className="block max-w-60 truncate">{column}</span>
                  <FieldSelect
                    column={column}
                    chosen={mapping[column]}
                    guess={guesses[index]?.field}
                    onField={(field) => set(column, field)}
                  />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index} className="border-t border-line">
                {columns.map((_, at) => (
                  <td key={at} className="max-w-60 truncate px-3 py-1.5 font-mono text-xs">
                    {row[at]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function FieldSelect({
  column,
  chosen,
  guess,
  onField,
}: {
  column: string
  /** The choice of the user; null leaves the column out. */
  chosen: string | null | undefined
  guess: Field | null | undefined
  onField: (field: string) => void
}) {
  return (
    <select
      aria-label={text.imports.fieldOf(column)}
      className="mt-1 min-h-8 w-full rounded border border-edge bg-card text-xs font-normal max-md:min-h-11"
      value={chosen === null ? LEFT_OUT : (chosen ?? '')}
      onChange={(event) => onField(event.target.value)}
    >
      <option value="">{chosen === undefined ? toGuess(guess) : text.imports.byName}</option>
      <option value={LEFT_OUT}>{text.imports.leftOut}</option>
      {FIELDS.map((field) => (
        <option key={field} value={field}>
          {text.imports.fields[field]}
        </option>
      ))}
    </select>
  )
}

/** The first entry of a column's list: what happens to it unless the user chooses. */
function toGuess(field: Field | null | undefined): string {
  if (field === undefined) return text.imports.byName
  return field === null ? text.imports.notImported : text.imports.recognized(fieldLabel(field))
}

function fieldLabel(field: Field): string {
  return (text.imports.fields as Partial<Record<Field, string>>)[field] ?? field
}
