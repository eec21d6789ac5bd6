import { useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { CheckField, SelectField, TextField } from '../kit/field.tsx'
import { QrCode } from '../kit/qr-code.tsx'
import { UTM_FIELDS, utmDraftOf } from '../kit/utm-fields.tsx'
import { withScheme } from '../kit/url.ts'
import { text } from '../text/link-page.ts'
import { CardSection } from './card-section.tsx'
import { DestinationPreview } from './destination-preview.tsx'
import { readUtm, withUtm } from './draft.ts'
import { CampaignField, FolderField, TagsField } from './group-fields.tsx'
import type { FormProps } from './form-props.ts'
import { MoreSection } from './more-section.tsx'
import { useGroups } from './queries.ts'
import { RulesSection } from './rules-section.tsx'
import { Section } from './section.tsx'
import { SlugField } from './slug-field.tsx'
import { VariantsSection } from './variants-section.tsx'

/** Every option of a link. What most links need is open, the rest behind one line each. */
export function LinkForm(props: FormProps) {
  const { form, host } = props
  // As the server draws it: scans are told apart by the parameter.
  const scanned = `${location.protocol}//${host}/${form.draft.slug.trim() || 'aB3dE7'}?qr=1`
  return (
    <>
      <TextField
        label={text.names.destination}
        name="destinationUrl"
        autoFocus
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={text.names.addressExample}
        className="font-mono text-sm"
        {...form.field('destinationUrl')}
        onBlur={() => complete(form, 'destinationUrl')}
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
            {...form.field('name')}
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

/** Adds the scheme that was left out, once the field is left. */
function complete({ draft, change }: FormProps['form'], field: 'destinationUrl' | 'expiredUrl') {
  const whole = withScheme(draft[field])
  if (whole !== draft[field]) change({ [field]: whole })
}

function Groups({ form }: FormProps) {
  const { id } = useWorkspace()
  const groups = useGroups(id)
  const { tags, campaignId } = form.draft
  const state = [tags, groups.campaigns?.find((each) => each.id === campaignId)?.name]
  return (
    <Section
      icon="tag"
      title={text.links.groups}
      state={state.filter(Boolean).join(', ') || text.links.none}
      hasError={['tags', 'folderId', 'campaignId'].some(form.errorAt)}
    >
      <TagsField {...form.field('tags')} />
      <FolderField {...form.field('folderId')} />
      <CampaignField {...form.field('campaignId')} />
    </Section>
  )
}

/** Moves the UTM parameters of a pasted destination into their fields, where templates and lists see them. */
function UtmOffer({ form }: FormProps) {
  const found = readUtm(form.draft.destinationUrl)
  if (!found) return null
  return (
    <Button icon="megaphone" className="self-start" onClick={() => form.change(found)}>
      {text.linkOptions.takeUtm}
    </Button>
  )
}

const toOption = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name })

function Utm({ form }: FormProps) {
  const { id } = useWorkspace()
  const { draft } = form
  const templates = useGroups(id).templates ?? []
  const set = UTM_FIELDS.filter((field) => draft[field] !== '')
  return (
    <Section
      icon="megaphone"
      title={text.links.utm}
      state={set.map((field) => draft[field]).join(', ') || text.links.none}
      hasError={UTM_FIELDS.some(form.errorAt)}
    >
      {templates.length > 0 && (
        <SelectField
          label={text.links.utmTemplate}
          value=""
          options={[{ value: '', label: text.links.chooseTemplate }, ...templates.map(toOption)]}
          onValue={(chosen) => {
            const template = templates.find((each) => each.id === chosen)
            if (template) form.change(utmDraftOf(template))
          }}
        />
      )}
      <div className="grid gap-3 sm:grid-cols-2">
        {UTM_FIELDS.map((field) => (
          <TextField
            key={field}
            label={text.links.utmFields[field]}
            name={field}
            {...form.field(field)}
          />
        ))}
      </div>
      {set.length > 0 && <p className="font-mono text-xs break-all text-soft">{withUtm(draft)}</p>}
    </Section>
  )
}

function Limits({ form, hasPassword }: FormProps) {
  const { draft } = form
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
      hasError={['startsAt', 'expiresAt', 'maxClicks', 'password', 'expiredUrl'].some(form.errorAt)}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={text.links.startsAt}
          hint={text.links.startsAtHint}
          type="datetime-local"
          {...form.field('startsAt')}
        />
        <TextField
          label={text.links.expiresAt}
          hint={text.links.expiresAtHint}
          type="datetime-local"
          {...form.field('expiresAt')}
        />
        <TextField
          label={text.links.maxClicks}
          hint={text.links.maxClicksHint}
          inputMode="numeric"
          {...form.field('maxClicks')}
        />
        <TextField
          label={text.links.password}
          autoComplete="off"
          hint={hasPassword ? text.links.passwordKept : undefined}
          {...form.field('password')}
        />
      </div>
      <TextField
        label={text.links.expiredUrl}
        hint={text.links.expiredUrlHint}
        inputMode="url"
        {...form.field('expiredUrl')}
        onBlur={() => complete(form, 'expiredUrl')}
      />
    </Section>
  )
}

function Devices({ form }: FormProps) {
  return (
    <Section
      icon="smartphone"
      title={text.links.behavior}
      state={form.draft.redirectType}
      hasError={['iosDeepLink', 'androidDeepLink', 'redirectType', 'aliases'].some(form.errorAt)}
    >
      <SelectField
        label={text.links.redirectType}
        options={text.links.redirectTypes}
        {...form.field('redirectType')}
      />
      <TextField label={text.links.iosDeepLink} {...form.field('iosDeepLink')} />
      <TextField label={text.links.androidDeepLink} {...form.field('androidDeepLink')} />
      <TextField
        label={text.links.aliases}
        hint={text.links.aliasesHint}
        {...form.field('aliases')}
      />
      <CheckField
        label={text.links.forwardQuery}
        hint={text.links.forwardQueryHint}
        {...form.field('forwardQuery')}
      />
      <CheckField label={text.links.noindex} {...form.field('noindex')} />
      <CheckField
        label={text.links.trackConversions}
        hint={text.links.trackConversionsHint}
        {...form.field('trackConversions')}
      />
    </Section>
  )
}
