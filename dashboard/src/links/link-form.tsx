import { useWorkspace } from '../api/workspace.ts'
import { CheckField, SelectField, TextField } from '../kit/field.tsx'
import { Button } from '../kit/button.tsx'
import { QrCode } from '../kit/qr-code.tsx'
import { text } from '../text/en.ts'
import { CardSection } from './card-section.tsx'
import { DestinationPreview } from './destination-preview.tsx'
import { readUtm, UTM_FIELDS, withUtm } from './draft.ts'
import type { FormProps } from './form-props.ts'
import { MoreSection } from './more-section.tsx'
import { useGroups } from './queries.ts'
import { RulesSection } from './rules-section.tsx'
import { errorAt, Section } from './section.tsx'
import { SlugField } from './slug-field.tsx'
import { VariantsSection } from './variants-section.tsx'

/** Every option of a link. What most links need is open, the rest behind one line each. */
export function LinkForm(props: FormProps) {
  const { draft, onDraft, host, errors } = props
  // As the server draws it: scans are told apart by the parameter.
  const scanned = `${location.protocol}//${host}/${draft.slug.trim() || 'aB3dE7'}?qr=1`
  return (
    <>
      <TextField
        label={text.links.destination}
        name="destinationUrl"
        type="url"
        required
        autoFocus
        inputMode="url"
        autoComplete="off"
        placeholder="https://"
        className="font-mono text-sm"
        value={draft.destinationUrl}
        onValue={(destinationUrl) => onDraft({ destinationUrl })}
        error={errors.destinationUrl}
      />
      <DestinationPreview {...props} />
      <UtmOffer {...props} />
      <SlugField {...props} />
      <div className="flex gap-4">
        <div className="rounded border border-line bg-[#fff] p-1">
          <QrCode value={scanned} size={104} />
        </div>
        <div className="flex-1">
          <TextField
            label={text.links.name}
            hint={text.links.nameHint}
            name="name"
            value={draft.name}
            onValue={(name) => onDraft({ name })}
            error={errors.name}
          />
        </div>
      </div>
      <Groups {...props} />
      <Utm {...props} />
      <Limits {...props} />
      <RulesSection {...props} />
      <VariantsSection {...props} />
      <Devices {...props} />
      <CardSection {...props} />
      <MoreSection {...props} />
    </>
  )
}

function Groups({ draft, onDraft, errors }: FormProps) {
  const { id } = useWorkspace()
  const groups = useGroups(id)
  const none = { value: '', label: text.links.none }
  const state = [draft.tags, groups.campaigns?.find((each) => each.id === draft.campaignId)?.name]
  return (
    <Section
      icon="tag"
      title={text.links.groups}
      state={state.filter(Boolean).join(', ') || text.links.none}
      hasError={['tags', 'folderId', 'campaignId'].some((field) => errorAt(errors, field))}
    >
      <TextField
        label={text.links.tags}
        hint={text.links.tagsHint}
        name="tags"
        value={draft.tags}
        onValue={(tags) => onDraft({ tags })}
        error={errorAt(errors, 'tags')}
      />
      <SelectField
        label={text.links.folder}
        value={draft.folderId}
        options={[none, ...(groups.folders ?? []).map(toOption)]}
        onValue={(folderId) => onDraft({ folderId })}
        error={errors.folderId}
      />
      <SelectField
        label={text.links.campaign}
        value={draft.campaignId}
        options={[none, ...(groups.campaigns ?? []).map(toOption)]}
        onValue={(campaignId) => onDraft({ campaignId })}
        error={errors.campaignId}
      />
    </Section>
  )
}

/** Moves the UTM parameters of a pasted destination into their fields, where templates and lists see them. */
function UtmOffer({ draft, onDraft }: FormProps) {
  const found = readUtm(draft.destinationUrl)
  if (!found) return null
  return (
    <Button look="plain" icon="megaphone" className="self-start" onClick={() => onDraft(found)}>
      {text.linkOptions.takeUtm}
    </Button>
  )
}

const toOption = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name })

