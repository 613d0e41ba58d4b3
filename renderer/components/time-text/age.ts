/** 0 minutes is just now. */
type Age = Readonly<{ unit: 'minutes' | 'hours' | 'days'; n: number }>

/**
 * Converts seconds to their largest whole unit; less than a minute, or a future time due to clock skew, is 0 minutes.
 */
export function ageOf(seconds: number): Age {
  const minutes = Math.max(0, Math.floor(seconds / 60))
  if (minutes < 60) return { unit: 'minutes', n: minutes }
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? { unit: 'hours', n: hours } : { unit: 'days', n: Math.floor(hours / 24) }
}
