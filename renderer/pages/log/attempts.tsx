import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { explainPath } from '../../components/explain-path.ts'
import type { LogEntry, Skip } from './log-facts.ts'

/** The channels and keys a request was not tried on, in order, and why. */
export function Skipped({ row }: { row: LogEntry }) {
  const { t } = useTranslation()
  return (
    <ul className="log-detail-attempts">
      {row.facts.admin_info.skipped.map((skip, place) => {
        // A channel stands here once for each of its keys that was passed over.
        const key = `${place} ${skip.channel}`
        return (
          <li key={key}>
            {placeOf(skip, t)}: {reasonOf(skip, t)}
          </li>
        )
      })}
    </ul>
  )
}

/** The channels a request was tried on, in order, why each but the last did not serve, and how it would be routed now. */
export function Attempts({ row }: { row: LogEntry }) {
  const { t } = useTranslation()
  const { model_name: model, group, token_id: tokenId, token_name: tokenName, prompt_tokens: promptTokens } = row
  const { endpoint } = row.facts.admin_info
  return (
    <>
      <ol className="log-detail-attempts">
        {row.facts.admin_info.tried.map((attempt, place) => {
          const { channel, status, reason } = attempt
          const why = [status ? `HTTP ${status}` : '', reason ?? ''].filter((part) => part !== '').join(' · ')
          // A channel may be tried twice: its place is what tells the attempts apart.
          const key = `${place} ${channel}`
          return (
            <li key={key}>
              {placeOf(attempt, t)}: {why || t('log.succeeded')}
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

/** The channel, and which of its keys. */
const placeOf = ({ channel, key }: { channel: number; key: number }, t: TFunction): string =>
  key > 0 ? t('log.channelKey', { channel, key }) : `#${channel}`

function reasonOf({ reason, status, seconds }: Skip, t: TFunction): string {
  const words = t(`log.skip.${reason}`, { n: seconds })
  return status > 0 ? `HTTP ${status} · ${words}` : words
}
