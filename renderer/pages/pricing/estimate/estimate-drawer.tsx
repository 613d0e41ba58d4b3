import './estimate.css'
import { Classes } from '@blueprintjs/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { pricing } from '../../../../shared/api/pricing.ts'
import { send } from '../../../api/client.ts'
import { SideDrawer } from '../../../components/side-drawer/side-drawer.tsx'
import { useTranslation } from '../../../translation.ts'
import type { Prices } from '../use-prices.ts'
import { EstimateAnswer } from './answer.tsx'
import { estimateRequestOf, newDraft, problemsOf } from './draft.ts'
import { FirstFields } from './first-fields.tsx'
import { MoreFields } from './more-fields.tsx'

type EstimateDrawerProps = Readonly<{
  model: string
  group: string
  prices: Prices
  onClose: () => void
}>

/** "What would this request cost?": model, group and tokens, and the resulting receipt; nothing is charged. */
export function EstimateDrawer({ model, group, prices, onClose }: EstimateDrawerProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(() => newDraft(model, group))
  const [isChecked, setChecked] = useState(false)
  const calculation = useMutation({
    mutationFn: () => send(pricing.estimate, { body: estimateRequestOf(draft) }, { quiet: true }),
  })
  const problems = problemsOf(draft)
  const submit = () => {
    setChecked(true)
    if (problems.size === 0) calculation.mutate()
  }
  const form = {
    draft,
    change: (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part })),
    problems: isChecked ? problems : none,
  }
  return (
    <SideDrawer
      title={t('estimate.title')}
      width="600px"
      // The answer is immediate; a briefly disabled button would lose the focus.
      isBusy={false}
      verb={t('estimate.calculate')}
      leave={t('label.close')}
      onClose={onClose}
      onSubmit={submit}
    >
      <p className={Classes.TEXT_MUTED}>{t('estimate.intro')}</p>
      <FirstFields form={form} prices={prices} />
      <MoreFields form={form} />
      <EstimateAnswer estimate={calculation.data} failure={calculation.error} />
    </SideDrawer>
  )
}

const none: ReturnType<typeof problemsOf> = new Set()
