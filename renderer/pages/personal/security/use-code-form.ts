import type { UseMutationResult } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { useTranslation } from '../../../translation.ts'

export type CodeForm = Readonly<{
  field: Readonly<{
    label: string
    name: string
    autoComplete: string
    autoCapitalize: string
    spellCheck: boolean
    autoFocus: boolean
    inputRef: RefObject<HTMLInputElement | null>
    value: string
    onValue: (text: string) => void
    error: string | undefined
  }>
  isBusy: boolean
  submit: () => void
}>

/** Submits a code; a refused one is shown at the field and selected. */
export function useCodeForm<Answer>(
  { mutate, isPending }: UseMutationResult<Answer, Error, { body: { code?: string | undefined } }>,
  onDone: (answer: Answer) => void,
): CodeForm {
  const { t } = useTranslation()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)
  const submit = () => {
    setProblem(code.trim() === '' ? t('login.needCode') : undefined)
    if (code.trim() === '') return
    const onError = (error: Error) => {
      setProblem(error.message)
      input.current?.focus()
      input.current?.select()
    }
    mutate({ body: { code } }, { onSuccess: onDone, onError })
  }
  const field = {
    label: t('login.code'),
    name: 'code',
    autoComplete: 'one-time-code',
    autoCapitalize: 'none',
    spellCheck: false,
    autoFocus: true,
    inputRef: input,
    value: code,
    onValue: setCode,
    error: problem,
  }
  return { field, isBusy: isPending, submit }
}
