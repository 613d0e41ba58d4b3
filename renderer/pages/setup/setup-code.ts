import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'

const kept = 'setup-code'

/**
 * The one-time code of the setup link: from the address, remembered while this window is open, or as a person enters it,
 * by itself or with the whole link around it. `isMissing` while no link has brought one.
 */
export function useSetupCode() {
  const [query] = useSearchParams()
  const fromLink = query.get('code') ?? ''
  useEffect(() => {
    if (fromLink !== '') sessionStorage.setItem(kept, fromLink)
  }, [fromLink])
  const [typed, setTyped] = useState('')
  const brought = fromLink || (sessionStorage.getItem(kept) ?? '')
  return { code: codeIn(typed) || brought, isMissing: brought === '', typed, type: setTyped }
}

/** The code in what was entered: the parameter of a link, else the text itself. */
function codeIn(text: string): string {
  const entered = text.trim()
  return URL.parse(entered)?.searchParams.get('code') ?? entered
}
