import type { log as texts } from '../en/log.ts'

/** Texts of the usage log, in Chinese. */
export const log = {
} satisfies Record<keyof typeof texts, string>
