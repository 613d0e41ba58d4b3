import './guest.css'
import { Button, Callout, Card, Classes, FormGroup } from '@blueprintjs/core'
import { Key } from '@blueprintjs/icons'
import { useMutation } from '@tanstack/react-query'
import { isChat } from '../../../shared/model-kind.ts'
import { useStatus } from '../../api/status.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { CopyButton } from '../../components/copy-text/copy-button.tsx'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import { formatTime } from '../../components/date-time.ts'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { usualModelOf } from '../../components/usual-model.ts'
import { useTranslation } from '../../translation.ts'
import { answerTo, useAllowance, useGivenKey, useModels } from './use-given-key.ts'

/**
 * Access by a guest key, on the guest's device (docs/reference/share-people.md#the-link). The key is in the fragment,
 * which is not sent to servers.
 */
export default function GuestPage() {
  const { t } = useTranslation()
  const key = useGivenKey()
  return (
    <PageFrame title={t('guest.title')}>
      {key === undefined ? (
        <Card>
          <BlankState icon={<Key size={48} />} title={t('guest.missing')} description={t('guest.missingHint')} />
        </Card>
      ) : (
        <Given key={key} givenKey={key} />
      )}
    </PageFrame>
  )
}

function Given({ givenKey: key }: { givenKey: string }) {
  const { t } = useTranslation()
  const address = window.location.origin
  const { data: found, isError } = useModels(key)
  const allowance = useAllowance(key, found?.isAccepted === true)
  const model = usualModelOf(found?.models ?? [])
  return (
    <>
      <p className={Classes.TEXT_MUTED}>{t('guest.intro')}</p>
      {isError && <Callout intent="danger">{t('guest.unreached')}</Callout>}
      {found && !found.isAccepted && <Callout intent="danger">{t('guest.failed')}</Callout>}
      <Card>
        <FormGroup label={t('guest.address')}>
          <CopyValue value={address} label={t('guest.copyAddress')} />
        </FormGroup>
        <FormGroup label={t('guest.key')}>
          <CopyValue value={key} label={t('guest.copyKey')} />
        </FormGroup>
        {found?.isAccepted && (
          <FormGroup label={t('guest.models')}>
            {found.models.length === 0 ? t('guest.noModels') : found.models.join(', ')}
          </FormGroup>
        )}
        {allowance.data && <Allowance {...allowance.data} />}
        <p className={Classes.TEXT_MUTED}>{t('guest.once')}</p>
      </Card>
      {model && isChat(model) && <TryIt givenKey={key} model={model} onAnswer={() => void allowance.refetch()} />}
      <Example name={t('guest.openai')} text={inOpenAi(address, key, model ?? 'gpt-4o')} />
      <Example name={t('guest.anthropic')} text={inClaudeCode(address, key)} />
    </>
  )
}

function Allowance({ total, left, expires }: Readonly<{ total: number; left: number; expires: number }>) {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  const { display_in_currency: inCurrency, quota_per_unit: quotaPerUnit } = useStatus()
  const shown = (amount: number) => format(Math.round(inCurrency ? amount * quotaPerUnit : amount))
  return (
    <>
      <FormGroup label={t('guest.left')}>
        <span className="tabular">{t('guest.leftOf', { left: shown(left), total: shown(total) })}</span>
      </FormGroup>
      {expires > 0 && (
        <FormGroup label={t('guest.expires')}>
          <span className="tabular">{formatTime(expires)}</span>
        </FormGroup>
      )}
    </>
  )
}

type TryItProps = Readonly<{ givenKey: string; model: string; onAnswer: () => void }>

/** Shows that the key works, without a program. */
function TryIt({ givenKey, model, onAnswer }: TryItProps) {
  const { t } = useTranslation()
  const text = t('guest.tryText')
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: () => answerTo(givenKey, model, text),
    onSuccess: onAnswer,
  })
  return (
    <Card>
      <p className={Classes.TEXT_MUTED}>{t('guest.tryHint', { text, model })}</p>
      <Button intent="primary" text={t('guest.try')} loading={isPending} onClick={() => mutate()} />
      {data !== undefined && (
        <Callout className="guest-answer" intent="success" role="status">
          {data || t('guest.noAnswer')}
        </Callout>
      )}
      {error && (
        <Callout className="guest-answer" intent="danger" role="alert">
          {error.message}
        </Callout>
      )}
    </Card>
  )
}

function Example({ name, text }: Readonly<{ name: string; text: string }>) {
  const { t } = useTranslation()
  return (
    <Card>
      <FormGroup label={name}>
        <pre className={`${Classes.CODE_BLOCK} guest-snippet`}>{text}</pre>
      </FormGroup>
      <CopyButton text={text} shown={name} label={t('guest.copySnippet', { name })} />
    </Card>
  )
}

const inOpenAi = (address: string, key: string, model: string): string =>
  [`OPENAI_BASE_URL=${address}/v1`, `OPENAI_API_KEY=${key}`, `OPENAI_MODEL=${model}`].join('\n')

const inClaudeCode = (address: string, key: string): string =>
  [`ANTHROPIC_BASE_URL=${address}`, `ANTHROPIC_AUTH_TOKEN=${key}`].join('\n')
