import { api, dataOf } from '../api/client.ts'
import { Button } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { Drawer } from '../kit/drawer.tsx'
import { AreaField, TextField } from '../kit/field.tsx'
import { FormDrawer } from '../kit/form-drawer.tsx'
import { splitList } from '../kit/lists.ts'
import { fromLocalTime, toLocalTime } from '../kit/local-time.ts'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/api-keys.ts'
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
  const form = useForm({
    start: () => draftOf(apiKey),
    save: async (draft): Promise<string | null> => {
      const body = toBody(draft)
      if (!apiKey) return (await dataOf(api.POST('/api-keys', { body }))).key
      const params = { path: { id: apiKey.id } }
      await dataOf(api.PATCH('/api-keys/{id}', { params, body }))
      return null
    },
    onSaved: (key) => key === null && onClose(),
  })
  if (form.saved)
    return <NewKey title={text.apiKeys.created} value={form.saved} onClose={onClose} />
  return (
    <FormDrawer
      form={form}
      title={apiKey ? text.apiKeys.edit : text.apiKeys.new_}
      action={apiKey ? text.actions.save : text.apiKeys.create}
      onClose={onClose}
    >
      <TextField
        label={text.apiKeys.name}
        hint={text.apiKeys.nameHint}
        required
        autoFocus
        maxLength={50}
        {...form.field('name')}
      />
      <ScopeFields before={form.before.access} {...form.field('access', 'scopes')} />
      <TextField
        label={text.apiKeys.expiresAt}
        hint={text.apiKeys.expiresAtHint}
        type="datetime-local"
        {...form.field('expiresAt')}
      />
      <AreaField
        label={text.apiKeys.addresses}
        hint={text.apiKeys.addressesHint}
        spellCheck={false}
        className="font-mono text-sm!"
        {...form.field('addresses', 'ipAllowlist')}
      />
    </FormDrawer>
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
    ipAllowlist: splitList(draft.addresses, /[\s,]+/),
  }
}
