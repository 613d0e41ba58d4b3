import './bodies.css'
import { Button, Callout, Classes, Spinner } from '@blueprintjs/core'
import { EyeOpen, Trash } from '@blueprintjs/icons'
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { keptBodies as calls, type KeptCallView, type ReplayedCall } from '../../../../shared/api/kept-bodies.ts'
import { send } from '../../../api/client.ts'
import { areaOf } from '../../../api/use-call.ts'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import { groupDigits } from '../../../components/count.tsx'
import { TimeText } from '../../../components/time-text/time-text.tsx'
import { showSuccess } from '../../../components/toasts.ts'
import { useCostFormat } from '../../../components/use-cost-format.ts'
import { useDuration } from '../../../components/use-duration.ts'
import { useTranslation } from '../../../translation.ts'
import { channelText, type LogEntry } from '../log-facts.ts'
import { BodyView } from './body-view.tsx'
import { Replay } from './replay.tsx'
import type { ShownReplay } from './use-replay.ts'

/**
 * The stored bodies of a call, loaded only on request and never refreshed, because each view is logged
 * (docs/reference/bodies.md#viewers).
 */
export function Bodies({ row }: { row: LogEntry }) {
  const { t } = useTranslation()
  const id = useId()
  const { request_id } = row.facts
  const [call, setCall] = useCachedValue<KeptCallView>('bodies', request_id)
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => send(calls.read, { params: { request_id } }, { quiet: true }),
    onSuccess: setCall,
  })
  return (
    <section className="log-bodies" aria-labelledby={id}>
      <h2 id={id}>{t('log.bodies')}</h2>
      {error && <Callout intent="warning">{error.message}</Callout>}
      {!call && (
        <div className="log-bodies-line">
          <Button icon={<EyeOpen />} text={t('log.bodiesShow')} loading={isPending} onClick={() => mutate()} />
          <span className={Classes.TEXT_MUTED}>{t('log.bodiesAudit')}</span>
        </div>
      )}
      {call && <StoredBodies row={row} call={call} onGone={() => setCall(undefined)} />}
    </section>
  )
}

function StoredBodies({ row, call, onGone }: { row: LogEntry; call: KeptCallView; onGone: () => void }) {
  const { t } = useTranslation()
  const [replayed, setReplayed] = useCachedValue<ShownReplay>('replay', call.request_id)
  const { request, answer, status, duration_ms } = call
  const original = row.channel > 0 ? channelText(row, row.channel) : t('log.bodiesAnswer')
  const figures = {
    status,
    duration_ms,
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    quota: row.quota,
  }
  return (
    <>
      <div className="log-bodies-line">
        <span className={Classes.TEXT_MUTED}>
          {t('log.bodiesUntil')} <TimeText at={call.expires_at} />
        </span>
        <DeleteButton requestId={call.request_id} onGone={onGone} />
      </div>
      <div className="log-bodies-pair" data-is-compared={replayed !== undefined}>
        <BodyView title={t('log.bodiesRequest')} body={request} copyLabel={t('log.bodiesCopyRequest')} />
        <BodyView
          title={replayed ? t('log.replayOriginal', { channel: original }) : t('log.bodiesAnswer')}
          body={answer}
          copyLabel={t('log.bodiesCopyAnswer')}
        >
          <Figures of={figures} />
        </BodyView>
        {replayed?.call && (
          <BodyView
            title={t('log.replayOf', { channel: replayed.channel })}
            body={replayed.call.answer}
            copyLabel={t('log.bodiesCopyReplay')}
          >
            <Figures of={replayed.call} />
          </BodyView>
        )}
        {replayed && !replayed.call && (
          <section className="log-body" ref={intoView} aria-label={t('log.replayOf', { channel: replayed.channel })}>
            <h3>{t('log.replayOf', { channel: replayed.channel })}</h3>
            <Spinner size={24} aria-label={t('log.replayRunning')} />
          </section>
        )}
      </div>
      {call.can_replay && <Replay call={call} original={row.channel} shown={replayed} onReplay={setReplayed} />}
    </>
  )
}

/** Scrolls to new content, which appears above its button. */
const intoView = (part: HTMLElement | null) => part?.scrollIntoView({ block: 'nearest' })

function DeleteButton({ requestId, onGone }: { requestId: string; onGone: () => void }) {
  const { t } = useTranslation()
  const [isConfirming, setConfirming] = useState(false)
  const { mutate, isPending } = useMutation({
    mutationFn: () => send(calls.remove, { params: { request_id: requestId } }),
    onSuccess: () => {
      showSuccess(t('log.bodiesDeleted'))
      onGone()
    },
    onSettled: () => setConfirming(false),
  })
  return (
    <>
      <Button size="small" icon={<Trash />} text={t('log.bodiesDelete')} onClick={() => setConfirming(true)} />
      <Confirm
        isOpen={isConfirming}
        question={t('log.bodiesDeleteAsk')}
        verb={t('log.bodiesDelete')}
        isBusy={isPending}
        onCancel={() => setConfirming(false)}
        onConfirm={() => mutate()}
      >
        {t('log.bodiesDeleteHint')}
      </Confirm>
    </>
  )
}

/** Query key prefix of all data cached here. */
const cacheKey = [areaOf(calls.read), 'held'] as const

/**
 * Data of a call that was already read, held while its row is re-rendered as a card or closed for a moment: reading it
 * again would be another logged view, and replaying it another charge. Never loads anything.
 */
function useCachedValue<T>(name: string, requestId: string): readonly [T | undefined, (value: T | undefined) => void] {
  const queries = useQueryClient()
  const queryKey = [...cacheKey, name, requestId]
  const { data } = useQuery<T | null>({ queryKey, queryFn: skipToken })
  return [data ?? undefined, (value) => queries.setQueryData<T | null>(queryKey, value ?? null)]
}

type FiguresProps = Readonly<{
  of: Pick<ReplayedCall, 'status' | 'duration_ms' | 'prompt_tokens' | 'completion_tokens' | 'quota'>
}>

function Figures({ of: { status, duration_ms, prompt_tokens, completion_tokens, quota } }: FiguresProps) {
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
