import type { channel as texts } from '../en/channel.ts'

/** Texts of the channels, in Chinese. */
export const channel = {
} satisfies Record<keyof typeof texts, string>
