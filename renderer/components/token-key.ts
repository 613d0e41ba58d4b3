import type { TokenView } from '../../shared/api/token.ts'

export const keyOf = ({ key }: Pick<TokenView, 'key'>): string => `sk-${key}`

export const maskedKey = ({ key }: Pick<TokenView, 'key'>): string => `sk-${key.slice(0, 4)}…${key.slice(-4)}`
