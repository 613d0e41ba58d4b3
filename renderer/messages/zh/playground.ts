import type { playground as texts } from '../en/playground.ts'

/** Texts of the playground, in Chinese. */
export const playground = {
} satisfies Record<keyof typeof texts, string>
