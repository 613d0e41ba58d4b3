/** A number of minutes, hours or days; 0 minutes is just now. */
export type Age = Readonly<{ unit: 'minutes' | 'hours' | 'days'; n: number }>

/** Seconds in the largest unit they fill; less than a minute, and what a clock of another machine puts ahead of us, is none. */
export function ageOf(seconds: number): Age {
  const minutes = Math.max(0, Math.floor(seconds / 60))
  if (minutes < 60) return { unit: 'minutes', n: minutes }
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? { unit: 'hours', n: hours } : { unit: 'days', n: Math.floor(hours / 24) }
}
