import type { QueryKey } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { conflictingFields, currentOf, isSame, mergeDrafts } from '../api/conflict.ts'
import { fieldErrorsOf } from '../api/errors.ts'
import { useAction } from './use-action.ts'

/** The properties by which a field of the kit shows and changes a part of a draft. */
export type Bound<Value> = {
  value: Value
  onValue(value: Value): void
  error: string | undefined
}

export type Form<Draft> = {
  draft: Draft
  /** As it was when the form opened, or was saved last. */
  before: Draft
  isChanged: boolean
  change(part: Partial<Draft>): void
  /** @param path of the field in the request, where its name is another one */
  field<Name extends keyof Draft & string>(name: Name, path?: string): Bound<Draft[Name]>
  /** The error of a field or of anything in it: `rules` has the error of `rules.0.url`. */
  errorAt(path: string): string | undefined
  /** A refusal that belongs to no field, and is no conflict. */
  error: unknown
  /** Set when another user has changed the same before this save. */
  conflict: Conflict<Draft> | null
  isSaving: boolean
  save(): void
  /** Goes to the first field that is refused. */
  focusRefused(): void
  /** Of the element. */
  id: string
}

export type Conflict<Draft> = {
  theirs: Draft
  /** Fields that the other user has changed, other than to what this user wants. */
  fields: (keyof Draft)[]
  /** Goes on from the current version. */
  resolve(keepsMine: boolean): void
}

/** What a save goes by beside the draft. */
export type From<Draft, Extra = undefined> = {
  before: Draft
  /** The version that the draft began from. */
  etag: string | null
  /** What the button adds to the draft. */
  extra?: Extra | undefined
}

type Options<Draft, Saved, Extra> = {
  /** The fields at first. */
  start: () => Draft
  /** What was typed earlier, where that differs. */
  typed?: (() => Draft | null) | undefined
  save: (draft: Draft, from: From<Draft, Extra>) => Promise<Saved>
  /** The version that `start` is of, and the fields of a version that came between. */
  version?: { etag: string | null; draftOf: (current: never) => Draft }
  refreshes?: readonly QueryKey[]
  /** Refusals by their field, where the answer has none. */
  toFieldErrors?: (error: unknown) => Record<string, string>
  told?: (saved: Saved) => string | undefined
  onSaved?: (saved: Saved) => unknown
  onChange?: (draft: Draft) => void
}

/** The draft of a form, its save, and what the server refuses of it. */
export function useForm<Draft extends object, Saved, Extra = undefined>({
  version,
  save,
  toFieldErrors = fieldErrorsOf,
  refreshes,
  told,
  onSaved,
  ...drafts
}: Options<Draft, Saved, Extra>) {
  const { draft, before, etag, change, restart } = useDraft(version?.etag ?? null, drafts)
  const toConflict = (error: unknown) => {
    const found = version ? currentOf(error) : null
    if (!version || !found) return null
    const theirs = version.draftOf(found.current as never)
    return { theirs, etag: found.etag, fields: conflictingFields(before, draft, theirs) }
  }
  const action = useAction(
    (extra: Extra | undefined) =>
      save(draft, { before, etag, extra }).catch((error: unknown) => {
        const conflict = toConflict(error)
        if (conflict?.fields.length !== 0) throw error
        // The other change touched nothing that the form would overwrite.
        return save(draft, { before, etag: conflict.etag, extra })
      }),
    { showsErrors: true, told, onDone: onSaved, ...(refreshes && { refreshes }) },
  )
  const { id, focusRefused } = useFocusOnRefused(action.error)
  const found = toConflict(action.error)
  const conflict: Conflict<Draft> | null = found && {
    ...found,
    resolve: (keepsMine) => {
      restart(found.theirs, found.etag, mergeDrafts(before, draft, found.theirs, keepsMine))
      action.reset()
    },
  }
  const errors = toFieldErrors(action.error)
  const errorAt = (path: string) =>
    errors[path] ?? Object.entries(errors).find(([key]) => key.startsWith(`${path}.`))?.[1]
  const form: Form<Draft> = {
    ...{ id, draft, before, change, errorAt, conflict, focusRefused },
    isChanged: !isSame(draft, before),
    field: (name, path = name) => ({
      value: draft[name],
      onValue: (value) => change({ [name]: value } as unknown as Partial<Draft>),
      error: errorAt(path),
    }),
    error: conflict || Object.keys(errors).length > 0 ? null : action.error,
    isSaving: action.isPending,
    save: () => action.mutate(undefined),
  }
  return {
    ...form,
    save: (extra?: Extra) => action.mutate(extra),
    restart,
    etag,
    saved: action.data,
    refusal: action.error,
  }
}

type DraftOptions<Draft> = Pick<Options<Draft, never, never>, 'start' | 'typed' | 'onChange'>

function useDraft<Draft extends object>(
  firstEtag: string | null,
  { start, typed, onChange }: DraftOptions<Draft>,
) {
  const [before, setBefore] = useState(start)
  const [draft, setDraft] = useState(() => typed?.() ?? before)
  const [etag, setEtag] = useState(firstEtag)
  return {
    ...{ before, draft, etag },
    change: (part: Partial<Draft>) => {
      setDraft((now) => ({ ...now, ...part }))
      onChange?.({ ...draft, ...part })
    },
    /** Goes on from another version. */
    restart: (from: Draft, nextEtag: string | null, next = from) => {
      setBefore(from)
      setDraft(next)
      setEtag(nextEtag)
    },
  }
}

/** Goes to the first field that is refused; a section around it opens itself. */
function useFocusOnRefused(error: unknown) {
  const id = useId()
  useEffect(() => {
    if (error) focusRefusedOf(id)
  }, [error, id])
  return { id, focusRefused: () => focusRefusedOf(id) }
}

function focusRefusedOf(id: string): void {
  document.getElementById(id)?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
}
