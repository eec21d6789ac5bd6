import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'
import { useWorkspace } from '../api/workspace.ts'
import { AreaField, CheckField, FieldError } from '../kit/field.tsx'
import { FormDrawer } from '../kit/form-drawer.tsx'
import { splitList } from '../kit/lists.ts'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/alerts.ts'
import { linkNameQuery, type Alert } from './queries.ts'

/** Creates an alert for a link or the workspace, or changes one. */
export function AlertDrawer({
  alert = null,
  linkId,
  onClose,
}: {
  alert?: Alert | null
  /** Null: the whole workspace. */
  linkId: string | null
  onClose: () => void
}) {
  const { id: workspaceId } = useWorkspace()
  const email = useQuery(sessionQuery).data?.user.email ?? ''
  const name = useQuery({ ...linkNameQuery(workspaceId, linkId ?? ''), enabled: linkId !== null })
  const words = text.alerts
  const form = useForm({
    start: () => ({
      clicks: alert ? alert.watches.includes('clicks') : true,
      destination: alert ? alert.watches.includes('destination') : linkId !== null,
      recipients: (alert ? alert.recipients : [email].filter(Boolean)).join('\n'),
    }),
    save: ({ clicks, destination, recipients }) => {
      const body = {
        watches: [
          ...(clicks ? (['clicks'] as const) : []),
          ...(destination ? (['destination'] as const) : []),
        ],
        recipients: splitList(recipients, /[\n,;]/),
      }
      if (!alert) return dataOf(api.POST('/alerts', { body: { ...body, linkId } }))
      return dataOf(api.PATCH('/alerts/{id}', { params: { path: { id: alert.id } }, body }))
    },
    check: ({ clicks, destination }): Record<string, string> =>
      clicks || destination ? {} : { watches: words.watchOne },
    told: () => (alert ? undefined : words.created),
    onSaved: onClose,
  })
  return (
    <FormDrawer
      form={form}
      title={alert ? words.edit : words.new_}
      note={linkId === null ? words.wholeWorkspace : (name.data ?? '…')}
      action={alert ? text.actions.save : words.create}
      onClose={onClose}
    >
      <CheckField
        label={words.watchClicks}
        hint={words.watchClicksHint}
        {...form.field('clicks')}
      />
      {linkId !== null && (
        <CheckField
          label={words.watchDestination}
          hint={words.watchDestinationHint}
          {...form.field('destination')}
        />
      )}
      <FieldError>{form.errorAt('watches')}</FieldError>
      {linkId === null && <p className="text-sm text-soft">{words.linkHint}</p>}
      <AreaField
        label={words.recipients}
        hint={words.recipientsHint}
        spellCheck={false}
        {...form.field('recipients')}
      />
    </FormDrawer>
  )
}
