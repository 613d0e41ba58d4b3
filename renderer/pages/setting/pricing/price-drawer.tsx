import { FormGroup, Radio, RadioGroup, SegmentedControl } from '@blueprintjs/core'
import { useState } from 'react'
import { FoldSection } from '../../../components/side-drawer/fold-section.tsx'
import { SideDrawer } from '../../../components/side-drawer/side-drawer.tsx'
import { DollarSign } from '../../../components/text-field/dollar-sign.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { useTranslation } from '../../../translation.ts'
import type { PriceTexts } from './price-draft.ts'
import {
  entryOf,
  type PriceEntry,
  type PriceEntryOf,
  type PriceProblems,
  problemsOf,
  textsOfEntry,
} from './price-entry.ts'
import { outputByName, type RatioMap, withPrice, withRatio } from './price-fields.ts'
import { following } from './step-fields.ts'
import { StepList } from './step-list.tsx'
import { TokenField } from './token-field.tsx'

type PriceDrawerProps = Readonly<{
  model: string
  texts: PriceTexts
  of: PriceEntryOf
  onTake: (model: string, texts: PriceTexts) => void
  onClose: () => void
}>

/**
 * A model's prices (docs/reference/screens.md#pricing-editors): per token, as ratios or as dollars that are kept in
 * sync, or per request. Changes are saved with the rest of the list.
 */
export function PriceDrawer({ model, texts, of, onTake, onClose }: PriceDrawerProps) {
  const { t } = useTranslation()
  const [first] = useState(() => entryOf(model, texts, of))
  const [entry, setEntry] = useState(first)
  const [isChecked, setChecked] = useState(false)
  const problems = problemsOf(entry, of)
  const put = (change: Partial<PriceEntry>) => setEntry({ ...entry, ...change })
  const submit = () => {
    setChecked(true)
    if (Object.keys(problems).length === 0) onTake(entry.name.trim(), textsOfEntry(entry))
  }
  const problem: PriceProblems = isChecked ? problems : {}
  return (
    <SideDrawer
      title={model === '' ? t('priceEditor.add') : t('priceEditor.edit', { model })}
      verb={t('priceEditor.take')}
      isBusy={false}
      isDirty={entry !== first}
      onClose={onClose}
      onSubmit={submit}
    >
      {model === '' && (
        <TextField
          label={t('label.model')}
          autoFocus
          autoComplete="off"
          spellCheck={false}
          value={entry.name}
          onValue={(name) => put({ name })}
          error={problem.name && t(problem.name)}
        />
      )}
      <RadioGroup
        inline
        label={t('priceEditor.mode')}
        selectedValue={entry.mode}
        onChange={({ currentTarget }) => put({ mode: currentTarget.value === 'request' ? 'request' : 'token' })}
      >
        <Radio value="token" label={t('priceEditor.perToken')} />
        <Radio value="request" label={t('priceEditor.perRequest')} />
      </RadioGroup>
      {entry.mode === 'request' ? (
        <TextField
          label={t('priceEditor.perRequestPrice')}
          inputMode="decimal"
          autoComplete="off"
          leftElement={<DollarSign />}
          value={entry.perRequest}
          onValue={(perRequest) => put({ perRequest })}
          error={problem.ModelPrice && t(problem.ModelPrice)}
          hint={t('priceEditor.perRequestHint')}
        />
      ) : (
        <TokenFields entry={entry} problems={problem} of={of} put={put} />
      )}
    </SideDrawer>
  )
}

type TokenFieldsProps = Readonly<{
  entry: PriceEntry
  problems: PriceProblems
  of: PriceEntryOf
  put: (change: Partial<PriceEntry>) => void
}>

/** Token prices: input and output, and collapsed sections for the others and for long prompts. */
function TokenFields({ entry, problems, of, put }: TokenFieldsProps) {
  const { t } = useTranslation()
  const { fields, by, steps } = entry
  const entered = otherRatios.filter((map) => fields.ratios[map] !== '').length
  const type = (map: RatioMap, text: string) => {
    const next = by === 'ratio' ? withRatio(fields, map, text, of) : withPrice(fields, map, text, of)
    put({ fields: next, steps: following(steps, by, next) })
  }
  const field = (map: RatioMap) => (
    <TokenField
      key={map}
      map={map}
      by={by}
      fields={fields}
      byName={map === 'CompletionRatio' ? outputByName(entry.name.trim(), fields, of) : undefined}
      problem={problems[map]}
      onText={type}
    />
  )
  return (
    <>
      <FormGroup label={t('priceEditor.by')}>
        <SegmentedControl
          aria-label={t('priceEditor.by')}
          value={by}
          onValueChange={(value) => put({ by: value === 'price' ? 'price' : 'ratio' })}
          options={[
            { value: 'ratio', label: t('priceEditor.byRatio') },
            { value: 'price', label: t('priceEditor.byPrice') },
          ]}
        />
      </FormGroup>
      {(['ModelRatio', 'CompletionRatio'] as const).map(field)}
      <FoldSection
        title={t('priceEditor.others')}
        isOpenAtFirst={entered > 0}
        changed={entered}
        hasProblem={otherRatios.some((map) => problems[map])}
      >
        {otherRatios.map(field)}
      </FoldSection>
      <StepList
        steps={steps}
        by={by}
        fields={fields}
        problems={problems.steps}
        onSteps={(next) => put({ steps: next })}
      />
    </>
  )
}

const otherRatios = ['CacheRatio', 'CreateCacheRatio', 'ImageRatio', 'AudioRatio', 'AudioCompletionRatio'] as const
