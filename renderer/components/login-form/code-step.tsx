import '../entry-card/entry-form.css'
import './login-form.css'
import { Button, Callout } from '@blueprintjs/core'
import { useRef, useState } from 'react'
import { security } from '../../../shared/api/security.ts'
import type { SignedIn } from '../../../shared/api/user.ts'
import { useSend } from '../../api/use-call.ts'
import { useTranslation } from '../../translation.ts'
import { Form } from '../form/form.tsx'
import { TextField } from '../text-field/text-field.tsx'

type CodeStepProps = Readonly<{ onEnter: (signedIn: SignedIn) => void; onBack: () => void }>

/** The second factor, after the password or an OAuth login (docs/reference/screens.md#login). */
export default function CodeStep({ onEnter, onBack }: CodeStepProps) {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const { mutate, isPending } = useSend(security.confirm, { quiet: true })
  const submit = () => {
    const refuse = (why: string) => {
      setProblem(why)
      field.current?.focus()
      field.current?.select()
    }
    if (code.trim() === '') return refuse(t('login.needCode'))
    // Cleared first, so that a repeated refusal is announced again.
    setProblem(undefined)
    const onError = (error: Error) => refuse(error.message)
    mutate({ body: { code } }, { onSuccess: onEnter, onError })
  }
  return (
    <Form className="entry-form login-form" isBusy={isPending} onSubmit={submit}>
      <TextField
        label={t('login.code')}
        name="code"
        hint={t('login.codeHint')}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        inputRef={field}
        value={code}
        onValue={setCode}
      />
      {problem && (
        <Callout compact intent="danger" role="alert">
          {problem}
        </Callout>
      )}
      <div className="login-form-buttons">
        <Button text={t('login.codeBack')} disabled={isPending} onClick={onBack} />
        <Button type="submit" intent="primary" text={t('label.logIn')} loading={isPending} />
      </div>
    </Form>
  )
}
