import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import {
  type EditorInBrowser,
  startEditorInBrowser,
} from '../../support/browser/editor-in-browser.ts'
import { untilDraftStored } from '../../support/browser/form-drafts.ts'
import { addToPage } from '../../support/browser/page-additions.ts'
import { until } from '../../support/until.ts'

let session: EditorInBrowser
let email: string
let page: Page
beforeAll(async () => {
  session = await startEditorInBrowser()
})
beforeEach(async () => {
  email = await session.addEditor()
  page = await session.open('/library/new', { email })
  await page.waitForFunction('window.formatPastedLines && window.reportLostImages')
})
afterEach(() => page.context().close())
afterAll(() => session.close())

const wordItem = (level: number, marker: string, text: string) =>
  `<p class=MsoListParagraphCxSpMiddle style='margin-left:.5in;text-indent:-.25in;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol;mso-fareast-font-family:Symbol'><span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>\n`

/** What a program puts on the clipboard as HTML, and what the form sends after it was pasted. */
const samples: Record<string, [copied: string, pasted: string]> = {
  Word: [
    `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta name=Generator content="Microsoft Word 15"><style><!-- p.MsoNormal {margin:0in; font-family:"Calibri",sans-serif;} --></style><!--[if gte mso 9]><xml><w:WordDocument></w:WordDocument></xml><![endif]--></head><body lang=EN-US style='tab-interval:.5in'><!--StartFragment-->
<h2 style='mso-style-priority:9'><span style='font-family:"Calibri Light"'>What is new<o:p></o:p></span></h2>
<p class=MsoNormal><b style='mso-bidi-font-weight:normal'>The lift</b> works <i>again</i>, see <a href="https://example.com/lift"><span style='color:#0563C1'>the plan</span></a>.<o:p></o:p></p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p>
${wordItem(1, '·', 'First')}${wordItem(2, 'o', 'Inside')}${wordItem(1, '·', 'Second')}<p class=MsoNormal>Then:<o:p></o:p></p>
${wordItem(1, '1.', 'One')}${wordItem(1, '2.', 'Two')}<!--EndFragment--></body></html>`,
    '<h2>What is new</h2><p><b>The lift</b> works <i>again</i>, see <a href="https://example.com/lift">the plan</a>.</p><ul><li>First<ul><li>Inside</li></ul></li><li>Second</li></ul><p>Then:</p><ol><li>One</li><li>Two</li></ol>',
  ],
  'Google Docs': [
    `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-7d347fee-7fff-afd7-ca79-41b3a53d7fad"><h3 dir="ltr" style="line-height:1.38;"><span style="font-size:13.9pt;font-weight:400;">What is new</span></h3><p dir="ltr" style="line-height:1.38;margin-top:0pt;"><span style="font-size:11pt;font-weight:700;">The lift</span><span style="font-size:11pt;font-weight:400;font-style:normal;text-decoration:none;"> works </span><span style="font-style:italic;">again</span><span style="font-weight:400">, see </span><a href="https://www.google.com/url?q=https://example.com/lift&amp;sa=D" style="text-decoration:none;"><span style="color:#1155cc;text-decoration:underline;">the plan</span></a></p><ul style="margin-top:0;padding-inline-start:48px;"><li dir="ltr" style="list-style-type:disc;font-weight:400;" aria-level="1"><p dir="ltr" role="presentation"><span style="font-weight:400;">First</span></p></li><ul><li dir="ltr" aria-level="2"><p dir="ltr" role="presentation"><span>Inside</span></p></li></ul><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>Second</span></p></li></ul><br/><p dir="ltr"><span>The end</span></p></b><br class="Apple-interchange-newline">`,
    '<h3>What is new</h3><p><b>The lift</b> works <i>again</i>, see <a href="https://example.com/lift">the plan</a></p><ul><li>First<ul><li>Inside</li></ul></li><li>Second</li></ul><p>The end</p>',
  ],
  Slack: [
    `<meta charset='utf-8'><div class="p-rich_text_section" style="box-sizing:inherit;"><b data-stringify-type="bold" style="font-weight:700;">The lift</b><span style="color:rgb(29,28,29);font-weight:400;"> works again <img data-id=":tada:" data-stringify-type="emoji" data-stringify-emoji=":tada:" class="emoji" src="https://a.slack-edge.com/production-standard-emoji-assets/14.0/google-medium/1f389.png" alt=":tada:"> see </span><a target="_blank" class="c-link" data-stringify-link="https://example.com/lift" href="https://slack-redir.net/link?url=https%3A%2F%2Fexample.com%2Flift" rel="noopener noreferrer">the plan</a></div><ul data-stringify-type="unordered-list" data-indent="0" class="p-rich_text_list p-rich_text_list__bullet"><li data-stringify-indent="0">First</li></ul><ul data-stringify-type="unordered-list" data-indent="1" class="p-rich_text_list"><li data-stringify-indent="1">Inside</li></ul><span class="c-mrkdwn__br" data-stringify-type="paragraph-break"></span>`,
    '<p><b>The lift</b> works again 🎉 see <a href="https://example.com/lift">the plan</a></p><ul><li>First<ul><li>Inside</li></ul></li></ul>',
  ],
  Gmail: [
    `<meta charset='utf-8'><div dir="ltr" class="gmail_default" style="font-family:Arial;font-size:small;">The lift works <span style="font-weight:bold">again</span> <img data-emoji="🎉" class="an1" alt="🎉" src="https://fonts.gstatic.com/s/e/notoemoji/16.0/1f389/72.png">.</div><div><br></div><div><ul><li style="margin-left:15px"><font color="#0000ff">First</font></li></ul></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex"><div>As promised</div></blockquote><img src="cid:ii_1">`,
    '<p>The lift works <b>again</b> 🎉.</p><ul><li>First</li></ul><blockquote><p>As promised</p></blockquote>',
  ],
  'Apple Notes': [
    `<html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"><meta name="Generator" content="Cocoa HTML Writer"><style type="text/css">p.p1 {margin: 0.0px; font: 13.0px 'Helvetica Neue'} li.li1 {font: 13.0px}</style></head><body><p class="p1"><span class="s1"><b>The lift</b></span> works again</p><p class="p2"><br></p><ul class="ul1"><li class="li1"><span class="s2"></span>First</li><li class="li1">Second</li></ul></body></html>`,
    '<p><b>The lift</b> works again</p><ul><li>First</li><li>Second</li></ul>',
  ],
  Excel: [
    `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><meta name=ProgId content=Excel.Sheet><style><!--.xl65 {mso-number-format:"0%";} --></style></head><body link="#0563C1"><table border=0 cellpadding=0 cellspacing=0 width=128 style='border-collapse:collapse;width:96pt'><!--StartFragment--><col width=64 span=2 style='width:48pt'><tr height=20 style='height:15.0pt'><td height=20 class=xl65 width=64 style='height:15.0pt;width:48pt'>Floor</td><td width=64>Works</td></tr><tr height=20><td height=20>2</td><td class=xl65 align=right>80%</td></tr><!--EndFragment--></table></body></html>`,
    '<table><tbody><tr><td>Floor</td><td>Works</td></tr><tr><td>2</td><td>80%</td></tr></tbody></table>',
  ],
}

