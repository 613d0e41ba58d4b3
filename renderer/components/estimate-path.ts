/** The address of "What would this request cost?" on the pricing page, with the model filled in if given. */
export const estimatePath = (model = ''): string => `/pricing?${new URLSearchParams({ cost: model })}`
