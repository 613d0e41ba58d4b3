/**
 * What every `/api` call answers (docs/reference/api.md#envelope). Refusals are HTTP 200 with `success: false`, except
 * anonymous (401).
 */
export type Envelope<T> = Readonly<{ success: boolean; message: string; data?: T }>
