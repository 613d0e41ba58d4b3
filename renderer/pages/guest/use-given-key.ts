import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useState } from 'react'
import * as z from 'zod/mini'

/**
 * The key in the link, also in one that is pasted later into the same tab. It is removed from the address at once and
 * never stored.
 */
export function useGivenKey(): string | undefined {
  const [key, setKey] = useState(() => keyIn(window.location.hash))
  useLayoutEffect(() => {
    const take = () => {
      const { pathname, hash } = window.location
      if (hash === '') return
      setKey(keyIn(hash))
      window.history.replaceState(window.history.state, '', pathname)
    }
    take()
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }, [])
  return key
}

const keyIn = (hash: string): string | undefined => {
  const key = new URLSearchParams(hash.slice(1)).get('key') ?? ''
  return /^sk-[\w-]{20,130}$/.test(key) ? key : undefined
}

/** The models available to the key. */
export const useModels = (key: string) =>
  useQuery({
    queryKey: ['guest-models', key],
    queryFn: async ({ signal }) => {
      const response = await fetchWith(key, '/v1/models', { signal })
      const found = response.ok ? list.parse(await response.json()) : undefined
      return { isAccepted: found !== undefined, models: found?.data.map(({ id }) => id) ?? [] }
    },
    retry: false,
    gcTime: 0,
  })

const list = z.object({ data: z.array(z.object({ id: z.string() })) })

/**
 * The amount of an accepted key and how much of it is left, in the operator's unit, and the key's end in unix seconds,
 * 0 for never.
 */
export const useAllowance = (key: string, isAccepted: boolean) =>
  useQuery({
    enabled: isAccepted,
    queryKey: ['guest-allowance', key],
    queryFn: async ({ signal }) => {
      const read = async (part: string) => (await fetchWith(key, `/v1/dashboard/billing/${part}`, { signal })).json()
      const [bounds, usage] = await Promise.all([read('subscription'), read('usage')])
      const { hard_limit_usd: total, access_until: expires } = subscription.parse(bounds)
      return { total, left: total - spent.parse(usage).total_usage / 100, expires }
    },
    retry: false,
    gcTime: 0,
  })

const subscription = z.object({ hard_limit_usd: z.number(), access_until: z.number() })
const spent = z.object({ total_usage: z.number() })

/** Sends a message with the key; returns the text of the answer, or throws with the gateway's message. */
export async function answerTo(key: string, model: string, content: string): Promise<string> {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content }] })
  const headers = { 'content-type': 'application/json' }
  const response = await fetchWith(key, '/v1/chat/completions', { method: 'POST', headers, body })
  const result: unknown = await response.json()
  if (!response.ok) throw new Error(refusal.parse(result).error.message)
  return answer.parse(result).choices[0]?.message.content ?? ''
}

const answer = z.object({ choices: z.array(z.object({ message: z.object({ content: z.nullish(z.string()) }) })) })
const refusal = z.object({ error: z.object({ message: z.string() }) })

/** Requests with the key only, without the user's session. */
const fetchWith = (key: string, path: string, init: RequestInit): Promise<Response> =>
  fetch(path, { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` }, credentials: 'omit' })
