import { sampleBlock, sampleNewsletter } from '../sample-newsletter.ts'
import { company, picture } from './companies.ts'

/** A German newsletter with long words, umlauts and German dates. */
export const german = sampleNewsletter(
  [
    sampleBlock({
      title: 'Grundsteinlegung für das neue Ausbildungszentrum',
      image_url: picture('wide-bau'),
      image_alt: 'Drei Menschen mit Helmen und Spaten',
      body: '<p>Bei Nieselregen und mit viel Humor haben wir am Dienstag den Grundstein gelegt. In 14 Monaten lernen hier 80 Auszubildende der Elektroinstallation und der Wärmepumpeninbetriebnahme.</p>',
      author: 'Jörg Müller-Lüdenscheidt',
      source_url: 'https://intranet.stadtwerke.example/grundstein',
    }),
    sampleBlock({
      title: 'Datenschutzgrundverordnungskonforme Aufbewahrungsfristenüberwachung',
      block_type: 'policy_change',
      body: '<p>Ab dem 1. Januar löscht das Archiv Bewerbungen nach sechs Monaten von selbst. Fragen beantwortet <a href="mailto:datenschutz@stadtwerke.example">datenschutz@stadtwerke.example</a>.</p>',
    }),
    sampleBlock({
      title: 'Kudos an Bärbel Schäfer für die ruhigste Störungsnacht des Jahres',
      body: '<p>Kudos an Bärbel Schäfer für die ruhigste Störungsnacht des Jahres</p>',
      block_type: 'wins_milestones',
      author: 'Leitstelle',
    }),
    sampleBlock({
      title: 'Özlem Yıldız fängt als Netzingenieurin an',
      block_type: 'new_starter',
      body: '<p>Özlem beginnt am Montag, 4. Januar, in der Netzführung in Köln.</p>',
    }),
    sampleBlock({
      title: 'Weihnachtsfeier im Umspannwerk',
      block_type: 'event_announcement',
      event_date: '2026-12-17',
      body: '<p>Einlass ab 17 Uhr. Anmeldung bis 10. Dezember.</p>',
      source_url: 'https://intranet.stadtwerke.example/feier',
    }),
    sampleBlock({
      title: 'Netzleitsystem 7.2 ist da',
      block_type: 'wins_milestones',
      body: '<h3>Neu</h3><ul><li>Schaltanträge lassen sich auf dem Tablet freigeben</li></ul><h3>Behoben</h3><ul><li>Zeitumstellung im Lastgang</li></ul>',
    }),
  ],
  {
    title: 'Unter Strom: die Mitarbeiterzeitung',
    subject_line: 'Grundstein gelegt, Termine im Dezember',
    preheader_text: 'Das neue Ausbildungszentrum wächst',
    team: company('Stadtwerke Rheinbogen', '#e2001a', true),
    date: '2026-11-20',
    lang: 'de',
    intro: '<p>Liebe Kolleginnen und Kollegen, hier sind die Nachrichten der Woche.</p>',
    table_of_contents: true,
    archive_url: 'https://tidings.stadtwerke.example/archiv/1',
  },
)

/** A Japanese newsletter: no spaces between words, and full-width punctuation. */
export const japanese = sampleNewsletter(
  [
    sampleBlock({
      title: '検索が二倍速くなりました',
      body: '<p>すべての検索が<b>80ミリ秒</b>で応答します。オフラインでも直近90日分の記録を探せるようになり、移動中の作業がぐっと楽になりました。</p><ul><li>検索：オフライン索引</li><li>共有：リンクでグラフを送る</li></ul>',
      image_url: picture('wide-chart'),
      image_alt: '検索画面',
      source_url: 'https://wiki.akari.example/search',
    }),
    sampleBlock({
      title: '田中優希さんがカスタマーサクセスに加わります',
      block_type: 'new_starter',
      body: '<p>1月12日（月）から東京オフィスで勤務を始めます。</p>',
      image_url: picture('portrait-yuki'),
      image_alt: '田中優希',
      image_size: 'small',
    }),
    sampleBlock({
      title: 'ありがとう、夜勤チーム！',
      block_type: 'wins_milestones',
      body: '<p>ありがとう、夜勤チーム！</p>',
      author: '佐藤',
    }),
    sampleBlock({
      title: '忘年会',
      block_type: 'event_announcement',
      event_date: '2026-12-18',
      body: '<p>18時から、古い税関の建物で。申し込みは12月10日までにお願いします。</p>',
    }),
    sampleBlock({
      title: '出張予約の新しいルールについて、来年一月から全社員が対象となりますのでご確認ください',
      block_type: 'policy_change',
      body: '<p>1月から、電車とホテルはポータルで予約してください。</p>',
    }),
  ],
  {
    title: '灯だより 十一月号',
    subject_line: '検索が二倍速くなりました',
    preheader_text: '新しい仲間と忘年会のお知らせ',
    team: company('株式会社あかり', '#b91c1c'),
    date: '2026-11-20',
    lang: 'ja',
    archive_url: 'https://tidings.akari.example/archive/1',
  },
)
