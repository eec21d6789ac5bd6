import { useRef } from 'react'
import { Button, IconButton } from '../kit/button.tsx'
import { INPUT } from '../kit/field.tsx'
import type { Bound } from '../kit/use-form.ts'
import { text } from '../text/webhooks.ts'
import type { HeaderDraft } from './endpoint-draft.ts'

/** Headers by name and value; a value that the server has is replaced or kept, never shown. */
export function HeaderRows({ value: headers, error, onValue }: Bound<readonly HeaderDraft[]>) {
  const nextId = useRef(headers.length)
  const set = (id: number, part: Partial<HeaderDraft>) =>
    onValue(headers.map((row) => (row.id === id ? { ...row, ...part } : row)))
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="text-sm font-semibold">{text.webhooks.headers}</legend>
      <p className="text-sm text-soft">{text.webhooks.headersHint}</p>
      {headers.map(({ id, name, value, isKept }) => (
        <div key={id} className="flex gap-2">
          <input
            aria-label={text.webhooks.headerName}
            placeholder="X-Token"
            className={`${INPUT} flex-1 font-mono text-sm!`}
            value={name}
            // A kept value belongs to its name.
            readOnly={isKept}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => set(id, { name: event.target.value })}
          />
          <input
            aria-label={`${text.webhooks.headerValue} ${name}`.trim()}
            placeholder={isKept ? text.webhooks.headerKept : text.webhooks.headerValue}
            className={`${INPUT} flex-1 font-mono text-sm!`}
            value={value}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => set(id, { value: event.target.value })}
          />
          <IconButton
            icon="x"
            label={text.webhooks.removeHeader(name)}
            onClick={() => onValue(headers.filter((row) => row.id !== id))}
          />
        </div>
      ))}
      {error && (
        <p role="alert" className="text-sm text-stop">
          {error}
        </p>
      )}
      <Button
        look="quiet"
        icon="plus"
        className="self-start"
        onClick={() =>
          onValue([...headers, { id: nextId.current++, name: '', value: '', isKept: false }])
        }
      >
        {text.webhooks.addHeader}
      </Button>
    </fieldset>
  )
}
