/** Texts of the home page, of the page about the operator, and of New Year's Day, in English. */
export const home = {
  'home.partial': 'Only the 50,000 newest entries are counted.',
  'home.next': 'Next steps',
  'home.step.provider': 'Connect your first provider account to create a channel.',
  'home.step.import': 'Coming from new-api, one-api or LiteLLM? Bring your users, tokens and channels along.',
  'home.step.providerGo': 'Connect a provider',
  'home.step.noneEnabled': 'No channel is enabled, so every request is refused.',
  'home.step.client': 'Connect your first client to this gateway.',
  'home.step.clientGo': 'Connect a client',
  'home.step.unpriced':
    '{n} {n|one:model has|other:models have} no price, so requests for {n|one:it|other:them} are refused.',
  'about.empty': 'Nothing here yet',
  'about.emptyOperator':
    'What you write is shown here to everybody. It can be Markdown, HTML, or an address that starts with https://.',
  'about.write': 'Write text',
  'about.emptyVisitor': 'The operator of this gateway has not written anything here.',
  'landing.formats': 'Every client',
  'landing.formatsText':
    'OpenAI Chat and Responses, Anthropic Messages and Gemini: each client gets responses in its own API format.',
  'landing.routing': 'Every provider',
  'landing.routingText':
    'Requests go on to another channel when one fails or is rate limited, with the same key and address.',
  'landing.receipts': 'Every token',
  'landing.receiptsText': 'Each request has a receipt with its tokens, prices and cost, down to the last unit.',
  'landing.providers': 'More than 30 providers, such as',
  'newYear.celebrate': 'Happy New Year',
  'newYear.greeting': 'Happy New Year {year}! The page starts afresh in a moment.',
}
