import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ApiAnswer } from '../../../shared/api/call.ts'
import { invitation } from '../../../shared/api/invitation.ts'
import { send } from '../../api/client.ts'

type Looked = Readonly<{ data?: ApiAnswer<typeof invitation.look>; error?: Error }>

/** What the link of invitation by which one came opens (`?invite=`): looked up once, for its code counts in a rate. */
export function useInvitation(): Looked & Readonly<{ code: string; isLoading: boolean }> {
  const [query] = useSearchParams()
  const code = query.get('invite') ?? ''
  const [looked, setLooked] = useState<Looked>()
  useEffect(() => {
    if (code === '') return
    let isOver = false
    send(invitation.look, { body: { code } }, { quiet: true }).then(
      (data) => isOver || setLooked({ data }),
      (error: Error) => isOver || setLooked({ error }),
    )
    return () => {
      isOver = true
    }
  }, [code])
  return { ...looked, code, isLoading: code !== '' && !looked }
}
