import './verdict-line.css'
import { Classes, Tag } from '@blueprintjs/core'
import { Error as ErrorIcon, TickCircle, WarningSign } from '@blueprintjs/icons'
import type { ProxyVerdict } from '../../../shared/api/channel-runs.ts'
import type { Verdict } from '../../../shared/api/verdict.ts'
import { useTranslation } from '../../translation.ts'
import { useDuration } from '../use-duration.ts'
import { isFine } from './is-fine.ts'

type VerdictLineProps = Readonly<{
  name: string
  verdict: Verdict | ProxyVerdict
  text?: string | undefined
}>

/** One verdict: its mark, what was tested, the result or advice, the upstream's message, and the duration. */
export function VerdictLine({ name, verdict: { ok, code, ms, message }, text }: VerdictLineProps) {
  const { t } = useTranslation()
  const duration = useDuration()
  return (
    <div className="verdict-line" data-code={code}>
      <VerdictMark ok={ok} isUsable={isFine(code)} />
      <div>
        <strong>{name}</strong> <span className="verdict-line-words">{text ?? t(`verdict.${code}`)}</span>
        {message && (
          <div className={`verdict-line-said ${Classes.TEXT_MUTED}`}>{t('verdict.response', { words: message })}</div>
        )}
      </div>
      {ms > 0 && (
        <Tag minimal className="tabular">
          {duration(ms)}
        </Tag>
      )}
    </div>
  )
}

/** Green, yellow or red; the text next to it says the same. */
function VerdictMark({ ok, isUsable }: { ok: boolean; isUsable: boolean }) {
  if (ok) return <TickCircle color="var(--bp-intent-success-rest)" />
  if (isUsable) return <WarningSign color="var(--bp-intent-warning-rest)" />
  return <ErrorIcon color="var(--bp-intent-danger-rest)" />
}
