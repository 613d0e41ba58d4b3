/** What every `/api` call answers (spec/console.md §1.1). Refusals are HTTP 200 with `success: false`, except anonymous (401). */
export type Envelope<T> = Readonly<{ success: boolean; message: string; data?: T }>
