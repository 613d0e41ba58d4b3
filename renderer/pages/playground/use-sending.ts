import { useEffect, useState } from 'react'

type Sending = Readonly<{
  /** What would be sent now; writing something else takes back what was asked for. */
  text: string
  canSend: boolean
  /** Something that it needs is on its way: the models, or the files that go with it. */
  isWaiting: boolean
  /** What came is not all that was asked for: the person is to look first. */
  isAmiss: boolean
  onSend: () => void
}>

/** Sends at once, or as soon as what is missing has come; true while that is awaited. */
export function useSending({
  text,
  canSend,
  isWaiting,
  isAmiss,
  onSend,
}: Sending): Readonly<{ isAsked: boolean; send: () => void }> {
  const [asked, setAsked] = useState<string>()
  const isAsked = asked === text
  useEffect(() => {
    if (asked === undefined || (isAsked && isWaiting)) return
    setAsked(undefined)
    if (isAsked && canSend && !isAmiss) onSend()
  })
  return {
    isAsked,
    send() {
      if (canSend) onSend()
      else if (isWaiting) setAsked(text)
    },
  }
}
