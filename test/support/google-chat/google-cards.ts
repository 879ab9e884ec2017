import * as v from 'valibot'

// The parts of Google's cards that Tidings uses, with the rules of their reference, written independently of the
// adapter. https://developers.google.com/workspace/chat/api/reference/rest/v1/cards

const text = v.pipe(v.string(), v.nonEmpty())
const parameters = v.array(v.strictObject({ key: text, value: v.string() }))

const OnClick = v.union([
  v.strictObject({ openLink: v.strictObject({ url: v.pipe(v.string(), v.url()) }) }),
  v.strictObject({
    action: v.strictObject({
      function: text,
      parameters: v.optional(parameters),
      interaction: v.optional(v.literal('OPEN_DIALOG')),
      requiredWidgets: v.optional(v.array(text)),
    }),
  }),
])

const Button = v.strictObject({
  text,
  type: v.optional(v.picklist(['OUTLINED', 'FILLED', 'FILLED_TONAL', 'BORDERLESS'])),
  onClick: OnClick,
})

/** The HTML that cards show. https://developers.google.com/workspace/chat/format-messages#card-formatting */
const html = v.pipe(
  text,
  v.check((value) => {
    const rest = value.replace(/<\/?(?:b|i|u|s|br)>|<a href="https?:[^"<>]*">|<\/a>/g, '')
    return !/[<>]/.test(rest)
  }, 'contains HTML that cards do not show'),
)

const Item = v.strictObject({ text, value: v.string(), selected: v.boolean() })

const Widget = v.union([
  v.strictObject({
    image: v.strictObject({
      imageUrl: v.pipe(v.string(), v.url(), v.startsWith('https:')),
      altText: text,
    }),
  }),
  v.strictObject({ textParagraph: v.strictObject({ text: html }) }),
  v.strictObject({
    buttonList: v.strictObject({ buttons: v.pipe(v.array(Button), v.minLength(1)) }),
  }),
  v.strictObject({
    textInput: v.strictObject({
      name: text,
      label: text,
      type: v.picklist(['SINGLE_LINE', 'MULTIPLE_LINE']),
      value: v.optional(v.string()),
    }),
  }),
  v.strictObject({
    selectionInput: v.strictObject({
      name: text,
      label: text,
      type: v.literal('DROPDOWN'),
      items: v.pipe(
        v.array(Item),
        v.minLength(1),
        v.maxLength(100),
        v.check((items) => items.filter(({ selected }) => selected).length <= 1, 'one selected'),
      ),
    }),
  }),
])

/** Above this number, Google ignores the whole section and those that follow. */
const maxWidgets = 100

/** A card of a message or a dialog. */
export const dialogCard = v.strictObject({
  header: v.optional(v.strictObject({ title: text })),
  sections: v.pipe(
    v.array(v.strictObject({ widgets: v.pipe(v.array(Widget), v.minLength(1)) })),
    v.minLength(1),
    v.check(
      (sections) => sections.flatMap(({ widgets }) => widgets).length <= maxWidgets,
      'has more widgets than Google shows',
    ),
  ),
})

const Cards = v.array(v.strictObject({ cardId: v.pipe(text, v.maxLength(64)), card: dialogCard }))

/** Throws unless these are cards of a message. */
export function requireGoogleCards(cardsV2: unknown[]): void {
  v.parse(Cards, cardsV2)
}

const Status = v.strictObject({
  statusCode: v.picklist(['OK', 'INVALID_ARGUMENT']),
  userFacingMessage: v.optional(text),
})
const DialogAction = v.union([
  v.strictObject({ dialog: v.strictObject({ body: dialogCard }) }),
  v.strictObject({ actionStatus: Status }),
])
const Reply = v.union([
  v.strictObject({}),
  v.strictObject({
    text,
    cardsV2: v.optional(Cards),
    privateMessageViewer: v.optional(v.strictObject({ name: text })),
  }),
  v.strictObject({
    actionResponse: v.strictObject({ type: v.literal('DIALOG'), dialogAction: DialogAction }),
  }),
])

/**
 * What Google does not take as the reply to an event. A dialog opens only where the event says that one is expected.
 * https://developers.google.com/workspace/chat/dialogs
 */
export function replyFaults(body: unknown, isDialogEvent: boolean): string[] {
  const { success, output, issues } = v.safeParse(Reply, body)
  if (!success) return [`a reply: ${v.summarize(issues)}`]
  if (Buffer.byteLength(JSON.stringify(body)) > 32_000) return ['a reply over 32,000 bytes']
  return 'actionResponse' in output && !isDialogEvent ? ['a dialog that nobody has asked for'] : []
}

/** Throws unless a response opens a dialog with a valid card, or closes one. Returns the card. */
export function dialogIn(body: unknown): unknown {
  const dialog = v.strictObject({
    actionResponse: v.strictObject({
      type: v.literal('DIALOG'),
      dialogAction: v.strictObject({ dialog: v.strictObject({ body: dialogCard }) }),
    }),
  })
  return v.parse(dialog, body).actionResponse.dialogAction.dialog.body
}
