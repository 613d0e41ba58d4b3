const kept = 'login-next'

/** Keeps where to lead whoever comes back from a provider, while this window is open; null where there is no such place. */
export function keepPlace(next: string | null): void {
  if (next === null) sessionStorage.removeItem(kept)
  else sessionStorage.setItem(kept, next)
}

/** The place that was kept, once; `nextPlace` judges it. */
export function takePlace(): string | null {
  const next = sessionStorage.getItem(kept)
  sessionStorage.removeItem(kept)
  return next
}
