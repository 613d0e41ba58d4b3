import { Card, Classes, H2, Tag } from '@blueprintjs/core'
import { Error as ErrorIcon, TickCircle, WarningSign } from '@blueprintjs/icons'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { TryOut, Verdict } from '../../../shared/api/channel.ts'
import { isFine } from './account.ts'

/** The four lines of a test: each says what works, or what to do. On a phone they are under the button that asked for them. */
export function VerdictList({ result }: { result: TryOut }) {
  const { t } = useTranslation()
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (result) card.current?.scrollIntoView({ block: 'nearest' })
  }, [result])
  return (
    <Card ref={card} className="verdicts" role="status">
      <div className="verdicts-head">
        <H2 className="verdicts-title">{t('connect.results')}</H2>
        <span className={Classes.TEXT_MUTED}>{t('connect.asked', { model: result.model })}</span>
      </div>
      <ul>
        {lines.map((line) => (
          <VerdictLine key={line} name={t(`connect.${line}`)} verdict={result[line]} found={foundIn(result, line)} />
        ))}
      </ul>
    </Card>
  )
}

const lines = ['list', 'plain', 'stream', 'tool'] as const

/** How many models the list has; the other lines find nothing to count. */
const foundIn = ({ models }: TryOut, line: (typeof lines)[number]): number | undefined =>
  line === 'list' && models.length > 0 ? models.length : undefined

type VerdictLineProps = Readonly<{ name: string; verdict: Verdict; found: number | undefined }>

function VerdictLine({ name, verdict: { ok, code, ms, message }, found }: VerdictLineProps) {
  const { t } = useTranslation()
  return (
    <li data-code={code}>
      <VerdictIcon ok={ok} isFine={isFine(code)} />
      <div>
        <strong>{name}</strong>
        <div>{found === undefined ? t(`verdict.${code}`) : t('connect.found', { n: found })}</div>
        {message && (
          <div className={`verdicts-words ${Classes.TEXT_MUTED}`}>{t('connect.said', { words: message })}</div>
        )}
      </div>
      {ms > 0 && (
        <Tag minimal className="tabular">
          {t('connect.ms', { n: ms })}
        </Tag>
      )}
    </li>
  )
}

/** Green, yellow or red; the words beside it say the same. */
function VerdictIcon({ ok, isFine: isUsable }: { ok: boolean; isFine: boolean }) {
  if (ok) return <TickCircle color="var(--bp-intent-success-rest)" />
  if (isUsable) return <WarningSign color="var(--bp-intent-warning-rest)" />
  return <ErrorIcon color="var(--bp-intent-danger-rest)" />
}
