import { Button, IconButton } from '../kit/button.tsx'
import { CheckField, FieldError, TextField } from '../kit/field.tsx'
import { moved } from '../kit/lists.ts'
import { text } from '../text/link-page.ts'
import { ConditionFields } from './condition-fields.tsx'
import type { FormProps } from './form-props.ts'
import { emptyRule, type RuleDraft } from './option-drafts.ts'
import { Section } from './section.tsx'

const MAX_RULES = 20

/** Other destinations for some visitors: the first enabled rule that fits counts. */
export function RulesSection({ form: { draft, change: changeDraft, errorAt } }: FormProps) {
  const { rules } = draft
  const change = (next: readonly RuleDraft[]) => changeDraft({ rules: next })
  return (
    <Section
      icon="split"
      title={text.linkOptions.rules}
      state={rules.length === 0 ? text.links.none : text.linkOptions.ruleCount(rules.length)}
      hasError={errorAt('rules') !== undefined}
    >
      <p className="text-sm text-soft">{text.linkOptions.rulesExplain}</p>
      <ol className="flex flex-col gap-3">
        {rules.map((rule, index) => (
          <RuleFields
            key={rule.key}
            rule={rule}
            index={index}
            isLast={index === rules.length - 1}
            errorAt={errorAt}
            onRule={(part) =>
              change(rules.map((each, at) => (at === index ? { ...each, ...part } : each)))
            }
            onMove={(step) => change(moved(rules, index, index + step))}
            onRemove={() => change(rules.filter((_, at) => at !== index))}
          />
        ))}
      </ol>
      {rules.length === 0 && <FieldError>{errorAt('rules')}</FieldError>}
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
  errorAt,
  onRule,
  onMove,
  onRemove,
}: {
  rule: RuleDraft
  index: number
  isLast: boolean
  errorAt: FormProps['form']['errorAt']
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
        errorAt={errorAt}
        path={`${path}.conditions`}
        onConditions={(conditions) => onRule({ conditions })}
      />
      <TextField
        label={text.linkOptions.ruleTarget}
        inputMode="url"
        autoComplete="off"
        placeholder="https://"
        className="font-mono text-sm"
        value={rule.destinationUrl}
        onValue={(destinationUrl) => onRule({ destinationUrl })}
        error={errorAt(`${path}.destinationUrl`)}
      />
      <TextField
        label={text.linkOptions.ruleName}
        value={rule.name}
        onValue={(name) => onRule({ name })}
        error={errorAt(`${path}.name`)}
      />
      <CheckField
        label={text.linkOptions.ruleEnabled}
        value={rule.enabled}
        onValue={(enabled) => onRule({ enabled })}
      />
    </li>
  )
}
