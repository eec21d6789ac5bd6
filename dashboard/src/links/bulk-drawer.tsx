import { useWorkspace } from '../api/workspace.ts'
import { SelectField, TextField } from '../kit/field.tsx'
import { FormDrawer } from '../kit/form-drawer.tsx'
import { optionsOf } from '../kit/lists.ts'
import { useForm, type Form } from '../kit/use-form.ts'
import { UTM_FIELDS } from '../kit/utm-fields.tsx'
import { text } from '../text/links.ts'
import { changeLinks, type Target } from './bulk.ts'
import { countOf, toUndo, toldOf } from './bulk-actions.tsx'
import { EMPTY_BULK, toChange, toSteps, type BulkDraft } from './bulk-draft.ts'
import { BulkPreview } from './bulk-preview.tsx'
import { CampaignField, FolderField, TagsField } from './group-fields.tsx'
import { useGroups } from './queries.ts'

/** The same change of many links: what is left as it is stays. */
export function BulkDrawer({
  target,
  onClose,
  onDone,
}: {
  target: Target
  onClose: () => void
  onDone: () => void
}) {
  const form = useForm({
    start: () => EMPTY_BULK,
    save: (draft) => changeLinks(target, toChange(draft)),
    // Refusals name links, which are no fields of the form.
    toFieldErrors: () => ({}),
    told: (outcome) => toldOf(outcome, text.linkList.changed),
    undo: toUndo,
    onSaved: () => {
      onClose()
      onDone()
    },
  })
  const { id } = useWorkspace()
  const groups = useGroups(id)
  const steps = toSteps(form.draft, groups)
  return (
    <FormDrawer
      form={form}
      title={text.bulk.title(countOf(target))}
      action={text.bulk.apply(countOf(target))}
      button={{ disabled: steps.length === 0 }}
      onClose={onClose}
    >
      <TagFields form={form} />
      <GroupFields form={form} />
      <UtmAndLimitFields form={form} />
      <BulkPreview target={target} steps={steps} />
    </FormDrawer>
  )
}

function TagFields({ form }: { form: Form<BulkDraft> }) {
  const { draft } = form
  return (
    <>
      <SelectField
        label={text.bulk.tags}
        options={optionsOf(text.bulk.tagModes)}
        {...form.field('tagMode')}
      />
      {draft.tagMode === 'replace' ? (
        <TagsField label={text.bulk.newTags} hint={text.bulk.newTagsHint} {...form.field('tags')} />
      ) : (
        <>
          <TagsField label={text.bulk.addTags} hint="" {...form.field('tags')} />
          <TagsField label={text.bulk.removeTags} hint="" {...form.field('removeTags')} />
        </>
      )}
    </>
  )
}

function GroupFields({ form }: { form: Form<BulkDraft> }) {
  const { draft } = form
  return (
    <>
      <SelectField
        label={text.links.folder}
        options={optionsOf(text.bulk.groupModes)}
        {...form.field('folderMode')}
      />
      {draft.folderMode === 'set' && <FolderField {...form.field('folderId')} />}
      <SelectField
        label={text.links.campaign}
        options={optionsOf(text.bulk.groupModes)}
        {...form.field('campaignMode')}
      />
      {draft.campaignMode === 'set' && <CampaignField {...form.field('campaignId')} />}
    </>
  )
}

function UtmAndLimitFields({ form }: { form: Form<BulkDraft> }) {
  const { draft } = form
  return (
    <>
      <SelectField
        label={text.links.utm}
        hint={draft.utmMode === 'set' ? text.bulk.utmHint : undefined}
        options={optionsOf(text.bulk.groupModes)}
        {...form.field('utmMode')}
      />
      {draft.utmMode === 'set' && (
        <div className="grid gap-3 sm:grid-cols-2">
          {UTM_FIELDS.map((field) => (
            <TextField key={field} label={text.links.utmFields[field]} {...form.field(field)} />
          ))}
        </div>
      )}
      <SelectField
        label={text.links.expiresAt}
        options={optionsOf(text.bulk.groupModes)}
        {...form.field('expiryMode')}
      />
      {draft.expiryMode === 'set' && (
        <TextField
          label={text.links.expiresAt}
          type="datetime-local"
          required
          {...form.field('expiresAt')}
        />
      )}
      <SelectField
        label={text.links.status}
        options={optionsOf(text.bulk.statusModes)}
        {...form.field('status')}
      />
    </>
  )
}
