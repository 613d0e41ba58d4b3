import { Card, Classes, H2, HTMLTable } from '@blueprintjs/core'
import type { DashboardSummary } from '../../../../shared/api/data.ts'
import { groupDigits } from '../../../components/count.tsx'
import { useDuration } from '../../../components/use-duration.ts'
import { useTranslation } from '../../../translation.ts'

const shares = ['p50', 'p95', 'p99'] as const
const measures = ['whole', 'first'] as const

export function Latency({ summary }: { summary: DashboardSummary | undefined }) {
  const { t } = useTranslation()
  const duration = useDuration()
  const latency = summary?.latency
  const cell = (measure: (typeof measures)[number], share: (typeof shares)[number]) => {
    const times = latency?.[measure]
    return times ? duration(times[share]) : '—'
  }
  const count = latency?.whole?.count ?? 0
  return (
    <section className="dash-section" aria-label={t('dash.latency')}>
      <H2 className="dash-heading">{t('dash.latency')}</H2>
      <Card className="dash-latency">
        <HTMLTable compact aria-label={t('dash.latency')}>
          <thead>
            <tr>
              <th scope="col">{t('label.time')}</th>
              {shares.map((share) => (
                <th key={share} scope="col" title={t(`dash.${share}Hint`)}>
                  {share}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {measures.map((measure) => (
              <tr key={measure}>
                <th scope="row">{t(`dash.${measure}`)}</th>
                {shares.map((share) => (
                  <td key={share} className="tabular">
                    <span className={summary ? undefined : Classes.SKELETON}>{cell(measure, share)}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </HTMLTable>
        <p className={summary ? Classes.TEXT_MUTED : Classes.SKELETON}>
          {t(latency?.is_sample ? 'dash.latencySample' : 'dash.latencyOf', { n: groupDigits(count) })}
        </p>
      </Card>
    </section>
  )
}
