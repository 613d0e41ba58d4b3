import './proxy-field.css'
import { Button, Classes } from '@blueprintjs/core'
import { Error as ErrorIcon } from '@blueprintjs/icons'
import { useMutation } from '@tanstack/react-query'
import type { ChannelView } from '../../../../shared/api/channel.ts'
import { channelRuns, type ProxyVerdict } from '../../../../shared/api/channel-runs.ts'
import { channelAddress } from '../../../../shared/channel-address.ts'
import { isMask, MASK } from '../../../../shared/secret-mask.ts'
import { send } from '../../../api/client.ts'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { VerdictLine } from '../../../components/verdict-line/verdict-line.tsx'
import { useTranslation } from '../../../translation.ts'
import type { Draft } from './draft.ts'
import type { FieldsProps } from './fields.ts'

/** A channel's outbound proxy, with a check of whether the edited address is reachable through it. */
export function ProxyField({
  draft,
  errorOf,
  onChange,
  channel,
}: FieldsProps & Readonly<{ channel: ChannelView | undefined }>) {
  const { t } = useTranslation()
  const { check, isChecking, verdict, error } = useProxyCheck(draft, channel?.id)
  return (
    <>
      <TextField
        label={t('channel.proxy')}
        name="proxy"
        autoComplete="off"
        value={draft.proxy}
        onValue={(proxy) => onChange({ proxy })}
        error={errorOf('proxy')}
        hint={isMask(draft.proxy.trim()) ? t('channel.maskHint', { mask: MASK }) : t('channel.proxyHint')}
        rightElement={
          <Button
            size="small"
            text={t('proxy.verify')}
            disabled={draft.proxy.trim() === ''}
            loading={isChecking}
            onClick={check}
          />
        }
      />
      <div className="proxy-verdict" role="status">
        {isChecking && <span className={Classes.TEXT_MUTED}>{t('proxy.asking')}</span>}
        {verdict && <ProxyResult verdict={verdict} />}
        {error && (
          <>
            <ErrorIcon color="var(--bp-intent-danger-rest)" /> {t('proxy.failed')} {error.message}
          </>
        )}
      </div>
    </>
  )
}

/** The result of a proxy check; two codes have a different meaning here than for a model. */
function ProxyResult({ verdict }: { verdict: ProxyVerdict }) {
  const { t } = useTranslation()
  const { code } = verdict
  const text = code === 'ok' || code === 'timeout' ? t(`proxy.${code}`) : undefined
  return <VerdictLine name={t('proxy.result')} verdict={verdict} text={text} />
}

/** A check of a draft's proxy; its result is dropped once the proxy, the type or the address changes. */
type ProxyCheck = Readonly<{
  check: () => void
  isChecking: boolean
  verdict: ProxyVerdict | undefined
  error: Error | null
}>

/**
 * Checks whether the vendor is reachable through the proxy; nothing is stored. A masked password is replaced by the
 * channel's.
 */
function useProxyCheck({ proxy, type, baseUrl }: Draft, channelId: number | undefined): ProxyCheck {
  const { mutate, isPending, variables, data, error } = useMutation({
    mutationFn: (body: ProxyInput) => send(channelRuns.verifyProxy, { body }, { quiet: true }),
  })
  const input: ProxyInput = {
    proxy: proxy.trim(),
    type,
    base_url: channelAddress({ type, base_url: baseUrl }).base,
    ...(channelId === undefined ? {} : { id: channelId }),
  }
  const isCurrent = variables !== undefined && isSame(variables, input)
  return {
    check: () => mutate(input),
    isChecking: isCurrent && isPending,
    verdict: isCurrent ? data : undefined,
    error: isCurrent ? error : null,
  }
}

type ProxyInput = Readonly<{ proxy: string; type: number; base_url: string; id?: number }>

const isSame = (one: ProxyInput, other: ProxyInput): boolean =>
  one.proxy === other.proxy && one.type === other.type && one.base_url === other.base_url
