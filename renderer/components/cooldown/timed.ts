import type { CooldownView } from '../../../shared/api/routing.ts'

/** A cooldown with the moment it ends, in unix milliseconds of this browser's clock. */
export type Timed<T extends CooldownView = CooldownView> = T & Readonly<{ until: number }>

/** Cooldowns as the gateway told them at a moment in unix milliseconds, with their ends. */
export const timed = <T extends CooldownView>(cooldowns: readonly T[], at: number): Timed<T>[] =>
  cooldowns.map((cooldown) => ({ ...cooldown, until: at + cooldown.seconds * 1000 }))

/** The upstream's answer in one line: its status, or that there was none, and its words. */
export const saidBy = ({ status, message }: Pick<CooldownView, 'status' | 'message'>, noAnswer: string): string =>
  [status > 0 ? `HTTP ${status}` : noAnswer, message].filter((part) => part !== '').join(' · ')
