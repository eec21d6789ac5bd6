import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useWorkspace } from '../api/workspace.ts'
import { CheckField, SelectField, TextField } from '../kit/field.tsx'
import { Icon, type IconName } from '../kit/icon.tsx'
import { QrCode } from '../kit/qr-code.tsx'
import { text } from '../text/en.ts'
import { UTM_FIELDS, withUtm, type LinkDraft } from './draft.ts'
import { groupsQuery } from './queries.ts'
import { SlugField } from './slug-field.tsx'

type Props = {
  draft: LinkDraft
  onDraft: (change: Partial<LinkDraft>) => void
  /** The slug before the edit; empty for a new link. */
  ownSlug: string
  host: string
  hasPassword: boolean
  /** Messages of the server by the path of their field. */
  errors: Record<string, string>
}

/** Every option of a link. What most links need is open, the rest behind one line each. */
export function LinkForm(props: Props) {
  const { draft, onDraft, ownSlug, host, errors } = props
  const shortUrl = `${location.protocol}//${host}/${draft.slug.trim() || 'aB3dE7'}`
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
      <SlugField
        host={host}
        value={draft.slug}
        onValue={(slug) => onDraft({ slug })}
        own={ownSlug}
        error={errors.slug}
      />
      <div className="flex gap-4">
        <div className="rounded border border-line bg-[#fff] p-1">
          <QrCode value={shortUrl} size={104} />
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
      <Devices {...props} />
    </>
  )
}

/** Options behind a line that tells what is set. */
function Section({
  icon,
  title,
  state,
  hasError,
  children,
}: {
  icon: IconName
  title: string
  state: string
  hasError: boolean
  children: ReactNode
}) {
  return (
    <details className="group border-t border-line" open={hasError || undefined}>
      <summary className="flex min-h-11 items-center gap-3 text-base">
        <Icon name={icon} /> {title}
        <span className="ml-auto max-w-48 truncate text-sm text-soft">{state}</span>
        <Icon name="chevron-right" className="group-open:rotate-90" />
      </summary>
      <div className="flex flex-col gap-3 pb-4">{children}</div>
    </details>
  )
}

function Groups({ draft, onDraft, errors }: Props) {
  const { id } = useWorkspace()
  const groups = useQuery(groupsQuery(id))
  const none = { value: '', label: text.links.none }
  const state = [
    draft.tags,
    groups.data?.campaigns.find((each) => each.id === draft.campaignId)?.name,
  ]
  return (
    <Section
      icon="tag"
      title={text.links.groups}
      state={state.filter(Boolean).join(', ') || text.links.none}
      hasError={'tags' in errors || 'folderId' in errors}
    >
      <TextField
        label={text.links.tags}
        hint={text.links.tagsHint}
        name="tags"
        value={draft.tags}
        onValue={(tags) => onDraft({ tags })}
        error={errors.tags}
      />
      <SelectField
        label={text.links.folder}
        value={draft.folderId}
        options={[none, ...(groups.data?.folders ?? []).map(toOption)]}
        onValue={(folderId) => onDraft({ folderId })}
        error={errors.folderId}
      />
      <SelectField
        label={text.links.campaign}
        value={draft.campaignId}
        options={[none, ...(groups.data?.campaigns ?? []).map(toOption)]}
        onValue={(campaignId) => onDraft({ campaignId })}
        error={errors.campaignId}
      />
    </Section>
  )
}

const toOption = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name })

function Utm({ draft, onDraft, errors }: Props) {
  const { id } = useWorkspace()
  const groups = useQuery(groupsQuery(id))
  const templates = groups.data?.templates ?? []
  const set = UTM_FIELDS.filter((field) => draft[field] !== '')
  return (
    <Section
      icon="megaphone"
      title={text.links.utm}
      state={set.map((field) => draft[field]).join(', ') || text.links.none}
      hasError={UTM_FIELDS.some((field) => field in errors)}
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

function Limits({ draft, onDraft, hasPassword, errors }: Props) {
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
      hasError={['startsAt', 'expiresAt', 'maxClicks', 'password', 'expiredUrl'].some(
        (field) => field in errors,
      )}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={text.links.startsAt}
          type="datetime-local"
          value={draft.startsAt}
          onValue={(startsAt) => onDraft({ startsAt })}
          error={errors.startsAt}
        />
        <TextField
          label={text.links.expiresAt}
          type="datetime-local"
          value={draft.expiresAt}
          onValue={(expiresAt) => onDraft({ expiresAt })}
          error={errors.expiresAt}
        />
        <TextField
          label={text.links.maxClicks}
          inputMode="numeric"
          value={draft.maxClicks}
          onValue={(maxClicks) => onDraft({ maxClicks })}
          error={errors.maxClicks}
        />
        <TextField
          label={text.links.password}
          type="password"
          autoComplete="new-password"
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

function Devices({ draft, onDraft, errors }: Props) {
  return (
    <Section
      icon="smartphone"
      title={text.links.behaviour}
      state={draft.redirectType}
      hasError={['iosDeepLink', 'androidDeepLink', 'redirectType', 'aliases'].some(
        (field) => field in errors,
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
        error={errors.aliases}
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
    </Section>
  )
}
