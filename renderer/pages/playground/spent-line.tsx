import { Classes } from '@blueprintjs/core'
import { formatQuota } from '../../../shared/money.ts'
import { useStatus } from '../../api/status.ts'
import { groupDigits } from '../../components/count.tsx'
import { useDuration } from '../../components/use-duration.ts'
import { useTranslation } from '../../translation.ts'
import type { Message, Spent } from './conversation.ts'
import { firstTokenMs, shortRate, tokensPerSecond } from './figures.ts'

const DIGITS = 6

/** Tokens in, tokens out, and the cost where it is known, exactly as in the usage log; then how fast the answer was. */
export function SpentLine({ message }: { message: Message }) {
  const { t } = useTranslation()
  const duration = useDuration()
  const first = firstTokenMs(message)
  const rate = tokensPerSecond(message)
  return (
    <span className={`play-figures tabular ${Classes.TEXT_MUTED}`}>
      {message.spent && <Cost spent={message.spent} />}
      {first !== undefined && <span>{t('play.firstToken', { time: duration(first) })}</span>}
      {rate !== undefined && <span>{t('play.rate', { rate: shortRate(rate) })}</span>}
    </span>
  )
}

function Cost({ spent: { prompt, completion, quota } }: { spent: Spent }) {
  const { t } = useTranslation()
  const { display_in_currency: inCurrency, quota_per_unit: quotaPerUnit } = useStatus()
  const tokens = t('play.tokens', { prompt: groupDigits(prompt), completion: groupDigits(completion) })
  if (quota === undefined) return <span>{tokens}</span>
  return (
    <span title={t('quota.exact', { n: groupDigits(quota) })}>
      {`${tokens} · ${formatQuota(quota, { inCurrency, quotaPerUnit }, DIGITS)}`}
    </span>
  )
}
