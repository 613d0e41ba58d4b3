import type { connect as texts } from '../en/connect.ts'

/** Texts of the first run: connecting a provider and a client, in Chinese. */
export const connect = {
} satisfies Record<keyof typeof texts, string>
