import { Button, Callout, Classes } from '@blueprintjs/core'
import type { registration } from '../../../shared/api/registration.ts'
import type { useSend } from '../../api/use-call.ts'
import { useCopy } from '../../components/copy-text/use-copy.tsx'
import { EntryForm } from '../../components/entry-card/entry-form.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { useTranslation } from '../../translation.ts'

type LinkFormProps = Readonly<{
  link: Readonly<{ email: string; token: string }>
  exchange: ReturnType<typeof useSend<typeof registration.reset>>
}>

/** Shows and submits the link's parameters; then shows the new password, which is copied at once and on each press. */
export function LinkForm({ link, exchange }: LinkFormProps) {
  const { t } = useTranslation()
  const { copy, dialog } = useCopy()
  const { mutate, isPending, data: password, error } = exchange
  const isDone = password !== undefined
  const copyPassword = (made: string) => copy(made, t('reset.password'))
  const submit = () => (isDone ? copyPassword(password) : mutate({ body: link }, { onSuccess: copyPassword }))
  return (
    <EntryForm isBusy={isPending} onSubmit={submit}>
      {!isDone && <p>{t('reset.confirmIntro')}</p>}
      <TextField
        label={t('register.email')}
        name="email"
        type="email"
        autoComplete="username"
        readOnly
        value={link.email}
        onValue={unchanged}
      />
      {isDone ? (
        <TextField
          label={t('reset.password')}
          name="password"
          autoComplete="off"
          inputClassName={Classes.MONOSPACE_TEXT}
          readOnly
          value={password}
          onValue={unchanged}
          onClick={() => copyPassword(password)}
          hint={t('reset.passwordHint')}
        />
      ) : (
        <TextField
          label={t('reset.code')}
          name="token"
          autoComplete="off"
          inputClassName={Classes.MONOSPACE_TEXT}
          readOnly
          value={link.token}
          onValue={unchanged}
        />
      )}
      {error && (
        <Callout compact intent="danger" role="alert">
          {error.message}
        </Callout>
      )}
      <Button
        type="submit"
        intent={isDone ? 'success' : 'primary'}
        fill
        size="large"
        text={isDone ? t('reset.done') : t('reset.confirm')}
        loading={isPending}
      />
      {dialog}
    </EntryForm>
  )
}

const unchanged = () => undefined
