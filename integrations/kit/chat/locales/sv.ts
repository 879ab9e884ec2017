import type { ChatTexts } from './en.ts'

export const sv: ChatTexts = {
  review_title: '{count, plural, one {# nytt utkast att granska} other {# nya utkast att granska}}',
  review_by: 'av {author}',
  review_private_title: 'En nyhet från ett privat samtal',
  review_private: 'Läs den i Tidings. Den visas inte här, eftersom den inte sades öppet.',
  review_approve: 'Godkänn',
  review_edit: 'Redigera',
  review_decline: 'Avböj',
  review_decline_title: 'Avböja det här utkastet?',
  review_decline_text:
    'Det hamnar i papperskorgen. Bara den som skickade det får veta, med ett tack. Det går att återställa i Tidings i en dag.',
  review_cancel: 'Avbryt',
  review_approved: 'Godkänt av {person}',
  review_declined: 'Avböjt av {person}',
  review_approved_elsewhere: 'Godkänt i Tidings',
  review_declined_elsewhere: 'Borttaget i Tidings',
  review_approved_before: '{person} godkände ”{title}” strax före dig, så ditt val gällde inte.',
  review_declined_before: '{person} avböjde ”{title}” strax före dig, så ditt val gällde inte.',
  review_approved_alike: '{person} godkände ”{title}” strax före dig, precis som du valde.',
  review_declined_alike: '{person} avböjde ”{title}” strax före dig, precis som du valde.',
  review_approved_elsewhere_before: '”{title}” är redan godkänt, så inget ändrades.',
  review_declined_elsewhere_before: '”{title}” är redan borttaget, så inget ändrades.',
  review_conflict_approve:
    '{other} ville godkänna ”{title}” efter att {first} hade avböjt det. Det första valet gäller.',
  review_conflict_decline:
    '{other} ville avböja ”{title}” efter att {first} hade godkänt det. Det första valet gäller.',
  review_done_approved: 'Utkastet är godkänt.',
  review_done_declined: 'Utkastet är avböjt. Det går att återställa i Tidings i en dag.',
  review_missing: 'Utkastet finns inte längre, så inget ändrades.',
  review_changed:
    '”{title}” har ändrats sedan du läste texten, så inget har bestämts. Läs den nuvarande texten och välj igen.',
  review_in_newsletter:
    'Utkastet finns redan i ett nyhetsbrev. Ta bort det där först och avböj det sedan.',
  review_not_linked:
    'Det här kan bara redaktionen göra, och ditt konto här hör inte dit. Tidings känner igen dig på din e-postadress när den är densamma här och där.',
  review_viewer:
    'Det här kan bara redaktionen göra. En administratör för ditt team i Tidings kan lägga till dig.',
  published:
    '{count, plural, one {Din nyhet är} other {Dina nyheter är}} med i nyhetsbrevet ”{newsletter}”. Tack för att du delar med dig.',
  published_thanked: 'Du får ett tack i nyhetsbrevet ”{newsletter}”.',
  published_both:
    '{count, plural, one {Din nyhet är} other {Dina nyheter är}} med i nyhetsbrevet ”{newsletter}”, och där får du också ett tack. Tack för att du delar med dig.',
  published_yours: 'Dina nyheter',
  published_thanks: 'Tack till dig',
  published_read: 'Läs nyhetsbrevet',
  declined: 'Tack för ”{title}”. Redaktionen har valt att inte använda det den här gången.',
  messages_off: 'Stäng av de här meddelandena',
  messages_on: 'Slå på igen',
  messages_are_off: 'Du får inga fler meddelanden om dina nyheter.',
  messages_off_for_team:
    'Du vill få meddelanden om dina nyheter igen. Just nu får ingen dem: en administratör för nyhetsbrevet har stängt av dem.',
  messages_are_on: 'Du får meddelanden om dina nyheter igen.',
  submission_waiting: 'väntar på granskning',
  submission_approved: 'godkänd',
  submission_in_newsletter: 'i nästa nyhetsbrev',
  submission_published: 'publicerad',
  submission_not_used: 'inte använd den här gången, tack för att du skickade den',
  submission_deleted: 'En nyhet som inte längre är sparad',
  submissions_title: 'Vad det blev av dina nyheter',
  submissions_none:
    'Du har inte skickat några nyheter än. Skriv till exempel: {before}win Version 2 är klar',
  next_title: 'Nästa nyhetsbrev',
  next_dated:
    '”{title}” är planerat till {date} och har hittills {blocks, plural, one {# inlägg} other {# inlägg}}.',
  next_undated:
    '”{title}” förbereds och har hittills {blocks, plural, one {# inlägg} other {# inlägg}}.',
  next_none: 'Inget nyhetsbrev förbereds än.',
  status_counts:
    '{drafts, plural, =0 {Inget väntar} one {# inlägg väntar} other {# inlägg väntar}} på granskning. {approved, plural, =0 {Inget är godkänt} one {# inlägg är godkänt} other {# inlägg är godkända}} för ett nyhetsbrev.',
  write_news: 'Skriv en nyhet',
  mention_reply: 'Här kan du spara nyheter till nyhetsbrevet.',
  unread_reply:
    'Jag kunde inte läsa meddelandet, så det är inte sparat än. Formuläret innehåller det du skrev.',
  ask_win_what: 'Vad har ni uppnått? En mening räcker.',
  ask_news_what: 'Vad är nyheten? En mening räcker.',
  ask_kudos_what: 'Vad vill du tacka för?',
  ask_kudos_who: 'Vem vill du tacka?',
  ask_welcome_who: 'Vem börjar, och i vilken roll?',
  ask_mention: 'Nämn mig i ditt svar: jag läser inget annat i den här kanalen.',
  nothing_saved: 'Inget sparades.',
  prompt_question: 'Vad gick bra den här veckan?',
  prompt_text:
    'En ny kund, något som blev klart, någon att tacka: en mening räcker. Nyhetsbrevets redaktion granskar det du skriver.',
  prompts_off: 'Fråga inte här',
  prompts_off_title: 'Sluta fråga?',
  prompts_off_text:
    'I den här kanalen ställs inga fler frågor. Bara redaktionen kan stänga av dem.',
  prompts_on: 'Fråga här igen',
  prompts_stopped: 'De här frågorna är avstängda i kanalen.',
  prompts_stopped_by: '{person} har stängt av de här frågorna i kanalen.',
  reminder:
    '{question} Du har ofta nyheter till nyhetsbrevet, och det finns fortfarande tid för det här numret.',
  reminders_off: 'Inga fler påminnelser',
  reminders_on: 'Påminn mig igen',
  reminders_are_off: 'Du får inga fler påminnelser.',
  reminders_are_on: 'Du får påminnelser igen.',
  home_prompts: 'Frågor om nyheter',
  home_prompt_replies:
    '”{question}” i {channel}, {date}: {count, plural, =0 {inga svar} one {# svar} other {# svar}}',
  account_link:
    '{link} för att säga vem du är i Tidings. Länken fungerar en gång, i 15 minuter, och är bara för dig.',
  account_link_label: 'Koppla ditt konto',
  edit_title: 'Redigera utkastet',
  edit_open: 'Öppna i Tidings',
  edit_in_tidings: 'Formuläret kan inte visa hela texten, så här går det bara att ändra rubriken.',
  edit_saved: 'Din ändring är sparad.',
  edit_conflict:
    '{person} ändrade ”{title}” medan du skrev, så din text sparades inte. Det här skrev du:',
  edit_conflict_elsewhere:
    '”{title}” ändrades medan du skrev, så din text sparades inte. Det här skrev du:',
  edit_conflict_first:
    '{person} skrev också på ”{title}” när du sparade. Din version gäller, och {person} vet om det.',
  edit_reviewed:
    '”{title}” granskades medan du skrev, så din text sparades inte. Det här skrev du:',
  edit_written: 'Det här skrev du:',
  home_review: 'Väntar på din granskning',
  home_review_oldest: 'Det här är de äldsta utkasten. {link} har alla.',
  home_review_none: 'Inget utkast väntar på granskning.',
  home_welcome: 'Nyheter till nyhetsbrevet',
  command_help:
    '`/win Version 2 är klar` sparar en framgång till nyhetsbrevet.\n`/news`, `/kudos` och `/welcome` gör samma sak för nyheter, tack och nya kollegor.\nEtt kommando utan text öppnar ett formulär. För att spara ett meddelande använder du ”Add to newsletter” i dess meny.\nRedaktionen granskar det du sparar före utskicket.',
  too_long: 'Det här är för långt (mer än 64 KiB), så inget sparades.',
  elsewhere: 'Det här kommandot hör till nyhetsbrevet i en annan arbetsyta, så inget sparades.',
  undo: 'Ångra',
  undo_not_yours: 'Bara den som sparade det här kan ångra det.',
  in_library: 'Sparat till nyhetsbrevet: {link}',
  in_library_already: 'Det här är redan sparat till nyhetsbrevet: {link}',
  undone: 'Borttaget: det kommer inte med i nyhetsbrevet.',
  undone_kept:
    'Det finns redan i ett nyhetsbrev och blir därför kvar: {links}. Redaktionen kan ta bort det.',
  not_saved:
    'Det här sparades inte. Administratörerna för ert nyhetsbrev kan se varför och göra om det.',
  not_public:
    'Så här går det bara att spara meddelanden från öppna kanaler. Fråga den som skrev ett annat meddelande innan du sparar det. Skriv det sedan i formuläret.',
  not_undone: 'Det här gick inte att ångra. Administratörerna för ert nyhetsbrev kan se varför.',
  action_failed:
    'Det fungerade inte. Administratörerna för ert nyhetsbrev kan se varför och göra om det.',
  done: 'Klart.',
  form_title: 'Till nyhetsbrevet',
  form_save: 'Spara',
  form_cancel: 'Avbryt',
  form_field_title: 'Rubrik',
  form_title_missing: 'Skriv en rubrik.',
  form_title_too_long: 'Rubriken är för lång: den kan ha {max, number} tecken.',
  form_field_text: 'Text',
  form_field_kind: 'Typ',
  form_field_event: 'Evenemang',
  form_no_event: 'Inget',
  type_general: 'Nyhet',
  type_ceo_update: 'Från ledningen',
  type_team_spotlight: 'Team i fokus',
  type_new_starter: 'Ny kollega',
  type_policy_change: 'Ny policy',
  type_event_announcement: 'Evenemang',
  type_wins_milestones: 'Framgång eller milstolpe',
  type_poll: 'Omröstning',
  type_learning_development: 'Lärande och utveckling',
  form_private:
    'Varning: det här meddelandet kommer från ett privat samtal. Alla som får nyhetsbrevet kan läsa det du sparar här. Fråga den som skrev det först.',
  form_author: 'Skrivet av {author}, vars namn står vid texten.',
  form_image: 'Bilden i meddelandet sparas också.',
  form_shortened: 'Meddelandet är för långt för ett formulär: slutet har tagits bort.',
  not_opened: 'Det gick inte att öppna, så inget ändrades. Använd knappen igen.',
  form_not_opened:
    'Formuläret öppnades inte, så inget sparades. Försök igen, eller skriv din nyhet efter kommandot: `{before}win Version 2 är klar`.',
  saved: 'Sparat till nyhetsbrevet.',
  saved_link_follows: 'Sparat. Länken kommer här om en stund.',
  saved_by_reaction:
    'Sparat till nyhetsbrevet: {link}. Redaktionen granskar det först. Ta bort reaktionen inom tio minuter för att ångra.',
  nothing_written: 'Det fanns ingen text, så inget sparades.',
  elsewhere_server: 'Det här hör till nyhetsbrevet på en annan server, så inget sparades.',
  help_win: '`{before}win Version 2 är klar` sparar en framgång till nyhetsbrevet.',
  help_other:
    '`{before}news …`, `{before}kudos …` och `{before}welcome …` gör samma sak för nyheter, tack och nya kollegor.',
  help_review: 'Redaktionen granskar det du sparar före utskicket.',
  form_everyone: 'Alla som får nyhetsbrevet kan läsa det här.',
  form_written_by: 'Skrivet av {author}.',
  form_field_image: 'Bild',
  form_image_hint: 'Ta bort adressen för att utelämna bilden.',
  form_field_alt: 'Beskrivning av bilden',
  form_alt_hint: 'För den som inte kan se den.',
  tidings_help:
    '`{command}next` visar nästa nyhetsbrev, `{command}mine` vad det blev av dina nyheter och `{command}status` hur mycket som väntar på granskning.\n`{command}off` stänger av meddelanden om dina nyheter, och `{command}on` slår på dem igen. `{command}link` kopplar ditt konto här till det i Tidings.',
  tidings_help_commands: '`/win`, `/news`, `/kudos` och `/welcome` sparar något till nyhetsbrevet.',
}
