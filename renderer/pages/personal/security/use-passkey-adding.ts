import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { MAX_PASSKEY_NAME, passkey } from '../../../../shared/api/passkey.ts'
import { send } from '../../../api/client.ts'
import { areaOf } from '../../../api/use-call.ts'
import { useDeviceName } from '../../../components/device-name/use-device-name.ts'
import { makePasskey } from '../../../components/passkeys/browser-passkeys.ts'
import { type PasskeyTrouble, usePasskeyStep } from '../../../components/passkeys/use-passkey-step.ts'
import { clearToasts, showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'

type PasskeyAdding = Readonly<{
  password: string
  setPassword: (password: string) => void
  passwordField: RefObject<HTMLInputElement | null>
  passwordProblem: string | undefined
  name: string
  setName: (name: string) => void
  nameProblem: string | undefined
  trouble: PasskeyTrouble | undefined
  isBusy: boolean
  submit: () => void
}>

const quiet = { quiet: true } as const

/**
 * Gets options from the gateway and a passkey from the browser, and registers it. Password problems are shown at the
 * field, others below.
 */
export function usePasskeyAdding(hasPassword: boolean, onDone: () => void): PasskeyAdding {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const deviceName = useDeviceName()
  const [password, setPassword] = useState('')
  const [name, setName] = useState(() => deviceName(navigator.userAgent).slice(0, MAX_PASSKEY_NAME))
  const [isChecked, setChecked] = useState(false)
  const passwordField = useRef<HTMLInputElement>(null)
  const { isBusy, trouble, run } = usePasskeyStep()
  const isPasswordWrong = trouble?.text === t('pw.wrong_original')
  const submit = async () => {
    const isComplete = name.trim() !== '' && (!hasPassword || password !== '')
    setChecked(!isComplete)
    if (!isComplete) return
    clearToasts()
    const added = await run(async () => {
      const options = await send(passkey.beginRegister, { body: { password } }, quiet)
      const made = await makePasskey(options, name.trim())
      return send(passkey.finishRegister, { body: made }, quiet)
    })
    if (!added) return
    void queries.invalidateQueries({ queryKey: [areaOf(passkey.list)] })
    showSuccess(t('security.passkeyAdded'))
    onDone()
  }
  useEffect(() => {
    if (isPasswordWrong) passwordField.current?.select()
  }, [isPasswordWrong])
  const missing = isChecked && hasPassword && password === '' ? t('security.needPassword') : undefined
  return {
    password,
    setPassword,
    passwordField,
    passwordProblem: missing ?? (isPasswordWrong ? trouble.text : undefined),
    name,
    setName,
    nameProblem: isChecked && name.trim() === '' ? t('passkey.need_name') : undefined,
    trouble: isPasswordWrong ? undefined : trouble,
    isBusy,
    submit: () => void submit(),
  }
}
