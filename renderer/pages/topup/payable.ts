import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { wallet } from '../../../shared/api/wallet.ts'
import { send } from '../../api/client.ts'
import { areaOf } from '../../api/use-call.ts'

/** Typing rests for so long before it is asked. */
const QUIET_MS = 300

/** What an amount costs: the money, or why it cannot be bought; neither while it is asked, or where there is no amount. */
export function usePayable(amount: number | undefined): Readonly<{ money?: string; problem?: string }> {
  const [asked, setAsked] = useState(amount)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(amount), QUIET_MS)
    return () => clearTimeout(timer)
  }, [amount])
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [areaOf(wallet.amount), wallet.amount.path, asked],
    queryFn: ({ signal }) => send(wallet.amount, { body: { amount: asked ?? 0 } }, { quiet: true, signal }),
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (amount === undefined || asked !== amount || isPlaceholderData) return {}
  if (error) return { problem: error.message }
  return data === undefined ? {} : { money: data }
}
