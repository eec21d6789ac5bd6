import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../api/workspace.ts'
import { SelectField } from '../kit/field.tsx'
import type { Form } from '../kit/use-form.ts'
import { text } from '../text/dashboards.ts'
import type { Draft, Kind } from './draft.ts'
import { groupsQuery, targetNameQuery } from './queries.ts'

/** Choice of the shared target. A link is shared from its own page, since there may be too many to choose from. */
export function TargetFields({ form }: { form: Form<Draft> }) {
  const { kind, targetId } = form.draft
  const { id: workspaceId } = useWorkspace()
  const campaigns = useQuery(groupsQuery(workspaceId, 'campaigns')).data ?? []
  const folders = useQuery(groupsQuery(workspaceId, 'folders')).data ?? []
  const own = { linkId: null, campaignId: null, folderId: null, [kind]: targetId }
  const name = useQuery(targetNameQuery(workspaceId, own)).data
  const groups = { campaignId: campaigns, folderId: folders }
  const kinds: Kind[] = [
    'workspace',
    ...(kind === 'linkId' ? (['linkId'] as const) : []),
    ...(campaigns.length > 0 || kind === 'campaignId' ? (['campaignId'] as const) : []),
    ...(folders.length > 0 || kind === 'folderId' ? (['folderId'] as const) : []),
  ]
  const choose = (next: Kind) => {
    const [first] = next === 'campaignId' || next === 'folderId' ? groups[next] : []
    form.change({ kind: next, targetId: first?.id ?? '' })
  }
  const listed = kind === 'campaignId' || kind === 'folderId' ? groups[kind] : []
  const isListed = listed.some(({ id }) => id === targetId)
  const options = isListed ? listed : [{ id: targetId, name: name ?? '…' }, ...listed]
  return (
    <>
      <SelectField
        label={text.dashboards.shows}
        hint={
          kind === 'linkId' ? (name ?? '…') : kind === 'workspace' ? text.dashboards.linkHint : ''
        }
        value={kind}
        options={kinds.map((value) => ({ value, label: text.dashboards.kinds[value] }))}
        onValue={choose}
        error={form.errorAt('linkId')}
      />
      {(kind === 'campaignId' || kind === 'folderId') && (
        <SelectField
          label={text.dashboards.kinds[kind]}
          options={options.map((each) => ({ value: each.id, label: each.name }))}
          {...form.field('targetId', kind)}
        />
      )}
    </>
  )
}
