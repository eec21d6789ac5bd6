import { api, dataOf } from '../api/client.ts'
import { useWorkspace } from '../api/workspace.ts'
import { ChipsField, ComboField } from '../kit/combobox.tsx'
import { splitList } from '../kit/lists.ts'
import { formatNumber } from '../kit/locale.ts'
import { useAction } from '../kit/use-action.ts'
import type { Bound } from '../kit/use-form.ts'
import { text } from '../text/link-page.ts'
import { createFolder } from './groups.ts'
import { useGroups } from './queries.ts'

/** Existing or new tags as chips. The value is a comma-separated text. */
export function TagsField({
  label = text.links.tags,
  hint = text.links.tagsHint,
  value,
  error,
  onValue,
}: Bound<string> & { label?: string; hint?: string }) {
  const { id } = useWorkspace()
  const tags = useGroups(id).tags ?? []
  return (
    <ChipsField
      label={label}
      hint={hint}
      error={error}
      values={splitList(value)}
      options={tags.map(({ name, links }) => ({
        value: name,
        label: name,
        note: formatNumber(links),
      }))}
      onValues={(values) => onValue(values.join(', '))}
      toNew={(typed) => typed}
    />
  )
}

/** The folder of a link, which can be made on the way. */
export function FolderField(bound: Bound<string>) {
  const { id } = useWorkspace()
  const { folders = [] } = useGroups(id)
  const create = useAction((name: string) => createFolder(name))
  return (
    <ComboField
      {...bound}
      label={text.links.folder}
      options={folders.map(toOption)}
      onCreate={async (name) => (await create.mutateAsync(name)).data.id}
    />
  )
}

/** The campaign of a link, which can be made on the way. */
export function CampaignField(bound: Bound<string>) {
  const { id } = useWorkspace()
  const { campaigns = [] } = useGroups(id)
  const create = useAction((name: string) => dataOf(api.POST('/campaigns', { body: { name } })))
  return (
    <ComboField
      {...bound}
      label={text.links.campaign}
      options={campaigns.map(toOption)}
      onCreate={async (name) => (await create.mutateAsync(name)).id}
    />
  )
}

const toOption = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name })
