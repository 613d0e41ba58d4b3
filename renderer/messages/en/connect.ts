/** Texts of the first run: connecting a provider and a client, in English. */
export const connect = {
}
