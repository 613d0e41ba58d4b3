import { Button, Callout, Card, Classes } from '@blueprintjs/core'
import { DataLineage, Error as ErrorIcon, Refresh } from '@blueprintjs/icons'
import { type RoutingExplanation, routing } from '../../../shared/api/routing.ts'
import { channelStatusLabel } from '../../../shared/enums.ts'
import { joinSentences } from '../../../shared/messages/locales.ts'
import { useCall } from '../../api/use-call.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { PriceForm } from '../../components/price-form/price-form.tsx'
import { StaleNote } from '../../components/stale-note/stale-note.tsx'
import { StatusTag } from '../../components/status-tag/status-tag.tsx'
import { useCompact } from '../../components/use-narrow.ts'
import { currentLocale } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'
import { ChannelLink } from './cells.tsx'
import { ChannelCards } from './channel-cards.tsx'
import { ChannelTable } from './channel-table.tsx'
import { type ExplainQuery, explainRequestOf } from './explain-query.ts'
import { sentencesOf } from './sentences.ts'

/** The answer: loading, failed, no channel offers the model, or the explanation. */
export function AnswerTo({ query }: { query: ExplainQuery }) {
  const { t } = useTranslation()
  const { data, dataUpdatedAt, error, refetch } = useCall(
    routing.explain,
    { body: explainRequestOf(query) },
    { quiet: true },
  )
  if (error && !data) {
    const again = <Button icon={<Refresh />} text={t('state.retry')} onClick={() => void refetch()} />
    return (
      <Card className="explain-blank">
        <BlankState
          icon={<ErrorIcon size={48} />}
          title={t('state.failed')}
          description={error.message}
          action={again}
        />
      </Card>
    )
  }
  if (!data) return <AnswerSkeleton />
  return (
    <>
      <StaleNote loadedAt={dataUpdatedAt} error={error} onRetry={() => void refetch()} />
      <Answer explanation={data} at={dataUpdatedAt} />
    </>
  )
}

type AnswerProps = Readonly<{
  explanation: RoutingExplanation
  /** When the explanation was received, in unix milliseconds. */
  at: number
}>

/** A summary in sentences, then each channel with its verdict, then disabled channels. */
function Answer({ explanation, at }: AnswerProps) {
  const { t } = useTranslation()
  const isCompact = useCompact()
  const Channels = isCompact ? ChannelCards : ChannelTable
  return (
    <>
      <div role="status">
        {explanation.refusal === '' ? <Summary explanation={explanation} /> : <Refusal explanation={explanation} />}
      </div>
      {explanation.channels.length > 0 && <Channels channels={explanation.channels} at={at} />}
      {explanation.channels.length > 0 && (
        <p className={`explain-note ${Classes.TEXT_MUTED}`}>
          {t('explain.shareNote', { more: weightOffset(explanation.channels) })}
        </p>
      )}
      {explanation.off.length > 0 && <OffChannels off={explanation.off} />}
      {explanation.channels.length === 0 && explanation.off.length === 0 && <NoChannel />}
    </>
  )
}

/** Why the request would be refused: this page's own text for a missing price, else the gateway's message. */
function Refusal({ explanation: { refusal, refusal_code: code, model } }: Pick<AnswerProps, 'explanation'>) {
  const { t } = useTranslation()
  const isUnpriced = code === 'model_price_error'
  return (
    <Callout intent="danger">
      <strong>{isUnpriced ? t('explain.noPrice', { model }) : t('explain.refused')}</strong>
      <div>{isUnpriced ? t('explain.noPriceHint') : refusal}</div>
      {isUnpriced && <PriceForm model={model} />}
    </Callout>
  )
}

/** The constant added to every weight. */
const weightOffset = ([first]: RoutingExplanation['channels']): number => (first ? first.chance - first.weight : 0)

function NoChannel() {
  const { t } = useTranslation()
  const action = <LinkButton to="/channel" text={t('explain.toChannels')} isFilled />
  return (
    <Card className="explain-blank">
      <BlankState
        icon={<DataLineage size={48} />}
        title={t('explain.none')}
        description={t('explain.noneHint')}
        action={action}
      />
    </Card>
  )
}

function AnswerSkeleton() {
  const { t } = useTranslation()
  return (
    <Card className="explain-waiting" role="status" aria-label={t('state.loading')}>
      {['a', 'b', 'c', 'd'].map((line) => (
        <div key={line} className={Classes.SKELETON} />
      ))}
    </Card>
  )
}

function Summary({ explanation }: { explanation: RoutingExplanation }) {
  const { t } = useTranslation()
  const locale = currentLocale()
  return <p className="explain-summary">{joinSentences(locale, sentencesOf(explanation, { t, locale }))}</p>
}

function OffChannels({ off }: { off: RoutingExplanation['off'] }) {
  const { t } = useTranslation()
  return (
    <section aria-label={t('explain.off')}>
      <h2 className={`explain-heading ${Classes.HEADING}`}>{t('explain.off')}</h2>
      <Card className="explain-card">
        <ul className="explain-off">
          {off.map(({ channel_id: id, name, status, reason }) => (
            <li key={id}>
              <ChannelLink id={id} name={name} />
              <StatusTag intent="warning" text={t(channelStatusLabel(status))} />
              <span className={`explain-off-reason ${Classes.TEXT_MUTED}`}>{reason}</span>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}
