import './setup.css'
import { Button, Callout, Card, Classes, H1 } from '@blueprintjs/core'
import { Navigate } from 'react-router-dom'
import type { ApiAnswer } from '../../../shared/api/call.ts'
import { setup } from '../../../shared/api/setup.ts'
import { isDesktop } from '../../api/desktop.ts'
import { useStatus } from '../../api/status.ts'
import { useCall } from '../../api/use-call.ts'
import { FailedState } from '../../components/blank-state/failed-state.tsx'
import { Form } from '../../components/form/form.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { useTitle } from '../../components/use-title.ts'
import { PageSkeleton } from '../../shell/page-skeleton.tsx'
import { useTranslation } from '../../translation.ts'
import { ModeChoice } from './mode-choice.tsx'
import { RootFields } from './root-fields.tsx'
import { useSetup } from './use-setup.ts'

/** The first-run wizard (docs/reference/screens.md#setup); unavailable once the system is set up. */
export default function SetupPage() {
  const { t } = useTranslation()
  const status = useStatus()
  const state = useCall(setup.status, {})
  useTitle(t('setup.title', { name: status.system_name }))
  if (state.isLoadingError)
    return (
      <FailedState
        scope="page"
        title={t('setup.status_fail')}
        message={state.error.message}
        onRetry={() => void state.refetch()}
      />
    )
  if (!state.data) return <PageSkeleton />
  if (state.data.status) return <Navigate to="/" replace />
  return <Wizard state={state.data} />
}

/** The form; it has fields for the administrator only if the gateway does not have one yet. */
function Wizard({ state }: { state: ApiAnswer<typeof setup.status> }) {
  const { t } = useTranslation()
  const status = useStatus()
  const wizard = useSetup(!state.root_init)
  return (
    <Card className="setup">
      <div>
        <H1 className="setup-title">{t('setup.title', { name: status.system_name })}</H1>
        <p className={Classes.TEXT_MUTED}>{t('setup.intro')}</p>
      </div>
      {state.in_container && !isDesktop() && (
        <Callout intent="warning">
          <strong>{t('setup.container')}</strong>
          <div>{t('setup.containerHint')}</div>
        </Callout>
      )}
      <Form isBusy={wizard.isBusy || wizard.isDone} onSubmit={wizard.submit}>
        <ModeChoice mode={wizard.mode} onChoose={wizard.choose} />
        {state.root_init ? (
          <Callout intent="primary">{t('setup.rootExists')}</Callout>
        ) : (
          <RootFields values={wizard.root} problems={wizard.problems} onChange={wizard.change} />
        )}
        {wizard.link && (
          <CodeField
            value={wizard.link.value}
            onValue={wizard.link.change}
            error={wizard.link.isMissed ? t('setup.linkMissing') : undefined}
          />
        )}
        {wizard.failure && (
          <Callout intent="danger" role="alert">
            {wizard.failure}
          </Callout>
        )}
        {wizard.isDone && (
          <Callout intent="success" role="status">
            {t('setup.ok')}
          </Callout>
        )}
        <Button
          type="submit"
          intent="primary"
          size="large"
          fill
          text={t('setup.submit')}
          loading={wizard.isBusy || wizard.isDone}
        />
      </Form>
    </Card>
  )
}

type CodeFieldProps = Readonly<{ value: string; error: string | undefined; onValue: (value: string) => void }>

/** Where to find the setup link, and a field to enter it (docs/reference/accounts.md#first-setup). */
function CodeField({ value, error, onValue }: CodeFieldProps) {
  const { t } = useTranslation()
  return (
    <fieldset className="setup-group">
      <legend>{t('setup.link')}</legend>
      <Callout intent="primary" className="setup-link-where">
        {t('setup.linkWhere')}
      </Callout>
      <TextField
        label={t('setup.linkField')}
        name="code"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        onValue={onValue}
        error={error}
      />
    </fieldset>
  )
}
