import { Link } from 'react-router-dom'
import { explainPath } from '../../components/explain-path.ts'
import { type Translate, useTranslation } from '../../translation.ts'
import { type Attempt, channelText, type LogEntry, type Skip } from './log-facts.ts'

/** The skipped channels, in order, and why; channels that were tried later are listed by `Attempts`. */
export function Skipped({ row }: { row: LogEntry }) {
  const { t } = useTranslation()
  return (
    <ul className="log-detail-attempts">
      {skippedFor(row).map((skip) => (
        <li key={skip.channel}>
          {channelText(row, skip.channel)}: {reasonOf(skip, t)}
        </li>
      ))}
    </ul>
  )
}

/** Channels that were skipped and never tried. */
export function skippedFor({ facts: { admin_info: info } }: LogEntry): readonly Skip[] {
  const tried = new Set(info.tried.map(({ channel }) => channel))
  return info.skipped.filter(({ channel }) => !tried.has(channel))
}

/** The channels tried, in order, each with its failure or success, and a link to the current routing. */
export function Attempts({ row }: { row: LogEntry }) {
  const { t } = useTranslation()
  const { model_name: model, group, token_id: tokenId, token_name: tokenName, prompt_tokens: promptTokens } = row
  const { endpoint } = row.facts.admin_info
  return (
    <>
      <ol className="log-detail-attempts">
        {triesOf(row).map(({ attempt, skip }, index) => {
          // A channel may be tried twice, so the key includes the index.
          const key = `${index} ${attempt.channel}`
          return (
            <li key={key}>
              {channelKeyText(row, attempt, t)}: {outcomeOf(attempt, t)}
              {skip && ` (${t('log.skippedFirst', { reason: reasonOf(skip, t) })})`}
            </li>
          )
        })}
      </ol>
      <Link to={explainPath({ model, group, tokenId, tokenName, endpoint, promptTokens })}>
        {t('page.explainRouting')}
      </Link>
    </>
  )
}

/** Each attempt; a channel's first one includes why it was skipped before. */
function triesOf({ facts: { admin_info: info } }: LogEntry) {
  const listed = new Set<number>()
  return info.tried.map((attempt) => {
    const skip = listed.has(attempt.channel)
      ? undefined
      : info.skipped.find(({ channel }) => channel === attempt.channel)
    listed.add(attempt.channel)
    return { attempt, skip }
  })
}

function outcomeOf({ status, reason }: Attempt, t: Translate): string {
  const why = [status ? `HTTP ${status}` : '', reason ?? ''].filter((part) => part !== '').join(' · ')
  return why || t('log.succeeded')
}

/** The channel, and which of its keys. */
function channelKeyText(row: LogEntry, { channel, key }: { channel: number; key: number }, t: Translate): string {
  const name = channelText(row, channel)
  return key > 0 ? t('log.channelKey', { channel: name, key }) : name
}

function reasonOf({ reason, status, seconds }: Skip, t: Translate): string {
  const text = t(`log.skip.${reason}`, { n: seconds })
  return status > 0 ? `HTTP ${status} · ${text}` : text
}
