import { useId, type ComponentProps, type ReactNode } from 'react'
import { getTimeZone } from './locale.ts'
import { Icon } from './icon.tsx'

export const INPUT =
  'w-full min-h-9 max-md:min-h-11 rounded border border-edge bg-card px-3 text-base text-ink placeholder:text-soft disabled:opacity-60 aria-invalid:border-stop'

type Wrapped = { id: string; 'aria-invalid': boolean | undefined; 'aria-describedby': string }

/** A label, a control, and below it a hint or the error of the server for this very field. */
export function Field({
  label,
  hint,
  error,
  note,
  children,
}: {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  /** At the right of the label: a count, a state. */
  note?: ReactNode
  children: (control: Wrapped) => ReactNode
}) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-sm font-semibold">
          {label}
        </label>
        {note && <span className="text-xs text-soft">{note}</span>}
      </div>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': `${id}-hint` })}
      <div id={`${id}-hint`} className="min-h-0 text-sm" aria-live="polite">
        {error ? (
          <span className="flex items-start gap-1 text-stop">
            <Icon name="circle-alert" className="mt-0.5" /> {error}
          </span>
        ) : (
          hint && <span className="text-soft">{hint}</span>
        )}
      </div>
    </div>
  )
}

/** What the server refuses of fields that have no place of their own for it. */
export function FieldError({ children }: { children: string | undefined }) {
  return (
    children && (
      <p role="alert" className="text-sm text-stop">
        {children}
      </p>
    )
  )
}

type TextFieldProps = Omit<ComponentProps<'input'>, 'onChange' | 'value'> & {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  note?: ReactNode
  value: string
  onValue: (value: string) => void
}

export function TextField({
  label,
  hint,
  error,
  note,
  value,
  onValue,
  className = '',
  ...rest
}: TextFieldProps) {
  const zone = rest.type === 'datetime-local' ? getTimeZone() : undefined
  return (
    <Field label={label} hint={hint} error={error} note={note ?? zone}>
      {(control) => (
        <input
          {...control}
          {...rest}
          className={`${INPUT} ${className}`}
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  )
}

type SelectFieldProps<T extends string> = {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  value: T
  options: readonly { value: T; label: string }[]
  onValue: (value: T) => void
  disabled?: boolean
}

export function SelectField<T extends string>({
  label,
  hint,
  error,
  value,
  options,
  onValue,
  disabled,
}: SelectFieldProps<T>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <select
          {...control}
          className={INPUT}
          value={value}
          disabled={disabled}
          onChange={(event) => onValue(event.target.value as T)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

type AreaFieldProps = Omit<ComponentProps<'textarea'>, 'onChange' | 'value'> &
  Pick<TextFieldProps, 'label' | 'hint' | 'error' | 'value' | 'onValue'>

/** A text of several lines. */
export function AreaField({
  label,
  hint,
  error,
  value,
  onValue,
  className = '',
  ...rest
}: AreaFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <textarea
          {...control}
          rows={3}
          {...rest}
          className={`${INPUT} py-1.5 ${className}`}
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  )
}

export function CheckField({
  label,
  hint,
  error,
  value,
  onValue,
  disabled,
}: {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  value: boolean
  onValue: (value: boolean) => void
  disabled?: boolean
}) {
  const id = useId()
  return (
    <div className="flex items-start gap-2 min-h-9 max-md:min-h-11 py-1">
      <input
        id={id}
        type="checkbox"
        className="mt-1 size-4 accent-lake"
        checked={value}
        disabled={disabled}
        aria-invalid={error ? true : undefined}
        aria-describedby={(error ?? hint) ? `${id}-hint` : undefined}
        onChange={(event) => onValue(event.target.checked)}
      />
      <div>
        <label htmlFor={id} className="text-sm font-semibold">
          {label}
        </label>
        {(error ?? hint) && (
          <div
            id={`${id}-hint`}
            role={error ? 'alert' : undefined}
            className={`text-sm ${error ? 'text-stop' : 'text-soft'}`}
          >
            {error ?? hint}
          </div>
        )}
      </div>
    </div>
  )
}
