import type { CooldownView } from '../../../shared/api/routing.ts'

/** A cooldown with its end, in unix milliseconds of this browser's clock. */
export type Timed<T extends CooldownView = CooldownView> = T & Readonly<{ until: number }>

export const timed = <T extends CooldownView>(cooldowns: readonly T[], at: number): Timed<T>[] =>
  cooldowns.map((cooldown) => ({ ...cooldown, until: at + cooldown.seconds * 1000 }))

/** The upstream's response in one line: its status, or that there was none, and its message. */
export const responseText = ({ status, message }: Pick<CooldownView, 'status' | 'message'>, noAnswer: string): string =>
  [status > 0 ? `HTTP ${status}` : noAnswer, message].filter((part) => part !== '').join(' · ')
