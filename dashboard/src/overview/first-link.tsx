import { api, dataOf, type Schemas } from '../api/client.ts'
import { useMay } from '../api/workspace.ts'
import type { Summary } from '../figures/queries.ts'
import { copyText } from '../kit/copy-button.tsx'
import { TextField } from '../kit/field.tsx'
import { PageForm } from '../kit/page-form.tsx'
import { useTabTitle } from '../kit/tab-title.ts'
import { isWebAddress, nameFor, withScheme } from '../kit/url.ts'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/overview.ts'
import { CreatedCard } from './created-card.tsx'
import { StepList } from './first-steps.tsx'
import { useSteps } from './steps.ts'

type Link = Schemas['Link']

/** The empty page is the form: paste an address, and the short link is there. */
export function FirstLink({
  summary,
  created,
  onCreated,
}: {
  summary: Summary
  created: Link | null
  onCreated: (link: Link | null) => void
}) {
  const mayWrite = useMay('member')
  const steps = useSteps(summary)
  useTabTitle(text.overview.title)
  const title = mayWrite ? text.overview.firstTitle : text.overview.title
  return (
    <div className="mx-auto flex max-w-xl flex-col gap-5 py-6">
      <h1 className="text-xl font-bold">{created ? text.created.title : title}</h1>
      {created ? (
        <CreatedCard link={created} onDone={() => onCreated(null)} />
      ) : (
        <>
          <p className="text-soft">
            {mayWrite ? text.overview.firstExplain : text.overview.firstViewer}
          </p>
          {mayWrite && <AddressForm onCreated={onCreated} />}
        </>
      )}
      {steps && (
        <StepList
          steps={steps.map((step) =>
            created && step.id === 'link' ? { ...step, isDone: true } : step,
          )}
          link={created?.id}
          isNarrow
        />
      )}
    </div>
  )
}

function AddressForm({ onCreated }: { onCreated: (link: Link) => void }) {
  const form = useForm({
    start: () => ({ destinationUrl: '' }),
    check: ({ destinationUrl }): Record<string, string> =>
      isWebAddress(destinationUrl) ? {} : { destinationUrl: text.overview.noAddress },
    save: (draft) => {
      const destinationUrl = withScheme(draft.destinationUrl)
      const body = { destinationUrl, name: nameFor(destinationUrl) }
      return dataOf(api.POST('/links', { body }))
    },
    onSaved: (link) => {
      onCreated(link)
      // The card has a button for it, where the browser allows no copy by itself.
      void copyText(link.shortUrl).catch(() => {})
    },
  })
  return (
    <PageForm form={form} action={text.overview.makeShort} isWide button={{ look: 'primary' }}>
      <TextField
        label={text.names.destination}
        placeholder={text.names.addressExample}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="min-h-12! font-mono"
        {...form.field('destinationUrl')}
      />
    </PageForm>
  )
}
