import { Button, IconButton } from '../kit/button.tsx'
import { FieldError, TextField } from '../kit/field.tsx'
import { text } from '../text/link-page.ts'
import type { FormProps } from './form-props.ts'
import { emptyVariant, evenOut, sumOf, type VariantDraft } from './option-drafts.ts'
import { Section } from './section.tsx'

const MAX_VARIANTS = 10

/** Shares of the visitors that no rule took; each keeps the variant that they got. */
export function VariantsSection({ form }: FormProps) {
  const { draft, errorAt } = form
  const { variants } = draft
  const sum = sumOf(variants)
  const change = (next: readonly VariantDraft[]) => form.change({ variants: next })
  const add = () =>
    change(
      variants.length === 0
        ? [emptyVariant('50', draft.destinationUrl), emptyVariant('50')]
        : evenOut([...variants, emptyVariant('0')]),
    )
  // One variant alone would be no split: taking the last but one takes both.
  const remove = (index: number) =>
    change(variants.length <= 2 ? [] : evenOut(variants.filter((_, at) => at !== index)))
  return (
    <Section
      icon="git-branch"
      title={text.linkOptions.variants}
      state={variants.map(({ weight }) => weight).join(' : ') || text.links.none}
      hasError={['variants', 'variantsUntil'].some(errorAt)}
    >
      <p className="text-sm text-soft">{text.linkOptions.variantsExplain}</p>
      <ol className="flex flex-col gap-3">
        {variants.map((variant, index) => (
          <VariantFields
            key={variant.key}
            variant={variant}
            index={index}
            errorAt={errorAt}
            onVariant={(part) =>
              change(variants.map((each, at) => (at === index ? { ...each, ...part } : each)))
            }
            onRemove={() => remove(index)}
          />
        ))}
      </ol>
      {variants.length > 0 && (
        <p
          className={`text-sm ${sum === 100 ? 'text-soft' : 'font-semibold text-stop'}`}
          aria-live="polite"
        >
          {text.linkOptions.sum(sum)}{' '}
          {sum !== 100 && (
            <Button look="quiet" onClick={() => change(evenOut(variants))}>
              {text.linkOptions.evenOut}
            </Button>
          )}
        </p>
      )}
      {variants.length === 0 && <FieldError>{errorAt('variants')}</FieldError>}
      {variants.length < MAX_VARIANTS && (
        <Button icon="plus" className="self-start" onClick={add}>
          {variants.length === 0 ? text.linkOptions.split : text.linkOptions.addVariant}
        </Button>
      )}
      {variants.length > 0 && (
        <TextField
          label={text.linkOptions.variantsUntil}
          hint={text.linkOptions.variantsUntilHint}
          type="datetime-local"
          {...form.field('variantsUntil')}
        />
      )}
    </Section>
  )
}

function VariantFields({
  variant,
  index,
  errorAt,
  onVariant,
  onRemove,
}: {
  variant: VariantDraft
  index: number
  errorAt: FormProps['form']['errorAt']
  onVariant: (part: Partial<VariantDraft>) => void
  onRemove: () => void
}) {
  const path = `variants.${index}`
  const number = text.linkOptions.variant(index + 1)
  return (
    <li className="flex flex-col gap-2 rounded border border-line bg-card p-3">
      <div className="grid grid-cols-[minmax(0,1fr)_88px_auto] gap-2">
        <TextField
          label={text.linkOptions.variantName(index + 1)}
          value={variant.name}
          onValue={(name) => onVariant({ name })}
          error={errorAt(`${path}.name`)}
        />
        <TextField
          label={text.linkOptions.weight}
          type="number"
          min={1}
          max={100}
          value={variant.weight}
          onValue={(weight) => onVariant({ weight })}
          error={errorAt(`${path}.weight`)}
        />
        <IconButton
          icon="trash-2"
          label={text.linkOptions.remove(number)}
          className="mt-6"
          onClick={onRemove}
        />
      </div>
      <TextField
        label={text.linkOptions.variantTarget(index + 1)}
        inputMode="url"
        autoComplete="off"
        placeholder="https://"
        className="font-mono text-sm"
        value={variant.destinationUrl}
        onValue={(destinationUrl) => onVariant({ destinationUrl })}
        error={errorAt(`${path}.destinationUrl`)}
      />
    </li>
  )
}
