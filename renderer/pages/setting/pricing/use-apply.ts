import type { RefObject } from 'react'
import { clearToasts, showWarning } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import { editsOf, wrongIn } from './price-draft.ts'
import { type PriceRow, priceCodec } from './price-table.ts'
import type { PriceDrafts } from './use-drafts.ts'
import { useLeadToWrong } from './use-lead-to-wrong.ts'
import { type Saving, useSaving } from './use-saving.ts'

/** Saves a list's drafts; if a number is invalid, shows and focuses it instead. */
export function useApply(
  { drafts, clear }: PriceDrafts,
  box: RefObject<HTMLElement | null>,
  show: (model: string) => void,
) {
  const { t } = useTranslation()
  const saving: Saving<PriceRow> = useSaving(priceCodec)
  const leadToWrong = useLeadToWrong(box)
  /** Resolves to true once everything is saved. */
  const apply = async (): Promise<boolean> => {
    const wrong = [...drafts].find(([, { texts }]) => texts !== null && wrongIn(texts).length > 0)
    if (wrong) {
      clearToasts()
      showWarning(t('option.check'))
      show(wrong[0])
      leadToWrong()
      return false
    }
    const isSaved = await saving.save(editsOf(drafts))
    if (isSaved) clear()
    return isSaved
  }
  return { saving, apply }
}
