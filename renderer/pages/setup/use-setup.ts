import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { CallInput } from '../../../shared/api/call.ts'
import { setup } from '../../../shared/api/setup.ts'
import { user } from '../../../shared/api/user.ts'
import { CallFailure } from '../../api/call-failure.ts'
import { send } from '../../api/client.ts'
import { isDesktop } from '../../api/desktop.ts'
import { rememberUser } from '../../api/session.ts'
import { useTranslation } from '../../translation.ts'
import { failureText } from './failure-text.ts'
import type { UsageMode } from './mode-choice.tsx'
import { noRoot, problemsOf, type RootAccount, type RootProblems } from './root-account.ts'

/** How long a success is shown, in milliseconds (docs/reference/screens.md#setup). */
const reloadAfterMs = 1500

/**
 * The state of the wizard. After a success the page reloads in 1.5 s, and the guards redirect
 * (docs/reference/screens.md#setup). In self-use mode and in the desktop window the new administrator is signed in,
 * and in self-use mode taken to the first provider (docs/reference/design.md#first-five-minutes).
 */
export function useSetup(needsRoot: boolean) {
  const { code, isMissing, typed, type } = useSetupCode()
  const [lacksCode, setLacksCode] = useState(false)
  const [root, setRoot] = useState(noRoot)
  const [mode, setMode] = useState(usualMode)
  const [problems, setProblems] = useState<RootProblems>({})
  const { mutate, isPending, isSuccess, data, error } = useMutation({
    mutationFn: async (input: CallInput<typeof setup.submit>) => {
      await send(setup.submit, input, { quiet: true })
      const isSelf = input.body.SelfUseModeEnabled
      if (!needsRoot || !(isSelf || isDesktop())) return undefined
      const first = isSelf ? '/connect/provider' : '/'
      return (await isSignedIn(root)) ? first : undefined
    },
  })
  useReload(isSuccess, data)
  const submit = () => {
    const found = needsRoot ? problemsOf(root) : {}
    setProblems(found)
    setLacksCode(code === '')
    if (code === '' || Object.keys(found).length > 0) return
    const modes = { SelfUseModeEnabled: mode === 'self', DemoSiteEnabled: mode === 'demo' }
    mutate({ query: { code }, body: { ...root, ...modes } })
  }
  const change = (next: Partial<RootAccount>) => {
    setRoot({ ...root, ...next })
    setProblems({})
  }
  const enterCode = (text: string) => {
    type(text)
    setLacksCode(false)
  }
  return {
    root,
    change,
    problems,
    link: isMissing ? { value: typed, change: enterCode, isMissed: lacksCode } : undefined,
    mode,
    choose: setMode,
    failure: useFailure(error),
    isBusy: isPending,
    isDone: isSuccess,
    submit,
  }
}

function useFailure(error: Error | null): string | undefined {
  const { t } = useTranslation()
  return error ? failureText(error, t) : undefined
}

/** The initial mode: self-use on the gateway's own machine, external over the network. */
const usualMode = (): UsageMode => (isDesktop() || isLoopback(window.location.hostname) ? 'self' : 'external')

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || host.startsWith('127.')

/** Signs the new administrator in; on failure, the login page follows. */
async function isSignedIn({ username, password }: RootAccount): Promise<boolean> {
  try {
    const answer = await send(user.login, { query: {}, body: { username: username.trim(), password } }, { quiet: true })
    // A new account has no second factor.
    if ('require_2fa' in answer) return false
    rememberUser(answer)
    return true
  } catch (error) {
    if (error instanceof CallFailure) return false
    throw error
  }
}

/**
 * Reloads the console, at `path` if given. The timer ends on unmount, so that users who have navigated on are not
 * affected.
 */
function useReload(isDone: boolean, path: string | undefined): void {
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => (path ? window.location.assign(path) : window.location.reload()), reloadAfterMs)
    return () => clearTimeout(timer)
  }, [isDone, path])
}

const storageKey = 'setup-code'

/**
 * The setup link's one-time code: from the address, stored while this window is open, or as entered, alone or as part
 * of the link. `isMissing` until a link has provided one.
 */
function useSetupCode() {
  const [query] = useSearchParams()
  const fromLink = query.get('code') ?? ''
  useEffect(() => {
    if (fromLink !== '') sessionStorage.setItem(storageKey, fromLink)
  }, [fromLink])
  const [typed, setTyped] = useState('')
  const brought = fromLink || (sessionStorage.getItem(storageKey) ?? '')
  return { code: codeIn(typed) || brought, isMissing: brought === '', typed, type: setTyped }
}

function codeIn(text: string): string {
  const entered = text.trim()
  return URL.parse(entered)?.searchParams.get('code') ?? entered
}
