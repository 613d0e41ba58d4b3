import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import * as z from 'zod/mini'
import { readStored, writeStored } from '../api/stored.ts'

/** The gateway's maximum (shared/api/registration.ts); real codes are shorter. */
const storedCode = z.string().check(z.minLength(1), z.maxLength(64))

/** Stores the invite code of an invite link (`?aff=`) until a registration uses it. */
export function useInviteLink(): void {
  const [query] = useSearchParams()
  const code = query.get('aff')
  useEffect(() => {
    if (storedCode.safeParse(code).success) writeStored('aff', code)
  }, [code])
}

export const inviteCode = (): string => readStored('aff', storedCode) ?? ''

/** The first page for invited users, on which they make their first call. */
export const invitedTo = '/connect/client'

export const dropInviteCode = (): void => writeStored('aff', undefined)
