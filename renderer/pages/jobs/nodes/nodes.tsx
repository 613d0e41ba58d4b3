import './nodes.css'
import { Button, Card, Classes, H2, type Intent } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { type NodeView, node } from '../../../../shared/api/node.ts'
import { useSend } from '../../../api/use-call.ts'
import { useQuotaFormat } from '../../../components/amount.ts'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import { StatusTag } from '../../../components/status-tag/status-tag.tsx'
import { AgeText } from '../../../components/time-text/age-text.tsx'
import { showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'

/** The gateways that share a PostgreSQL database (docs/growth.md#nodes). */
export function Nodes({ nodes }: { nodes: readonly NodeView[] }) {
  const { t } = useTranslation()
  return (
    <Card className="nodes">
      <header>
        <H2 className="jobs-name">{t('nodes.title')}</H2>
        <p className={Classes.TEXT_MUTED}>{t('nodes.intro')}</p>
      </header>
      <ul aria-label={t('nodes.title')}>
        {nodes.map((one) => (
          <NodeItem key={one.name} node={one} />
        ))}
      </ul>
    </Card>
  )
}

function NodeItem({
  node: {
    name,
    is_own,
    state,
    version,
    host,
    seen_at,
    leased_quota,
    uncommitted,
    uncommitted_seconds,
    redis,
    may_be_fenced,
  },
}: {
  node: NodeView
}) {
  const { t } = useTranslation()
  const quota = useQuotaFormat()
  return (
    <li className="nodes-item">
      <div>
        <span className={`nodes-name ${Classes.MONOSPACE_TEXT}`}>{name}</span>
        <p className={Classes.TEXT_MUTED}>
          {[is_own && t('nodes.own'), host, t('nodes.version', { version })].filter(Boolean).join(' · ')}
        </p>
      </div>
      <dl className="nodes-facts">
        <Fact label={t('label.status')}>
          <StatusTag intent={intents[state]} text={t(`nodes.state.${state}`)} />
        </Fact>
        <Fact label={t('nodes.heard')}>{seen_at === null ? '–' : <AgeText at={seen_at} />}</Fact>
        <Fact label={t('nodes.leased')}>{quota(leased_quota)}</Fact>
        {uncommitted > 0 && (
          <Fact label={t('nodes.uncommitted')}>
            <StatusTag
              intent={uncommitted_seconds >= LATE_SECONDS ? 'danger' : 'none'}
              text={t('nodes.uncommittedFor', { count: uncommitted, seconds: uncommitted_seconds })}
            />
          </Fact>
        )}
        {redis !== 'none' && (state === 'alive' || state === 'draining') && (
          <Fact label={t('nodes.limits')}>
            <StatusTag intent={redis === 'up' ? 'success' : 'warning'} text={t(`nodes.redis.${redis}`)} />
          </Fact>
        )}
      </dl>
      {may_be_fenced && <Fence name={name} />}
      {(state === 'alive' || state === 'draining') && <Drain name={name} isDraining={state === 'draining'} />}
    </li>
  )
}

/**
 * Seconds after which waiting charges count as late: charges are normally written within 50 ms, so a late charge means
 * that writing fails.
 */
const LATE_SECONDS = 10

const intents = {
  alive: 'success',
  draining: 'warning',
  silent: 'danger',
  stopped: 'none',
  fenced: 'warning',
} as const satisfies Record<NodeView['state'], Intent>

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className={Classes.TEXT_MUTED}>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Takes a node out of service for a balancer that checks readiness, or puts it back into service. */
function Drain({ name, isDraining }: { name: string; isDraining: boolean }) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(node.drain)
  const message = isDraining ? 'nodes.resumed' : 'nodes.drained'
  const drain = () =>
    mutate(
      { params: { name }, body: { is_draining: !isDraining } },
      { onSuccess: () => showSuccess(t(message, { name })) },
    )
  return (
    <Button
      text={t(isDraining ? 'nodes.resume' : 'nodes.drain')}
      aria-label={t(isDraining ? 'nodes.resumeOf' : 'nodes.drainOf', { name })}
      loading={isPending}
      onClick={drain}
    />
  )
}

function Fence({ name }: { name: string }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const { mutate, isPending } = useSend(node.fence)
  const close = () => setOpen(false)
  const fence = () =>
    mutate({ params: { name } }, { onSuccess: () => showSuccess(t('nodes.fenced', { name })), onSettled: close })
  return (
    <>
      <Button text={t('nodes.fence')} aria-label={t('nodes.fenceOf', { name })} onClick={() => setOpen(true)} />
      <Confirm
        isOpen={isOpen}
        question={t('nodes.fenceQuestion', { name })}
        verb={t('nodes.fence')}
        isBusy={isPending}
        onConfirm={fence}
        onCancel={close}
      >
        {t('nodes.fenceHint')}
      </Confirm>
    </>
  )
}
