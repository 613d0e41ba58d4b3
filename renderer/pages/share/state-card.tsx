import { Button, Callout, Card, Classes, type Intent, Switch } from '@blueprintjs/core'
import { Stop } from '@blueprintjs/icons'
import { useState } from 'react'
import { type ShareView, share } from '../../../shared/api/share.ts'
import { useSend } from '../../api/use-call.ts'
import { Confirm } from '../../components/confirm/confirm.tsx'
import { Form } from '../../components/form/form.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { StatusTag } from '../../components/status-tag/status-tag.tsx'
import { PasswordField } from '../../components/text-field/password-field.tsx'
import { showSuccess } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'

/** Whether the gateway is shared, the switch, why it cannot be switched on, and the stop button. */
export function StateCard({ view }: { view: ShareView }) {
  const { t } = useTranslation()
  const { mutate, isPending, variables } = useSend(share.change)
  const { settings, state, message, connections, refused } = view
  const isOurs = view.decided_by === 'settings'
  const toggle = (on: boolean) =>
    mutate({ body: { on } }, { onSuccess: () => showSuccess(t(on ? 'sharing.started' : 'sharing.stopped')) })
  return (
    <Card className="share-state">
      <div className="share-state-head">
        <Switch
          className="share-switch"
          size="large"
          label={t('sharing.switch')}
          // While pending, the requested state.
          checked={isPending ? variables.body.on === true : settings.on && isOurs}
          disabled={isPending || (refused !== null && !settings.on)}
          onChange={(event) => toggle(event.currentTarget.checked)}
        />
        {isOurs && <StatusTag intent={intents[state]} text={t(`sharing.state.${state}`)} />}
        {settings.on && isOurs && <StopButton isBusy={isPending} onStop={() => toggle(false)} />}
      </div>
      {isOurs && (
        <p className={Classes.TEXT_MUTED}>
          {settings.on ? t('sharing.connections', { n: connections }) : t('sharing.offHint')}
        </p>
      )}
      {message !== '' && (
        <Callout intent="danger" role="alert">
          {message}
        </Callout>
      )}
      {refused && <Refused refused={refused} />}
    </Card>
  )
}

const intents = { off: 'none', open: 'success', partly: 'warning', closed: 'danger' } as const satisfies Record<
  ShareView['state'],
  Intent
>

/** Asks first, because every other device is disconnected. */
function StopButton({ isBusy, onStop }: Readonly<{ isBusy: boolean; onStop: () => void }>) {
  const { t } = useTranslation()
  const [isConfirming, setConfirming] = useState(false)
  const stop = () => {
    setConfirming(false)
    onStop()
  }
  return (
    <>
      <Button
        className="share-stop"
        intent="danger"
        icon={<Stop />}
        text={t('sharing.stop')}
        loading={isBusy}
        onClick={() => setConfirming(true)}
      />
      <Confirm
        isOpen={isConfirming}
        question={t('sharing.stopAsk')}
        verb={t('sharing.stop')}
        isBusy={false}
        onCancel={() => setConfirming(false)}
        onConfirm={stop}
      >
        {t('sharing.stopHint')}
      </Confirm>
    </>
  )
}

/** Why sharing cannot be switched on, and what resolves it. */
function Refused({ refused: { code, message } }: { refused: NonNullable<ShareView['refused']> }) {
  const { t } = useTranslation()
  return (
    <Callout intent="warning" className="share-refused">
      <strong>{t(code === 'environment' ? 'sharing.environment' : 'sharing.refused')}</strong>
      <p>{message}</p>
      {code === 'password_unknown' && <PasswordProof />}
      {code === 'password_short' && (
        <LinkButton to="/personal" text={t('sharing.toPersonal')} intent="primary" isFilled />
      )}
    </Callout>
  )
}

/** Submits the password with the settings, so that its length becomes known. */
function PasswordProof() {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(share.change)
  const [password, setPassword] = useState('')
  const start = () => {
    if (password !== '')
      mutate({ body: { on: true, password } }, { onSuccess: () => showSuccess(t('sharing.started')) })
  }
  return (
    <Form className="share-proof" isBusy={isPending} onSubmit={start}>
      <PasswordField
        label={t('sharing.password')}
        name="password"
        autoComplete="current-password"
        value={password}
        onValue={setPassword}
      />
      <Button type="submit" intent="primary" text={t('sharing.start')} loading={isPending} disabled={password === ''} />
    </Form>
  )
}
