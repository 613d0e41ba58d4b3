import { Card, Classes, H2 } from '@blueprintjs/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { DryRun } from '../../../shared/api/channel.ts'
import { VerdictLine } from '../../components/verdict-line/verdict-line.tsx'

/** The four lines of a test: each says what works, or what to do. On a phone they are under the button that asked for them. */
export function VerdictList({ result }: { result: DryRun }) {
  const { t } = useTranslation()
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (result) card.current?.scrollIntoView({ block: 'nearest' })
  }, [result])
  const found = (line: (typeof lines)[number]) =>
    line === 'list' && result.models.length > 0 ? t('connect.found', { n: result.models.length }) : undefined
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
    </Card>
  )
}

const lines = ['list', 'plain', 'stream', 'tool'] as const
