import { Card, Classes, H2 } from '@blueprintjs/core'
import { useEffect, useRef } from 'react'
import type { DryRun } from '../../../shared/api/channel.ts'
import { VerdictLine } from '../../components/verdict-line/verdict-line.tsx'
import { useTranslation } from '../../translation.ts'

/** The four lines of a test: each says what works, or what to do. On a phone they are under the button that asked for them. */
export function VerdictList({ result, chosen }: { result: DryRun; chosen: readonly string[] }) {
  const { t } = useTranslation()
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (result) card.current?.scrollIntoView({ block: 'nearest' })
  }, [result])
  const n = result.models.length
  const m = result.models.filter((model) => chosen.includes(model)).length
  const found = (line: (typeof lines)[number]) => {
    if (line !== 'list' || n === 0) return undefined
    return m === n ? t('connect.found', { n }) : t('connect.foundSome', { n, m })
  }
  return (
    <Card ref={card} className="verdicts" role="status">
      <div className="verdicts-head">
        <H2 className="verdicts-title">{t('connect.results')}</H2>
        <span className={Classes.TEXT_MUTED}>{t('connect.testedWith', { model: result.model })}</span>
      </div>
      <ul>
        {lines.map((line) => (
          <li key={line}>
            <VerdictLine name={t(`verdict.of.${line}`)} verdict={result[line]} words={found(line)} />
          </li>
        ))}
      </ul>
      {result.api_format === 'chat' && <p className={Classes.TEXT_MUTED}>{t('connect.onlyChat')}</p>}
    </Card>
  )
}

const lines = ['list', 'plain', 'stream', 'tool'] as const
