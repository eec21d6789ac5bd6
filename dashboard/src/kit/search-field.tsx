import { useState, type ReactNode } from 'react'
import { INPUT } from './field.tsx'

/** The search of a list, which applies on Enter and once it is emptied, and its other filters. */
export function SearchField({
  label,
  value,
  onValue,
  children,
}: {
  label: string
  value: string | undefined
  onValue: (value: string | undefined) => void
  children?: ReactNode
}) {
  const [typed, setTyped] = useState(value ?? '')
  return (
    <div className="flex flex-wrap gap-2 pb-3">
      <form
        role="search"
        className="min-w-52 flex-1"
        onSubmit={(event) => {
          event.preventDefault()
          onValue(typed.trim() || undefined)
        }}
      >
        <input
          type="search"
          aria-label={label}
          placeholder={label}
          className={INPUT}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            if (target.value === '') onValue(undefined)
          }}
        />
      </form>
      {children}
    </div>
  )
}