const hasText = async () => (await page.locator('.rich-text').textContent())?.trim() !== ''

/** Replaces the text of the editor by content of the clipboard. */
async function paste(content: { html?: string; text?: string }): Promise<string> {
  const editor = page.getByRole('textbox', { name: 'Text' })
  await editor.click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await until(async () => !(await hasText()))
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer()
    const { html, text = 'As plain text' } = ${JSON.stringify(content)}
    if (html) clipboardData.setData('text/html', html)
    clipboardData.setData('text/plain', text)
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.querySelector('.rich-text').dispatchEvent(event)
  })()`)
  await until(hasText)
  return await page.evaluate<string>(
    'String(new FormData(document.querySelector("textarea[name=body]").form).get("body"))',
  )
}

test.each(Object.entries(samples))(
  'what was copied in %s is pasted as clean HTML with its headings, lists, links and tables',
  async (_, [copied, pasted]) => {
    expect((await paste({ html: copied })).replaceAll(/<br>(?=<)/g, '')).toBe(pasted)
  },
)

test.each([
  [
    'Lunch costs:\n- Oslo: 400\n- Bergen: 300\nThen:\n1. Run\n2. Rest',
    '<p>Lunch costs:</p><ul><li>Oslo: 400</li><li>Bergen: 300</li></ul><p>Then:</p><ol><li>Run</li><li>Rest</li></ol>',
  ],
  ['* Oslo\n* Bergen', '<ul><li>Oslo</li><li>Bergen</li></ul>'],
  ['- only one', '<p>- only one</p>'],
])(
  'pasted lines of plain text that begin with the marker of a list become a list: %j',
  async (text, pasted) => {
    expect(await paste({ text })).toBe(pasted)
  },
)

test('an image inside pasted HTML that cannot be kept is reported below the editor', async () => {
  const lost = page.getByText('An image could not be pasted. Upload it with the image button.')
  const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='
  expect(await paste({ html: `<p>The lift <img src="${pixel}" alt=""></p>` })).toBe(
    '<p>The lift</p>',
  )
  await lost.waitFor()
  await paste({ html: '<p>No image</p>' })
  expect(await lost.count()).toBe(0)
})

test('an image inside pasted HTML that stays on another website has a placeholder and is reported below the editor', async () => {
  const elsewhere = page.getByText('An image is still on lh7-rt.googleusercontent.com,')
  const image = '<img src="https://lh7-rt.googleusercontent.com/docsz/AD_4nX" alt="The lift">'
  expect(await paste({ html: `<p>See ${image}</p>` })).toBe(`<p>See ${image}</p>`)
  await elsewhere.waitFor()
  // The editor loads no image of other websites; browsers show a broken one.
  const shown = page.locator('.rich-text img')
  expect(
    await page.evaluate("getComputedStyle(document.querySelector('.rich-text img')).content"),
  ).toStartWith('url("data:')
  expect((await shown.boundingBox())?.height).toBeGreaterThan(40)
  await paste({ html: '<p>No image</p>' })
  expect(await elsewhere.count()).toBe(0)
})

const bold = async () => {
  await page.getByRole('textbox', { name: 'Text' }).press('Control+a')
  await page.getByRole('button', { name: 'Bold' }).click()
}
const image = '<img src="https://pictures.example/lift.png" alt="The lift">'

test.each([
  ['pasted', '<p>The lift works</p>', () => paste({ html: '<p>The lift works</p>' })],
  ['pasted with an image', image, () => paste({ html: `<p>The lift ${image}</p>` })],
  ['formatted with the toolbar', '<b>The lift</b>', bold],
])('text that is %s is stored as a draft and restored in another browser', async (_, html, act) => {
  await page.getByRole('textbox', { name: 'Text' }).click()
  await untilDraftStored(page, 'The lift', () => page.keyboard.type('The lift'))
  await untilDraftStored(page, html, act)
  const other = await session.open('/library/new', { email })
  await other.getByText('is restored').waitFor()
  expect(await other.locator('.rich-text').innerHTML()).toContain(html)
  await other.context().close()
})

test('an editor whose text is restored, focused and selected has not changed', async () => {
  await untilDraftStored(page, 'The lift', () => paste({ html: `<p>The lift ${image}</p>` }))
  await addToPage(page, 'changes', () =>
    page.addInitScript("addEventListener('input', () => (window.wasChanged = true))"),
  )
  await page.reload()
  await page.getByText('is restored').waitFor()
  await page.getByRole('textbox', { name: 'Text' }).click()
  await page.locator('.rich-text img').click()
  await page.locator('.rich-text img[tabindex]').waitFor()
  await page.getByLabel('Title').click()
  expect(await page.evaluate('window.wasChanged')).toBeUndefined()
})
