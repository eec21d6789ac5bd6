import { Button, IconButton } from '../kit/button.tsx'
import { CheckField, TextField } from '../kit/field.tsx'
import { text } from '../text/en.ts'
import { ConditionFields } from './condition-fields.tsx'
import type { FormProps } from './form-props.ts'
import { emptyRule, moved, type RuleDraft } from './option-drafts.ts'
import { errorAt, Section } from './section.tsx'

const MAX_RULES = 20

/** Other destinations for some visitors: the first enabled rule that fits counts. */
export function RulesSection({ draft, onDraft, errors }: FormProps) {
  const { rules } = draft
  const change = (next: readonly RuleDraft[]) => onDraft({ rules: next })
  return (
    <Section
      icon="split"
      title={text.linkOptions.rules}
      state={rules.length === 0 ? text.links.none : text.linkOptions.ruleCount(rules.length)}
      hasError={errorAt(errors, 'rules') !== undefined}
    >
      <p className="text-sm text-soft">{text.linkOptions.rulesExplain}</p>
      <ol className="flex flex-col gap-3">
        {rules.map((rule, index) => (
          <RuleFields
            key={rule.key}
            rule={rule}
            index={index}
            isLast={index === rules.length - 1}
            errors={errors}
            onRule={(part) =>
              change(rules.map((each, at) => (at === index ? { ...each, ...part } : each)))
            }
            onMove={(step) => change(moved(rules, index, step))}
            onRemove={() => change(rules.filter((_, at) => at !== index))}
          />
        ))}
      </ol>
      {errors.rules && <p className="text-sm text-stop">{errors.rules}</p>}
      {rules.length < MAX_RULES && (
        <Button icon="plus" className="self-start" onClick={() => change([...rules, emptyRule()])}>
          {text.linkOptions.addRule}
        </Button>
      )}
    </Section>
  )
}

function RuleFields({
  rule,
  index,
  isLast,
  errors,
  onRule,
  onMove,
  onRemove,
}: {
  rule: RuleDraft
  index: number
  isLast: boolean
  errors: FormProps['errors']
  onRule: (part: Partial<RuleDraft>) => void
  onMove: (step: -1 | 1) => void
  onRemove: () => void
}) {
  const path = `rules.${index}`
  const number = text.links.rule(index + 1)
  return (
    <li
      className={`flex flex-col gap-3 rounded border border-line p-3 ${rule.enabled ? 'bg-card' : 'bg-sunk'}`}
    >
      <div className="flex items-center gap-1">
        <h3 className="flex-1 text-sm font-semibold">{number}</h3>
        <IconButton
          icon="arrow-up"
          label={text.linkOptions.moveUp(number)}
          disabled={index === 0}
          onClick={() => onMove(-1)}
        />
        <IconButton
          icon="arrow-down"
          label={text.linkOptions.moveDown(number)}
          disabled={isLast}
          onClick={() => onMove(1)}
        />
        <IconButton icon="trash-2" label={text.linkOptions.remove(number)} onClick={onRemove} />
      </div>
      <ConditionFields
        conditions={rule.conditions}
        errors={errors}
        path={`${path}.conditions`}
        onConditions={(conditions) => onRule({ conditions })}
      />
      <TextField
        label={text.linkOptions.ruleTarget}
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://"
        className="font-mono text-sm"
        value={rule.destinationUrl}
        onValue={(destinationUrl) => onRule({ destinationUrl })}
        error={errors[`${path}.destinationUrl`]}
      />
      <TextField
        label={text.linkOptions.ruleName}
        value={rule.name}
        onValue={(name) => onRule({ name })}
        error={errors[`${path}.name`]}
      />
      <CheckField
        label={text.linkOptions.ruleEnabled}
        checked={rule.enabled}
        onChecked={(enabled) => onRule({ enabled })}
      />
    </li>
  )
}
