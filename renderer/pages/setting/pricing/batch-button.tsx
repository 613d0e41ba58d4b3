import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import { focusAfter } from '../../../components/focus-after.ts'
import type { RowKey } from '../../../components/page-table/list-view.ts'
import { clearToasts, showWarning } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import { BatchDialog, type BatchFill } from './batch-dialog.tsx'
import { isPerRequest, type PriceTexts, shownTexts } from './price-draft.ts'
import type { PriceTable } from './price-table.ts'
import type { PriceDrafts } from './use-drafts.ts'

type BatchButtonProps = Readonly<{
  chosen: ReadonlySet<RowKey>
  /** The selectable rows of all pages. */
  found: readonly string[]
  choose: (next: ReadonlySet<RowKey>) => void
  stored: PriceTable
  drafts: PriceDrafts
}>

/** Applies one value to the selected models, and can select those of all pages. */
export function BatchButton({ chosen, found, choose, stored, drafts }: BatchButtonProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const models = [...chosen].map(String)
  const start = () => {
    clearToasts()
    if (models.length === 0) showWarning(t('price.batch_none'))
    else setOpen(true)
  }
  const isWhole = found.every((model) => chosen.has(model))
  return (
    <>
      {chosen.size > 0 && (
        <Button
          variant="minimal"
          text={isWhole ? t('priceEditor.chooseNone') : t('priceEditor.chooseAll', { n: found.length })}
          onClick={({ currentTarget }) => {
            const nextButton = currentTarget.nextElementSibling
            if (isWhole)
              focusAfter(
                () => choose(new Set()),
                () => nextButton,
              )
            else choose(new Set([...chosen, ...found]))
          }}
        />
      )}
      <Button
        text={chosen.size > 0 ? t('priceEditor.batchOf', { n: chosen.size }) : t('priceEditor.batch')}
        onClick={start}
      />
      {isOpen && (
        <BatchDialog
          models={models.length}
          onFill={(fill) => {
            const { typed, left } = filledIn(fill, models, (model) => shownTexts(drafts.drafts, stored, model))
            drafts.put(typed)
            if (left > 0) showWarning(t('priceEditor.batchLeft', { n: left }))
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

/**
 * The drafts after a batch fill. A price per request, or a model ratio, sets how a model is charged; other ratios
 * skip models charged per request, for which they mean nothing.
 */
function filledIn(
  fill: BatchFill,
  models: Iterable<string>,
  textsOf: (model: string) => PriceTexts,
): Readonly<{ typed: ReadonlyMap<string, Partial<PriceTexts>>; left: number }> {
  const decides = fill.ModelPrice !== undefined || fill.ModelRatio !== undefined
  const all = [...models]
  const taken = all.filter((model) => decides || !isPerRequest(textsOf(model)))
  const change = fill.ModelPrice === undefined ? { ModelPrice: '', ...fill } : fill
  return { typed: new Map(taken.map((model) => [model, change])), left: all.length - taken.length }
}