function Utm({ draft, onDraft, errors }: FormProps) {
  const { id } = useWorkspace()
  const groups = useGroups(id)
  const templates = groups.templates ?? []
  const set = UTM_FIELDS.filter((field) => draft[field] !== '')
  return (
    <Section
      icon="megaphone"
      title={text.links.utm}
      state={set.map((field) => draft[field]).join(', ') || text.links.none}
      hasError={UTM_FIELDS.some((field) => errorAt(errors, field))}
    >
      {templates.length > 0 && (
        <SelectField
          label={text.links.utmTemplate}
          value=""
          options={[{ value: '', label: text.links.chooseTemplate }, ...templates.map(toOption)]}
          onValue={(chosen) => {
            const template = templates.find((each) => each.id === chosen)
            if (template)
              onDraft(Object.fromEntries(UTM_FIELDS.map((field) => [field, template[field] ?? ''])))
          }}
        />
      )}
      <div className="grid gap-3 sm:grid-cols-2">
        {UTM_FIELDS.map((field) => (
          <TextField
            key={field}
            label={text.links.utmFields[field]}
            name={field}
            value={draft[field]}
            onValue={(value) => onDraft({ [field]: value })}
            error={errors[field]}
          />
        ))}
      </div>
      {set.length > 0 && <p className="font-mono text-xs break-all text-soft">{withUtm(draft)}</p>}
    </Section>
  )
}

function Limits({ draft, onDraft, hasPassword, errors }: FormProps) {
  const state = [
    draft.expiresAt && text.links.expires,
    draft.maxClicks && text.links.maxClicksState(draft.maxClicks),
    (draft.password || hasPassword) && text.links.password,
  ]
  return (
    <Section
      icon="clock"
      title={text.links.limits}
      state={state.filter(Boolean).join(', ') || text.links.none}
      hasError={['startsAt', 'expiresAt', 'maxClicks', 'password', 'expiredUrl'].some((field) =>
        errorAt(errors, field),
      )}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={text.links.startsAt}
          hint={text.links.startsAtHint}
          type="datetime-local"
          value={draft.startsAt}
          onValue={(startsAt) => onDraft({ startsAt })}
          error={errors.startsAt}
        />
        <TextField
          label={text.links.expiresAt}
          hint={text.links.expiresAtHint}
          type="datetime-local"
          value={draft.expiresAt}
          onValue={(expiresAt) => onDraft({ expiresAt })}
          error={errors.expiresAt}
        />
        <TextField
          label={text.links.maxClicks}
          hint={text.links.maxClicksHint}
          inputMode="numeric"
          value={draft.maxClicks}
          onValue={(maxClicks) => onDraft({ maxClicks })}
          error={errors.maxClicks}
        />
        <TextField
          label={text.links.password}
          autoComplete="off"
          hint={hasPassword ? text.links.passwordKept : undefined}
          value={draft.password}
          onValue={(password) => onDraft({ password })}
          error={errors.password}
        />
      </div>
      <TextField
        label={text.links.expiredUrl}
        hint={text.links.expiredUrlHint}
        type="url"
        value={draft.expiredUrl}
        onValue={(expiredUrl) => onDraft({ expiredUrl })}
        error={errors.expiredUrl}
      />
    </Section>
  )
}

function Devices({ draft, onDraft, errors }: FormProps) {
  return (
    <Section
      icon="smartphone"
      title={text.links.behavior}
      state={draft.redirectType}
      hasError={['iosDeepLink', 'androidDeepLink', 'redirectType', 'aliases'].some((field) =>
        errorAt(errors, field),
      )}
    >
      <SelectField
        label={text.links.redirectType}
        value={draft.redirectType}
        options={text.links.redirectTypes}
        onValue={(redirectType) => onDraft({ redirectType })}
        error={errors.redirectType}
      />
      <TextField
        label={text.links.iosDeepLink}
        value={draft.iosDeepLink}
        onValue={(iosDeepLink) => onDraft({ iosDeepLink })}
        error={errors.iosDeepLink}
      />
      <TextField
        label={text.links.androidDeepLink}
        value={draft.androidDeepLink}
        onValue={(androidDeepLink) => onDraft({ androidDeepLink })}
        error={errors.androidDeepLink}
      />
      <TextField
        label={text.links.aliases}
        hint={text.links.aliasesHint}
        value={draft.aliases}
        onValue={(aliases) => onDraft({ aliases })}
        error={errorAt(errors, 'aliases')}
      />
      <CheckField
        label={text.links.forwardQuery}
        hint={text.links.forwardQueryHint}
        checked={draft.forwardQuery}
        onChecked={(forwardQuery) => onDraft({ forwardQuery })}
      />
      <CheckField
        label={text.links.noindex}
        checked={draft.noindex}
        onChecked={(noindex) => onDraft({ noindex })}
      />
      <CheckField
        label={text.links.trackConversions}
        hint={text.links.trackConversionsHint}
        checked={draft.trackConversions}
        onChecked={(trackConversions) => onDraft({ trackConversions })}
      />
    </Section>
  )
}
