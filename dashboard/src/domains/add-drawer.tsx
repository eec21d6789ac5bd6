import { api, dataOf } from '../api/client.ts'
import { TextField } from '../kit/field.tsx'
import { FormDrawer } from '../kit/form-drawer.tsx'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/domains.ts'
import { hostnameOf } from './hostname-of.ts'
import { isRefusedByPlan, LimitNote, PlanNote } from './plan-note.tsx'
import type { Domain } from './queries.ts'
import { RecordsToCome } from './records-to-come.tsx'

/** Claims a host. The records that it will need follow what is typed. */
export function AddDrawer({
  onClose,
  onAdded,
}: {
  onClose: () => void
  onAdded: (domain: Domain) => void
}) {
  const form = useForm({
    start: () => ({ hostname: '' }),
    save: ({ hostname }) => dataOf(api.POST('/domains', { body: { hostname: hostname.trim() } })),
    told: ({ hostname }) => text.domains.added(hostname),
    onSaved: onAdded,
  })
  const { refusal } = form
  const isOfPlan = isRefusedByPlan(refusal)
  return (
    <FormDrawer
      form={isOfPlan ? { ...form, error: null } : form}
      title={text.domains.add}
      action={text.domains.add}
      onClose={onClose}
    >
      {isOfPlan ? <PlanNote message={refusal.message} /> : <LimitNote />}
      <TextField
        label={text.domains.hostname}
        hint={text.domains.hostnameHint}
        name="hostname"
        required
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="url"
        maxLength={2_048}
        placeholder={text.domains.exampleHost}
        className="font-mono"
        {...form.field('hostname')}
      />
      <RecordsToCome hostname={hostnameOf(form.draft.hostname)} />
    </FormDrawer>
  )
}
