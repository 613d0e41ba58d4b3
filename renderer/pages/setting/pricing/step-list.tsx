import { Button, Classes } from '@blueprintjs/core'
import { Plus, Trash } from '@blueprintjs/icons'
import { useRef } from 'react'
import { focusAfter } from '../../../components/focus-after.ts'
import { FoldSection } from '../../../components/side-drawer/fold-section.tsx'
import { DollarSign } from '../../../components/text-field/dollar-sign.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { useTranslation } from '../../../translation.ts'
import type { PriceFields } from './price-fields.ts'
import { MAX_STEPS, type StepFields, type StepKind, type StepProblems, withStep, withTyped } from './step-fields.ts'

type StepListProps = Readonly<{
  steps: readonly StepFields[]
  by: 'ratio' | 'price'
  fields: PriceFields
  problems: readonly StepProblems[] | undefined
  onSteps: (steps: readonly StepFields[]) => void
}>

/** Long-prompt prices, one step per row (docs/reference/billing.md#long-prompts). */
export function StepList({ steps, by, fields, problems, onSteps }: StepListProps) {
  const { t } = useTranslation()
  const list = useRef<HTMLDivElement>(null)
  const put = (next: StepFields) => onSteps(steps.map((step) => (step.id === next.id ? next : step)))
  const add = () =>
    focusAfter(
      () => onSteps(withStep(steps)),
      () => list.current?.querySelector('.price-step:last-of-type input'),
    )
  const remove = (id: number) =>
    focusAfter(
      () => onSteps(steps.filter((step) => step.id !== id)),
      () => list.current?.querySelector('.price-step-add'),
    )
  return (
    <FoldSection
      title={t('priceEditor.steps')}
      isOpenAtFirst={steps.length > 0}
      changed={steps.length}
      hasProblem={problems !== undefined}
    >
      <div ref={list}>
        <p className={Classes.TEXT_MUTED}>{t('priceEditor.stepsHint')}</p>
        {steps.map((step, index) => (
          <StepRow
            key={step.id}
            step={step}
            position={index + 1}
            by={by}
            fields={fields}
            problems={problems?.[index] ?? {}}
            onStep={put}
            onRemove={() => remove(step.id)}
          />
        ))}
        <Button
          className="price-step-add"
          icon={<Plus />}
          text={t('priceEditor.stepAdd')}
          disabled={steps.length >= MAX_STEPS}
          onClick={add}
        />
      </div>
    </FoldSection>
  )
}

type StepRowProps = Pick<StepListProps, 'by' | 'fields'> &
  Readonly<{
    step: StepFields
    /** Counts from 1. */
    position: number
    problems: StepProblems
    onStep: (step: StepFields) => void
    onRemove: () => void
  }>

function StepRow({ step, position, by, fields, problems, onStep, onRemove }: StepRowProps) {
  const { t } = useTranslation()
  const value = (kind: StepKind) => {
    const isRatio = by === 'ratio'
    const other = (isRatio ? step.prices : step.ratios)[kind]
    const note = isRatio
      ? t('priceEditor.isPrice', { price: `$${other}` })
      : t('priceEditor.isFactor', { factor: other })
    return (
      <TextField
        label={t(isRatio ? factorNames[kind] : priceNames[kind])}
        inputMode="decimal"
        autoComplete="off"
        {...(isRatio ? {} : { leftElement: <DollarSign /> })}
        value={(isRatio ? step.ratios : step.prices)[kind]}
        onValue={(text) => onStep(withTyped(step, by, { [kind]: text }, fields))}
        error={problems[kind] && t(problems[kind])}
        {...(other === '' ? {} : { hint: note })}
      />
    )
  }
  return (
    <fieldset className="price-step" aria-label={t('priceEditor.stepOf', { n: position })}>
      <TextField
        label={t('priceEditor.stepAbove')}
        inputMode="numeric"
        autoComplete="off"
        value={step.above}
        onValue={(above) => onStep({ ...step, above })}
        error={problems.above && t(problems.above)}
      />
      {value('input')}
      {value('output')}
      <Button
        variant="minimal"
        icon={<Trash />}
        aria-label={t('priceEditor.stepRemove', { n: position })}
        onClick={onRemove}
      />
    </fieldset>
  )
}

const factorNames = { input: 'priceEditor.stepInput', output: 'priceEditor.stepOutput' } as const
const priceNames = { input: 'priceEditor.stepInputPrice', output: 'priceEditor.stepOutputPrice' } as const
