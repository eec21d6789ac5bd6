import { text } from '../text/links.ts'
import type { Target } from './bulk.ts'
import type { Step } from './bulk-draft.ts'

const SHOWN = 5

/** What the change does to the first links, before it is made. */
export function BulkPreview({ target, steps }: { target: Target; steps: readonly Step[] }) {
  if (steps.length === 0) return <p className="text-sm text-soft">{text.bulk.nothing}</p>
  const links = 'links' in target ? target.links : []
  const changed = links.filter((link) => steps.some((step) => step.of(link) !== step.after(link)))
  return (
    <section
      aria-label={text.bulk.preview}
      aria-live="polite"
      className="flex flex-col gap-2 rounded border border-line bg-card p-3 text-sm"
    >
      <h3 className="font-semibold">
        {'links' in target
          ? text.bulk.changes(changed.length, links.length)
          : text.bulk.changesAll(target.count)}
      </h3>
      <ul className="flex flex-col gap-2">
        {changed.slice(0, SHOWN).map((link) => (
          <li key={link.id} className="min-w-0">
            <b className="block truncate font-mono font-semibold">{link.slug}</b>
            {steps
              .filter((step) => step.of(link) !== step.after(link))
              .map((step) => (
                <span key={step.field} className="block break-words">
                  <span className="text-soft">
                    {step.label}: <s>{step.of(link)}</s>
                  </span>{' '}
                  {step.after(link)}
                </span>
              ))}
          </li>
        ))}
      </ul>
      {'filter' in target && (
        <p className="text-soft">{steps.map(({ label }) => label).join(', ')}</p>
      )}
      {changed.length > SHOWN && (
        <p className="text-soft">{text.bulk.more(changed.length - SHOWN)}</p>
      )}
    </section>
  )
}
