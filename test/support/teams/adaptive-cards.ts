import * as v from 'valibot'

// The parts of adaptive cards that Tidings uses, with the rules of their schema, written independently of the
// adapter. https://adaptivecards.io/explorer

const text = v.pipe(v.string(), v.nonEmpty())

const Action = v.union([
  v.strictObject({
    type: v.literal('Action.Submit'),
    title: text,
    style: v.optional(v.picklist(['default', 'positive', 'destructive'])),
    data: v.record(v.string(), v.unknown()),
  }),
  v.strictObject({
    type: v.literal('Action.OpenUrl'),
    title: text,
    url: v.pipe(v.string(), v.url()),
  }),
])

const input = { id: text, label: text }
const Choice = v.strictObject({ title: text, value: text })

/**
 * The Markdown that cards show: https://learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/cards-format
 */
const markdown = v.pipe(
  text,
  v.check((value) => !/(?<!\\)`/.test(value), 'has code, which cards do not show'),
  v.check((value) => !/(?<!\n)\n(?!\n)/.test(value), 'has a line break that cards do not show'),
  v.check(
    (value) => !value.includes('\r') || value.split('\r').every((line) => line.startsWith('- ')),
    'has a line break outside of a list',
  ),
  v.check((value) => !/^(?:#{1,6} |>|\|)|!\[/m.test(value), 'has Markdown that cards do not show'),
)

const Element = v.union([
  v.strictObject({
    type: v.literal('TextBlock'),
    text: markdown,
    wrap: v.literal(true),
    weight: v.optional(v.picklist(['Default', 'Lighter', 'Bolder'])),
    size: v.optional(v.picklist(['Default', 'Small', 'Medium', 'Large', 'ExtraLarge'])),
    isSubtle: v.optional(v.boolean()),
  }),
  v.strictObject({
    type: v.literal('Image'),
    url: v.pipe(v.string(), v.url(), v.startsWith('https:')),
    altText: text,
    size: v.optional(v.picklist(['Auto', 'Stretch', 'Small', 'Medium', 'Large'])),
  }),
  // Teams shows at most six buttons beside each other.
  v.strictObject({
    type: v.literal('ActionSet'),
    actions: v.pipe(v.array(Action), v.minLength(1), v.maxLength(6)),
  }),
  v.strictObject({
    type: v.literal('Input.Text'),
    ...input,
    value: v.optional(v.string()),
    isMultiline: v.optional(v.boolean()),
    isRequired: v.optional(v.boolean()),
    errorMessage: v.optional(text),
    maxLength: v.optional(v.number()),
  }),
  v.pipe(
    v.strictObject({
      type: v.literal('Input.ChoiceSet'),
      ...input,
      value: v.string(),
      choices: v.pipe(v.array(Choice), v.minLength(1)),
    }),
    v.check(
      ({ value, choices }) => choices.some((choice) => choice.value === value),
      'the value is one of the choices',
    ),
  ),
])

const Card = v.pipe(
  v.strictObject({
    type: v.literal('AdaptiveCard'),
    version: v.picklist(['1.0', '1.1', '1.2', '1.3', '1.4', '1.5']),
    $schema: v.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
    body: v.array(Element),
    actions: v.optional(v.pipe(v.array(Action), v.minLength(1), v.maxLength(6))),
  }),
  v.check(({ body, actions }) => body.length > 0 || actions !== undefined, 'is not empty'),
)

const Attachment = v.strictObject({
  contentType: v.literal('application/vnd.microsoft.card.adaptive'),
  content: Card,
})

/** Throws unless these are attachments with adaptive cards. */
export function requireAdaptiveCards(attachments: unknown[]): void {
  v.parse(v.array(Attachment), attachments)
}

/** Throws unless a response opens a dialog with a valid card. Returns the card. */
export function taskIn(body: unknown): unknown {
  const size = v.picklist(['small', 'medium', 'large'])
  const Task = v.strictObject({
    task: v.strictObject({
      type: v.literal('continue'),
      value: v.strictObject({ title: text, height: size, width: size, card: Attachment }),
    }),
  })
  return v.parse(Task, body).task.value.card.content
}
