import { Button, Classes, Collapse, FormGroup, Tag } from '@blueprintjs/core'
import { ChevronDown, ChevronRight } from '@blueprintjs/icons'
import { useId, useState } from 'react'
import { budgetWindows } from '../../../shared/budgets.ts'
import { NumberField } from '../../components/number-field/number-field.tsx'
import { QuotaInput } from '../../components/quota-input/quota-input.tsx'
import { Select } from '../../components/select.tsx'
import { useTranslation } from '../../translation.ts'
import { type FieldsProps, limitsSet, ownTimeZone } from './draft.ts'

/** Rate limits and budgets of a token; collapsed until some limit is set. */
export function LimitFields(fields: FieldsProps) {
  const { t } = useTranslation()
  const { draft, problems } = fields
  const set = limitsSet(draft)
  const [isUnfolded, setUnfolded] = useState(set > 0)
  const id = useId()
  // Opens if it contains a problem.
  const isOpen = isUnfolded || limitFields.some((field) => problems[field])
  return (
    <fieldset className="section token-folding">
      <legend>
        <Button
          variant="minimal"
          icon={isOpen ? <ChevronDown /> : <ChevronRight />}
          text={t('token.section.budgets')}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setUnfolded(!isOpen)}
        />
        {!isOpen && set > 0 && <Tag minimal>{t('token.limitsSet', { n: set })}</Tag>}
      </legend>
      <div id={id}>
        <Collapse isOpen={isOpen}>
          <RateFields {...fields} />
          <BudgetFields {...fields} />
        </Collapse>
      </div>
    </fieldset>
  )
}

const limitFields = ['requestsPerMinute', 'tokensPerMinute', 'budgets', 'warnPercent'] as const

function RateFields({ draft, problems, onChange }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <div className="token-pair">
      <NumberField
        label={t('token.requestsPerMinute')}
        value={draft.requestsPerMinute}
        onValue={(requestsPerMinute) => onChange({ requestsPerMinute })}
        max={1_000_000}
        zeroText={t('label.noLimit')}
        error={problems.requestsPerMinute && t(problems.requestsPerMinute)}
      />
      <NumberField
        label={t('token.tokensPerMinute')}
        value={draft.tokensPerMinute}
        onValue={(tokensPerMinute) => onChange({ tokensPerMinute })}
        max={1_000_000_000}
        zeroText={t('label.noLimit')}
        error={problems.tokensPerMinute && t(problems.tokensPerMinute)}
      />
    </div>
  )
}

function BudgetFields({ draft, problems, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const bad = problems.budgets && t(problems.budgets)
  return (
    <>
      <p className={`token-note ${Classes.TEXT_MUTED}`}>{t('token.budgetsHint')}</p>
      <div className="token-pair">
        {budgetWindows.map((window) => (
          <QuotaInput
            key={window}
            isPlain
            zeroText={t('label.noLimit')}
            label={t(`token.budget.${window}`)}
            value={draft.budgets[window]}
            onValue={(quota) => onChange({ budgets: { ...draft.budgets, [window]: quota } })}
            error={draft.budgets[window] === undefined ? bad : undefined}
          />
        ))}
        <NumberField
          label={t('token.warnPercent')}
          value={draft.warnPercent}
          onValue={(warnPercent) => onChange({ warnPercent })}
          max={100}
          hint={t('token.warnHint')}
          error={problems.warnPercent && t(problems.warnPercent)}
        />
      </div>
      <ZoneField value={draft.timeZone} onValue={(timeZone) => onChange({ timeZone })} />
    </>
  )
}

/** The time zone in which days, weeks and months of the budgets start at midnight; one's own is first. */
function ZoneField({ value, onValue }: { value: string; onValue: (zone: string) => void }) {
  const { t } = useTranslation()
  const id = useId()
  const first = [...new Set([ownTimeZone(), value].filter((zone) => zone !== ''))]
  const others = Intl.supportedValuesOf('timeZone').filter((zone) => !first.includes(zone) && zone !== 'UTC')
  const options = [
    ...first.map((zone) => ({ value: zone, label: zone })),
    { value: '', label: 'UTC' },
    ...others.map((zone) => ({ value: zone, label: zone })),
  ]
  return (
    <FormGroup
      label={t('token.timeZone')}
      labelFor={id}
      helperText={<span id={`${id}-note`}>{t('token.timeZoneHint')}</span>}
    >
      <Select
        id={id}
        fill
        value={value}
        options={options}
        onChange={(event) => onValue(event.currentTarget.value)}
        aria-describedby={`${id}-note`}
      />
    </FormGroup>
  )
}
