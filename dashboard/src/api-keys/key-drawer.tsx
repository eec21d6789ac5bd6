import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { Drawer } from '../kit/drawer.tsx'
import { Field, INPUT, TextField } from '../kit/field.tsx'
import { FormDrawer } from '../kit/form-drawer.tsx'
import { fromLocalTime, toLocalTime } from '../kit/local-time.ts'
import { text } from '../text/en.ts'
import type { ApiKey } from './queries.ts'
import { ScopeFields } from './scope-fields.tsx'
import { toAccess, toScopes, type Access } from './scopes.ts'

type Draft = { name: string; access: Access; expiresAt: string; addresses: string }

/** Creates a key, which is shown once, or changes one. */
export function KeyDrawer({
  apiKey = null,
  onClose,
}: {
  apiKey?: ApiKey | null
  onClose: () => void
}) {
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const [before] = useState(() => draftOf(apiKey))
  const [draft, setDraft] = useState(before)
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }))
  const save = useMutation({
    mutationFn: async (): Promise<string | null> => {
      const body = toBody(draft)
      if (!apiKey) return (await dataOf(api.POST('/api-keys', { body }))).key
      const params = { path: { id: apiKey.id } }
      await dataOf(api.PATCH('/api-keys/{id}', { params, body }))
      return null
    },
    onSuccess: async (key) => {
      await queryClient.invalidateQueries({ queryKey: [workspaceId, 'api-keys'] })
      if (key === null) onClose()
    },
  })
  if (save.data) return <NewKey title={text.apiKeys.created} value={save.data} onClose={onClose} />
  const errors = save.error instanceof ApiError ? save.error.fieldErrors : {}
  return (
    <FormDrawer
      title={apiKey ? text.apiKeys.edit : text.apiKeys.new_}
      action={apiKey ? text.actions.save : text.apiKeys.create}
      before={before}
      draft={draft}
      error={save.error}
      isSaving={save.isPending}
      onSave={() => save.mutate()}
      onClose={onClose}
    >
      <TextField
        label={text.apiKeys.name}
        hint={text.apiKeys.nameHint}
        required
        autoFocus
        maxLength={50}
        value={draft.name}
        onValue={(name) => change({ name })}
        error={errors.name}
      />
      <ScopeFields
        access={draft.access}
        before={before.access}
        error={errorUnder(errors, 'scopes')}
        onChange={(access) => change({ access })}
      />
      <TextField
        label={text.apiKeys.expiresAt}
        hint={text.apiKeys.expiresAtHint}
        type="datetime-local"
        value={draft.expiresAt}
        onValue={(expiresAt) => change({ expiresAt })}
        error={errors.expiresAt}
      />
      <AddressField
        value={draft.addresses}
        onValue={(addresses) => change({ addresses })}
        error={errorUnder(errors, 'ipAllowlist')}
      />
    </FormDrawer>
  )
}

/** The networks that may use the key, one in each line. */
function AddressField({
  value,
  onValue,
  error,
}: {
  value: string
  onValue: (value: string) => void
  error: string | undefined
}) {
  return (
    <Field label={text.apiKeys.addresses} hint={text.apiKeys.addressesHint} error={error}>
      {(control) => (
        <textarea
          {...control}
          rows={3}
          spellCheck={false}
          className={`${INPUT} py-1.5 font-mono text-sm!`}
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  )
}

/** A key at the only time when it is known. */
export function NewKey({
  title,
  value,
  onClose,
}: {
  title: string
  value: string
  onClose: () => void
}) {
  return (
    <Drawer
      title={title}
      // A click beside it must not lose the key.
      isChanged
      onClose={onClose}
      foot={
        <Button look="primary" onClick={onClose}>
          {text.actions.done}
        </Button>
      }
    >
      <p>{text.apiKeys.createdExplain}</p>
      <code className="rounded border border-line bg-sunk p-3 font-mono text-sm break-all">
        {value}
      </code>
      <CopyButton value={value} label={text.apiKeys.copyKey} />
    </Drawer>
  )
}

function draftOf(key: ApiKey | null): Draft {
  return {
    name: key?.name ?? '',
    access: toAccess(key?.scopes ?? null),
    expiresAt: toLocalTime(key?.expiresAt ?? null),
    addresses: key?.ipAllowlist.join('\n') ?? '',
  }
}

function toBody(draft: Draft) {
  return {
    name: draft.name.trim(),
    scopes: toScopes(draft.access),
    expiresAt: fromLocalTime(draft.expiresAt),
    ipAllowlist: draft.addresses
      .split(/[\s,]+/)
      .map((address) => address.trim())
      .filter(Boolean),
  }
}

/** The error of a list or of one of its values. */
function errorUnder(errors: Readonly<Record<string, string>>, path: string): string | undefined {
  const found = Object.entries(errors).find(([key]) => key === path || key.startsWith(`${path}.`))
  return found?.[1]
}
