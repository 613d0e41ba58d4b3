import './proxy-field.css'
import { Button, Classes } from '@blueprintjs/core'
import { Error as ErrorIcon } from '@blueprintjs/icons'
import type { ChannelView } from '../../../../shared/api/channel.ts'
import type { ProxyVerdict } from '../../../../shared/api/channel-runs.ts'
import { isMask, MASK } from '../../../../shared/secret-mask.ts'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { VerdictLine } from '../../../components/verdict-line/verdict-line.tsx'
import { useTranslation } from '../../../translation.ts'
import type { FieldsProps } from './fields.ts'
import { useProxyCheck } from './use-proxy-check.ts'

/** The outbound proxy of a channel, and whether the vendor's address as it is being edited can be reached through it. */
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

/** What two codes mean here is not what they mean of a model. */
function ProxyResult({ verdict }: { verdict: ProxyVerdict }) {
  const { t } = useTranslation()
  const { code } = verdict
  const words = code === 'ok' || code === 'timeout' ? t(`proxy.${code}`) : undefined
  return <VerdictLine name={t('proxy.result')} verdict={verdict} words={words} />
}
