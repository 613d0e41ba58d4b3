import './last-test.css'
import { Classes } from '@blueprintjs/core'
import type { ChannelView } from '../../../../shared/api/channel.ts'
import { Band } from '../../../components/band/band.tsx'
import { responseTimeSteps } from '../../../components/band/bands.ts'
import { TagPopover } from '../../../components/popover/tag-popover.tsx'
import { StatusTag } from '../../../components/status-tag/status-tag.tsx'
import { AgeText } from '../../../components/time-text/age-text.tsx'
import { VerdictLine } from '../../../components/verdict-line/verdict-line.tsx'
import { useTranslation } from '../../../translation.ts'
import { isTag, type Row, responseTimeOf, type TagRow } from './row.ts'

/**
 * The result and age of a channel's last test; for a tag, the mean duration of passed tests and the number of
 * failures.
 */
export function LastTest({ row }: { row: Row }) {
  if (isTag(row)) return <TagTests row={row} />
  return (
    <span className={hasFailed(row) ? 'last-test last-test-failed' : 'last-test'}>
      {hasFailed(row) ? <Failed channel={row} /> : <Duration ms={responseTimeOf(row)} />}
      {row.test_time > 0 && (
        <span className={Classes.TEXT_MUTED}>
          <AgeText at={row.test_time} />
        </span>
      )}
    </span>
  )
}

/** Whether the last test failed, if recorded. */
const hasFailed = ({ test_code: code }: ChannelView): boolean => code !== '' && code !== 'ok'

function TagTests({ row }: { row: TagRow }) {
  const { t } = useTranslation()
  const n = row.channels.filter(hasFailed).length
  const ms = responseTimeOf(row)
  return (
    <span className="last-test">
      {(ms > 0 || n === 0) && <Duration ms={ms} />}
      {n > 0 && <StatusTag intent="danger" text={t('channel.failedOf', { n, total: row.channels.length })} />}
    </span>
  )
}

/** Coloured by duration; 0 is untested (docs/reference/screens.md#channels). */
function Duration({ ms }: { ms: number }) {
  const { t } = useTranslation()
  const format = () => {
    if (ms === 0) return t('channel.untested')
    return ms < 1000 ? t('channel.milliseconds', { n: ms }) : t('channel.seconds', { n: (ms / 1000).toFixed(2) })
  }
  return <Band value={ms} steps={responseTimeSteps} format={format} />
}

function Failed({ channel }: { channel: ChannelView }) {
  const { t } = useTranslation()
  const { name, test_code: code, test_status: status, test_message: message, response_time: ms } = channel
  if (code === '') return null
  const short = code === 'timeout' || code === 'unreachable' ? t(`channel.failed.${code}`) : t('channel.failed.other')
  const verdict = { ok: false, code, message, ms }
  return (
    <TagPopover
      intent="danger"
      content={
        <div className="last-test-why" role="dialog" aria-label={t('channel.failedWhy', { name })}>
          <VerdictLine name={t('channel.lastTest')} verdict={verdict} />
          <span className={Classes.TEXT_MUTED}>
            <AgeText at={channel.test_time} />
          </span>
        </div>
      }
    >
      {status > 0 ? t('channel.failed.status', { status }) : short}
    </TagPopover>
  )
}
