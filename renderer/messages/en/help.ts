/**
 * Texts that help with failed requests and unknown addresses, and texts of the form that sets a missing price, in
 * English.
 */
export const help = {
  'notFound.title': 'Page not found',
  'notFound.text': 'The link may be wrong or the page was moved.',
  'notFound.home': 'Go to the home page',
  'help.channels': 'Open channels',
  'help.channel': 'Edit channel {name}',
  'help.tokens': 'Open API tokens',
  'price.of': 'Price of {model}',
  'price.input': 'Input, per 1M tokens',
  'price.output': 'Output, per 1M tokens',
  'price.save': 'Save price',
  'price.saved': 'Price of {model} saved',
}
