import { Classes } from '@blueprintjs/core'
import type { ReplayedCall } from '../../../../shared/api/kept-bodies.ts'
import { groupDigits } from '../../../components/count.tsx'
import { useCostFormat } from '../../../components/use-cost-format.ts'
import { useDuration } from '../../../components/use-duration.ts'
import { useTranslation } from '../../../translation.ts'

type FiguresProps = Readonly<{
  of: Pick<ReplayedCall, 'status' | 'duration_ms' | 'prompt_tokens' | 'completion_tokens' | 'quota'>
}>

/** How a call went, in figures that are compared: its status, its time, its tokens and what it cost. */
export function Figures({ of: { status, duration_ms, prompt_tokens, completion_tokens, quota } }: FiguresProps) {
  const { t } = useTranslation()
  const duration = useDuration()
  const cost = useCostFormat()
  const tokens =
    prompt_tokens === null || completion_tokens === null
      ? '—'
      : t('log.replayTokensOf', { prompt: groupDigits(prompt_tokens), completion: groupDigits(completion_tokens) })
  const figures = [
    { title: t('log.replayStatus'), value: String(status) },
    { title: t('log.duration'), value: duration(duration_ms) },
    { title: t('log.replayTokens'), value: tokens },
    { title: t('log.replayCost'), value: quota === null ? '—' : cost(quota) },
  ]
  return (
    <dl className="log-body-figures">
      {figures.map(({ title, value }) => (
        <div key={title}>
          <dt className={Classes.TEXT_MUTED}>{title}</dt>
          <dd className="tabular">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
