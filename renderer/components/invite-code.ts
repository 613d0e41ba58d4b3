import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import * as z from 'zod/mini'
import { readStored, writeStored } from '../api/stored.ts'

/** As long as the gateway takes it (shared/api/registration.ts); no real one is longer. */
const storedCode = z.string().check(z.minLength(1), z.maxLength(64))

/** Keeps the invite code of the link by which one came (`?aff=`), until somebody has registered with it. */
export function useInviteLink(): void {
  const [query] = useSearchParams()
  const code = query.get('aff')
  useEffect(() => {
    if (storedCode.safeParse(code).success) writeStored('aff', code)
  }, [code])
}

/** The invite code that is kept, or nothing. */
export const inviteCode = (): string => readStored('aff', storedCode) ?? ''

/** Where who was invited is led first: to their first call. */
export const invitedTo = '/connect/client'

/** Forgets the invite code: it has been used. */
export const dropInviteCode = (): void => writeStored('aff', undefined)
