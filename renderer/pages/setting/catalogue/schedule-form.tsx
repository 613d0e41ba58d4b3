import { SegmentedControl } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ScheduledPrice, scheduledPrices } from '../../../../shared/api/scheduled-prices.ts'
import { areaOf, useSend } from '../../../api/use-call.ts'
import { FoldSection } from '../../../components/side-drawer/fold-section.tsx'
import { SideDrawer } from '../../../components/side-drawer/side-drawer.tsx'
import { DollarSign } from '../../../components/text-field/dollar-sign.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import {
  type Draft,
  draftOf,
  isSameDraft,
  type PriceField,
  priceFields,
  problemsOf,
  scheduleOf,
} from './schedule-draft.ts'
import { NoteField, TimeField } from './when-field.tsx'

type ScheduleFormProps = Readonly<{
  /** The price to change; undefined for a new one. */
  price: ScheduledPrice | undefined
  onClose: () => void
}>

export function ScheduleForm({ price, onClose }: ScheduleFormProps) {
  const { t } = useTranslation()
  const [first] = useState(() => draftOf(price))
  const [draft, setDraft] = useState(first)
  const [isChecked, setChecked] = useState(false)
  const { save, isBusy } = useSaving(price, onClose)
  const problems = problemsOf(draft)
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const submit = () => {
    setChecked(true)
    if (Object.keys(problems).length === 0) save(draft)
  }
  const problemText = (field: keyof Draft) => {
    const problem = problems[field]
    return isChecked && problem ? t(problem) : undefined
  }
  const field = (name: PriceField) => (
    <TextField
      key={name}
      label={t(`prices.field.${name}`)}
      inputMode="decimal"
      leftElement={<DollarSign />}
      value={draft[name]}
      onValue={(value) => change({ [name]: value })}
      error={problemText(name)}
      {...(retainsRatio(name) && { hint: t('prices.keepHint') })}
    />
  )
  return (
    <SideDrawer
      title={t(price ? 'prices.scheduleChange' : 'prices.scheduleOne')}
      isBusy={isBusy}
      isDirty={!isSameDraft(first, draft)}
      verb={t(price ? 'label.save' : 'prices.schedule')}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        label={t('label.model')}
        autoFocus={!price}
        autoComplete="off"
        maxLength={255}
        value={draft.model}
        onValue={(model) => change({ model })}
        error={problemText('model')}
      />
      <SegmentedControl
        className="catalogue-form-mode"
        aria-label={t('prices.billing')}
        options={[
          { value: 'tokens', label: t('prices.byTokens') },
          { value: 'requests', label: t('prices.byRequests') },
        ]}
        value={draft.isFixed ? 'requests' : 'tokens'}
        onValueChange={(value) => change({ isFixed: value === 'requests' })}
      />
      {draft.isFixed ? (
        field('fixed')
      ) : (
        <>
          {field('input')}
          {field('output')}
        </>
      )}
      <TimeField time={draft.time} onTime={(time) => change({ time })} isChecked={isChecked} />
      <NoteField note={draft.note} onNote={(note) => change({ note })} />
      {!draft.isFixed && (
        <FoldSection
          title={t('prices.furtherPrices')}
          isOpenAtFirst={further.some((name) => first[name] !== '')}
          changed={further.filter((name) => draft[name] !== first[name]).length}
          hasProblem={further.some((name) => problemText(name) !== undefined)}
        >
          {further.map(field)}
        </FoldSection>
      )}
    </SideDrawer>
  )
}

/** Whether an empty field leaves the price's ratio to the input price unchanged. */
const retainsRatio = (name: PriceField): boolean => name !== 'fixed' && name !== 'input'

const further = priceFields.filter((name) => name !== 'fixed' && name !== 'input' && name !== 'output')

function useSaving(price: ScheduledPrice | undefined, onDone: () => void) {
  const { t } = useTranslation()
  const add = useSend(scheduledPrices.add)
  const change = useSend(scheduledPrices.change)
  const queries = useQueryClient()
  // A refusal may mean that another administrator changed the price; the reloaded list then shows that.
  const readAgain = () => void queries.invalidateQueries({ queryKey: [areaOf(scheduledPrices.list)] })
  const done = () => {
    showSuccess(t('prices.saved'))
    onDone()
  }
  return {
    isBusy: add.isPending || change.isPending,
    save(draft: Draft) {
      const body = scheduleOf(draft)
      if (price === undefined) return add.mutate({ body }, { onSuccess: done })
      const { id, model, valid_from, note } = price
      const base = { model, valid_from, note, rates: price.price.rates }
      change.mutate({ params: { id }, body: { ...body, base } }, { onSuccess: done, onError: readAgain })
    },
  }
}
