const storageKey = 'login-next'

/** Stores where to go after an OAuth login, for this window's session; null clears it. */
export function storeLoginNext(next: string | null): void {
  if (next === null) sessionStorage.removeItem(storageKey)
  else sessionStorage.setItem(storageKey, next)
}

/** Returns and removes the stored page; `nextPath` validates it. */
export function takeLoginNext(): string | null {
  const next = sessionStorage.getItem(storageKey)
  sessionStorage.removeItem(storageKey)
  return next
}
