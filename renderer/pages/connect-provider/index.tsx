import './connect-provider.css'
import { Button, Card, Classes, H2 } from '@blueprintjs/core'
import { useEffect, useRef } from 'react'
import type { DryRun } from '../../../shared/api/unsaved-channel.ts'
import { FailedState } from '../../components/blank-state/failed-state.tsx'
import { Form } from '../../components/form/form.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { isFine } from '../../components/verdict-line/is-fine.ts'
import { VerdictLine } from '../../components/verdict-line/verdict-line.tsx'
import { useTranslation } from '../../translation.ts'
import { AddressFields, KeyField } from './account-fields.tsx'
import { ModelChoice } from './model-choice.tsx'
import { type Provider, useProvider, vendorLabel } from './use-provider.ts'
import { VendorGallery } from './vendor-gallery.tsx'

/** From a pasted key to a working channel (docs/reference/design.md#first-five-minutes). */
export default function ConnectProviderPage() {
  const { t } = useTranslation()
  const provider = useProvider()
  const { vendors, account, problems, offered, result, choose } = provider
  if (vendors.isLoadingError)
    return (
      <PageFrame title={t('page.connectProvider')}>
        <FailedState message={vendors.error.message} onRetry={() => void vendors.refetch()} />
      </PageFrame>
    )
  const submit = (button: HTMLElement | null) => {
    const isSaving = button ? button.getAttribute('value') === saving : hasPassed(provider)
    if (isSaving) provider.save()
    else provider.test()
  }
  return (
    <PageFrame title={t('page.connectProvider')}>
      <p className={`connect-intro ${Classes.TEXT_MUTED}`}>{t('connect.providerIntro')}</p>
      <Form
        className="connect"
        isBusy={provider.isTesting || provider.isSaving}
        isDirty={account.key !== '' || account.address !== '' || account.models.length > 0}
        onSubmit={submit}
      >
        <Card className="connect-account">
          <KeyField provider={provider} />
          <VendorGallery
            offered={offered}
            isLoading={vendors.isLoading}
            chosen={account.vendor}
            onChoose={choose}
            error={problems.vendor && t(problems.vendor)}
          />
          <AddressFields provider={provider} />
        </Card>
        <div className="connect-side">
          <Actions provider={provider} />
          {result && <VerdictList result={result} chosen={account.models} />}
          {account.vendor && (
            <Card>
              <ModelChoice provider={provider} />
            </Card>
          )}
        </div>
      </Form>
    </PageFrame>
  )
}

/** Distinguishes the save button from the test button. */
const saving = 'save'

const hasPassed = ({ result }: Provider): boolean => result !== undefined && isFine(result.plain.code)

/** Test, then save; a successful test moves the focus to the save button. */
function Actions({ provider }: { provider: Provider }) {
  const { t } = useTranslation()
  const { account, result, isTesting, isSaving } = provider
  const saveButton = useRef<HTMLButtonElement>(null)
  const isGood = hasPassed(provider)
  // The button cannot be focused while the test runs.
  const isReady = isGood && !isTesting
  useEffect(() => {
    if (isReady) saveButton.current?.focus()
  }, [isReady])
  return (
    <Card className="connect-actions">
      <span className={Classes.TEXT_MUTED} role="status">
        {isTesting && account.vendor
          ? t('connect.testing', { vendor: vendorLabel(account.vendor) })
          : t('connect.testHint')}
      </span>
      <Button type="submit" intent={isGood ? 'none' : 'primary'} text={t('connect.test')} loading={isTesting} />
      {result && account.models.length > 0 && (
        <Button
          ref={saveButton}
          type="submit"
          value={saving}
          intent={isGood ? 'primary' : 'none'}
          text={isGood ? t('connect.save') : t('connect.saveAnyway')}
          disabled={isTesting}
          loading={isSaving}
        />
      )}
    </Card>
  )
}

/** The four results of a test: each shows what works, or what to do. Below the button on a phone. */
function VerdictList({ result, chosen }: { result: DryRun; chosen: readonly string[] }) {
  const { t } = useTranslation()
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (result) card.current?.scrollIntoView({ block: 'nearest' })
  }, [result])
  const n = result.models.length
  const m = result.models.filter((model) => chosen.includes(model)).length
  const found = (line: (typeof lines)[number]) => {
    if (line !== 'list' || n === 0) return undefined
    return m === n ? t('connect.found', { n }) : t('connect.foundSome', { n, m })
  }
  return (
    <Card ref={card} className="verdicts" role="status">
      <div className="verdicts-head">
        <H2 className="verdicts-title">{t('connect.results')}</H2>
        <span className={Classes.TEXT_MUTED}>{t('connect.testedWith', { model: result.model })}</span>
      </div>
      <ul>
        {lines.map((line) => (
          <li key={line}>
            <VerdictLine name={t(`verdict.of.${line}`)} verdict={result[line]} text={found(line)} />
          </li>
        ))}
      </ul>
      {result.api_format === 'chat' && <p className={Classes.TEXT_MUTED}>{t('connect.onlyChat')}</p>}
    </Card>
  )
}

const lines = ['list', 'plain', 'stream', 'tool'] as const
