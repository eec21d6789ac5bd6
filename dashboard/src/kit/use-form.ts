import type { QueryKey } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { conflictingFields, currentOf, isSame, mergeDrafts } from '../api/conflict.ts'
import { fieldErrorsOf } from '../api/errors.ts'
import { useAction } from './use-action.ts'
import { useSettled } from './use-settled.ts'

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
  /** Problems that the browser sees, by their path; the server is asked only where there are none. */
  check?: (draft: Draft) => Record<string, string>
  /** The version that `start` is of, and the fields of a version that came between. */
  version?: { etag: string | null; draftOf: (current: never) => Draft }
  refreshes?: readonly QueryKey[]
  /** Refusals by their field, where the answer has none. */
  toFieldErrors?: (error: unknown) => Record<string, string>
  told?: (saved: Saved) => string | undefined
  /** Takes the save back, from its message. */
  undo?: (saved: Saved) => (() => Promise<unknown>) | null
  onSaved?: (saved: Saved) => unknown
  onChange?: (draft: Draft) => void
}

/** The draft of a form, its save, and what the server refuses of it. */
export function useForm<Draft extends object, Saved, Extra = undefined>({
  version,
  save,
  check,
  toFieldErrors = fieldErrorsOf,
  refreshes,
  told,
  undo,
  onSaved,
  ...drafts
}: Options<Draft, Saved, Extra>) {
  const { draft, before, etag, change, restart } = useDraft(version?.etag ?? null, drafts)
  /** The draft of the last attempt to save. */
  const [sent, setSent] = useState<Draft | null>(null)
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
    {
      showsErrors: true,
      told,
      onDone: onSaved,
      ...(undo && { undo }),
      ...(refreshes && { refreshes }),
    },
  )
  const { id, focusRefused, isShown } = useFocusOnRefused(action.error)
  const found = toConflict(action.error)
  const conflict: Conflict<Draft> | null = found && {
    ...found,
    resolve: (keepsMine) => {
      restart(found.theirs, found.etag, mergeDrafts(before, draft, found.theirs, keepsMine))
      action.reset()
    },
  }
  const refused = toFieldErrors(action.error)
  const problems = useProblems(check, draft, before, sent)
  const errorIn = (path: string, name?: keyof Draft) =>
    findError({ refused, problems, draft, sent }, path, name)
  const hasProblem = () => Object.keys(check?.(draft) ?? {}).length > 0
  const send = (extra?: Extra) => {
    setSent(draft)
    if (hasProblem()) setTimeout(focusRefused)
    else action.mutate(extra)
  }
  const form: Form<Draft> = {
    ...{ id, draft, before, change, conflict, focusRefused },
    errorAt: (path) => errorIn(path),
    isChanged: !isSame(draft, before),
    field: (name, path = name) => ({
      value: draft[name],
      onValue: (value) => change({ [name]: value } as unknown as Partial<Draft>),
      error: errorIn(path, name),
    }),
    error: conflict || (Object.keys(refused).length > 0 && isShown) ? null : action.error,
    isSaving: action.isPending,
    save: () => send(),
  }
  return {
    ...form,
    save: send,
    restart,
    etag,
    saved: action.data,
    refusal: action.error,
  }
}

type Errors<Draft> = {
  refused: Readonly<Record<string, string>>
  problems: Readonly<Record<string, string>>
  draft: Draft
  sent: Draft | null
}

/**
 * The error at a path, or of anything in it. A refusal goes when its value is corrected.
 * @param name the field of the value at the path, where the draft has it elsewhere
 */
function findError<Draft extends object>(
  { refused, problems, draft, sent }: Errors<Draft>,
  path: string,
  name?: keyof Draft,
): string | undefined {
  const isAt = (key: string) => key === path || key.startsWith(`${path}.`)
  const isOpen = (key: string) =>
    sent === null ||
    (name === undefined
      ? isSame(valueAt(draft, key), valueAt(sent, key))
      : isSame(draft[name], sent[name]))
  const found = [
    ...Object.entries(refused).filter(([key]) => isAt(key) && isOpen(key)),
    ...Object.entries(problems).filter(([key]) => isAt(key)),
  ]
  return (found.find(([key]) => key === path) ?? found[0])?.[1]
}

const TYPING_MS = 700

/** Problems of values that the user has changed and no longer types, or has tried to save. */
function useProblems<Draft extends object>(
  check: ((draft: Draft) => Record<string, string>) | undefined,
  draft: Draft,
  before: Draft,
  sent: Draft | null,
): Record<string, string> {
  const settled = useSettled(check ? draft : null, TYPING_MS)
  if (!check) return {}
  const isDue = (key: string) => {
    const value = valueAt(draft, key)
    if (sent && isSame(value, valueAt(sent, key))) return true
    return (
      // What is still empty is asked for when the user saves.
      value !== '' &&
      settled !== null &&
      isSame(value, valueAt(settled, key)) &&
      !isSame(value, valueAt(before, key))
    )
  }
  return Object.fromEntries(Object.entries(check(draft)).filter(([key]) => isDue(key)))
}

/** The value at a path such as `rules.0.name`, or the last one on the way to it. */
function valueAt(draft: object, path: string): unknown {
  let value: unknown = draft
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) break
    value = (value as Record<string, unknown>)[part]
  }
  return value === draft ? undefined : value
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

/**
 * Goes to the first field that is refused; a section around it opens itself. A refusal of a field that the form does
 * not have is not shown there.
 */
function useFocusOnRefused(error: unknown) {
  const id = useId()
  const [hidden, setHidden] = useState<unknown>(null)
  useEffect(() => {
    if (!error) return
    const form = document.getElementById(id)
    // After the fields have drawn their refusals.
    queueMicrotask(() => setHidden(form && !form.querySelector(REFUSED) ? error : null))
    focusRefusedOf(id)
  }, [error, id])
  return { id, isShown: !error || hidden !== error, focusRefused: () => focusRefusedOf(id) }
}

const REFUSED = '[aria-invalid=true], [role=alert]'

function focusRefusedOf(id: string): void {
  document.getElementById(id)?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
}
