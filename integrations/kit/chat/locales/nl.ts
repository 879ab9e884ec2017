import type { ChatTexts } from './en.ts'

export const nl: ChatTexts = {
  review_title:
    '{count, plural, one {# nieuw concept om te beoordelen} other {# nieuwe concepten om te beoordelen}}',
  review_by: 'van {author}',
  review_private_title: 'Nieuws uit een privégesprek',
  review_private:
    'Lees het in Tidings. Het wordt hier niet getoond, omdat het niet openbaar is gezegd.',
  review_approve: 'Goedkeuren',
  review_edit: 'Bewerken',
  review_decline: 'Afwijzen',
  review_decline_title: 'Dit concept afwijzen?',
  review_decline_text:
    'Het gaat naar de prullenbak. Alleen wie het heeft gestuurd hoort hiervan, met dank. Je kunt het een dag lang in Tidings terugzetten.',
  review_cancel: 'Annuleren',
  review_approved: 'Goedgekeurd door {person}',
  review_declined: 'Afgewezen door {person}',
  review_approved_elsewhere: 'Goedgekeurd in Tidings',
  review_declined_elsewhere: 'Verwijderd in Tidings',
  review_approved_before:
    '{person} heeft ‘{title}’ net voor jou goedgekeurd, dus je keuze is niet toegepast.',
  review_declined_before:
    '{person} heeft ‘{title}’ net voor jou afgewezen, dus je keuze is niet toegepast.',
  review_approved_alike: '{person} heeft ‘{title}’ net voor jou goedgekeurd, zoals jij ook koos.',
  review_declined_alike: '{person} heeft ‘{title}’ net voor jou afgewezen, zoals jij ook koos.',
  review_approved_elsewhere_before: '‘{title}’ is al goedgekeurd, dus er is niets gewijzigd.',
  review_declined_elsewhere_before: '‘{title}’ is al verwijderd, dus er is niets gewijzigd.',
  review_conflict_approve:
    '{other} wilde ‘{title}’ goedkeuren nadat {first} het had afgewezen. De eerste keuze telt.',
  review_conflict_decline:
    '{other} wilde ‘{title}’ afwijzen nadat {first} het had goedgekeurd. De eerste keuze telt.',
  review_done_approved: 'Het concept is goedgekeurd.',
  review_done_declined:
    'Het concept is afgewezen. Je kunt het een dag lang in Tidings terugzetten.',
  review_missing: 'Dit concept bestaat niet meer, dus er is niets gewijzigd.',
  review_changed:
    '‘{title}’ is gewijzigd sinds je het las, dus er is niets besloten. Lees de huidige tekst en kies opnieuw.',
  review_in_newsletter:
    'Dit concept staat al in een nieuwsbrief. Verwijder het daar eerst en wijs het dan af.',
  review_not_linked:
    'Dit kan alleen de redactie van de nieuwsbrief, en je account hier hoort daar niet bij. Tidings herkent je aan je e-mailadres als dat hier en daar hetzelfde is.',
  review_viewer:
    'Dit kan alleen de redactie van de nieuwsbrief. Een beheerder van je team in Tidings kan je toevoegen.',
  published: 'Je nieuws staat in de nieuwsbrief ‘{newsletter}’. Bedankt voor het delen.',
  published_thanked: 'In de nieuwsbrief ‘{newsletter}’ word je bedankt.',
  published_both:
    'Je nieuws staat in de nieuwsbrief ‘{newsletter}’, en je wordt daar bedankt. Bedankt voor het delen.',
  published_yours: 'Je nieuws',
  published_thanks: 'Dank aan jou',
  published_read: 'Nieuwsbrief lezen',
  declined: 'Bedankt voor ‘{title}’. De redactie heeft besloten het deze keer niet te gebruiken.',
  messages_off: 'Deze berichten uitzetten',
  messages_on: 'Weer aanzetten',
  messages_are_off: 'Je krijgt geen berichten meer over je nieuws.',
  messages_off_for_team:
    'Je wilt weer berichten over je nieuws. Op dit moment krijgt niemand ze: een beheerder van je nieuwsbrief heeft ze uitgeschakeld.',
  messages_are_on: 'Je krijgt weer berichten over je nieuws.',
  submission_waiting: 'wacht op beoordeling',
  submission_approved: 'goedgekeurd',
  submission_in_newsletter: 'in de volgende nieuwsbrief',
  submission_published: 'gepubliceerd',
  submission_not_used: 'deze keer niet gebruikt, bedankt voor het insturen',
  submission_deleted: 'Nieuws dat niet meer bewaard is',
  submissions_title: 'Wat er van je nieuws geworden is',
  submissions_none:
    'Je hebt nog geen nieuws gestuurd. Schrijf bijvoorbeeld: {before}win Versie 2 is klaar',
  next_title: 'Volgende nieuwsbrief',
  next_dated:
    '‘{title}’ staat gepland voor {date} en heeft tot nu toe {blocks, plural, one {# item} other {# items}}.',
  next_undated:
    '‘{title}’ is in voorbereiding en heeft tot nu toe {blocks, plural, one {# item} other {# items}}.',
  next_none: 'Er is nog geen nieuwsbrief in voorbereiding.',
  status_counts:
    '{drafts, plural, =0 {Niets wacht} one {# item wacht} other {# items wachten}} op beoordeling. {approved, plural, =0 {Niets is} one {# item is} other {# items zijn}} goedgekeurd voor een nieuwsbrief.',
  write_news: 'Nieuws schrijven',
  mention_reply: 'Hier kun je nieuws voor de nieuwsbrief bewaren.',
  unread_reply:
    'Ik kon dit bericht niet lezen, dus het is nog niet bewaard. Het formulier bevat wat je hebt geschreven.',
  ask_win_what: 'Wat is er bereikt? Eén zin is genoeg.',
  ask_news_what: 'Wat is het nieuws? Eén zin is genoeg.',
  ask_kudos_what: 'Waarvoor wil je bedanken?',
  ask_kudos_who: 'Wie wil je bedanken?',
  ask_welcome_who: 'Wie begint er, en in welke functie?',
  ask_mention: 'Noem mij in je antwoord: verder lees ik niets in dit kanaal.',
  nothing_saved: 'Er is niets bewaard.',
  prompt_question: 'Wat ging er deze week goed?',
  prompt_text:
    'Een nieuwe klant, iets dat af is, iemand om te bedanken: één zin is genoeg. De redactie van de nieuwsbrief bekijkt wat je schrijft.',
  prompts_off: 'Hier niet meer vragen',
  prompts_off_title: 'Niet meer vragen?',
  prompts_off_text:
    'In dit kanaal worden geen vragen meer geplaatst. Alleen de redactie van de nieuwsbrief kan ze stoppen.',
  prompts_on: 'Hier weer vragen',
  prompts_stopped: 'Deze vragen staan in dit kanaal uit.',
  prompts_stopped_by: '{person} heeft deze vragen in dit kanaal uitgezet.',
  reminder:
    '{question} Je hebt vaak nieuws voor de nieuwsbrief, en voor dit nummer is er nog tijd.',
  reminders_off: 'Geen herinneringen meer',
  reminders_on: 'Herinner me weer',
  reminders_are_off: 'Je krijgt geen herinneringen meer.',
  reminders_are_on: 'Je krijgt weer herinneringen.',
  home_prompts: 'Vragen om nieuws',
  home_prompt_replies:
    '‘{question}’ in {channel}, {date}: {count, plural, =0 {geen antwoorden} one {# antwoord} other {# antwoorden}}',
  account_link:
    '{link} om te zeggen wie je in Tidings bent. De link werkt één keer, 15 minuten lang, en is alleen voor jou.',
  account_link_label: 'Koppel je account',
  edit_title: 'Concept bewerken',
  edit_open: 'Openen in Tidings',
  edit_in_tidings:
    'Dit formulier kan niet de hele tekst tonen, dus hier kan alleen de titel worden gewijzigd.',
  edit_saved: 'Je wijziging is bewaard.',
  edit_conflict:
    '{person} heeft ‘{title}’ gewijzigd terwijl je schreef, dus je tekst is niet bewaard. Dit heb je geschreven:',
  edit_conflict_elsewhere:
    '‘{title}’ is gewijzigd terwijl je schreef, dus je tekst is niet bewaard. Dit heb je geschreven:',
  edit_conflict_first:
    '{person} schreef ook aan ‘{title}’ toen je bewaarde. Jouw versie telt, en {person} weet dat.',
  edit_reviewed:
    '‘{title}’ is beoordeeld terwijl je schreef, dus je tekst is niet bewaard. Dit heb je geschreven:',
  edit_written: 'Dit heb je geschreven:',
  home_review: 'Wacht op jouw beoordeling',
  home_review_oldest: 'Dit zijn de oudste concepten. {link} heeft ze allemaal.',
  home_review_none: 'Er wacht geen concept op beoordeling.',
  home_welcome: 'Nieuws voor de nieuwsbrief',
  command_help:
    '`/win Versie 2 is klaar` bewaart een succes voor de nieuwsbrief.\n`/news`, `/kudos` en `/welcome` doen hetzelfde voor nieuws, dank en nieuwe collega’s.\nEen opdracht zonder tekst opent een formulier. Een bericht bewaar je met ‘Add to newsletter’ in het menu ervan.\nDe redactie beoordeelt wat je bewaart voor verzending.',
  too_long: 'Dit is te lang (meer dan 64 KiB), dus er is niets bewaard.',
  elsewhere:
    'Deze opdracht hoort bij de nieuwsbrief van een andere werkruimte, dus er is niets bewaard.',
  undo: 'Ongedaan maken',
  undo_not_yours: 'Alleen wie dit heeft bewaard, kan het ongedaan maken.',
  in_library: 'Bewaard voor de nieuwsbrief: {link}',
  in_library_already: 'Dit is al bewaard voor de nieuwsbrief: {link}',
  undone: 'Verwijderd: het komt niet in de nieuwsbrief.',
  undone_kept:
    'Het staat al in een nieuwsbrief en blijft dus: {links}. De redactie kan het verwijderen.',
  not_saved:
    'Dit is niet bewaard. De beheerders van je nieuwsbrief kunnen zien waarom en het herhalen.',
  not_public:
    'Zo kun je alleen berichten uit openbare kanalen bewaren. Vraag het eerst aan de schrijver voordat je een ander bericht bewaart. Schrijf het daarna in het formulier.',
  not_undone:
    'Dit kon niet ongedaan worden gemaakt. De beheerders van je nieuwsbrief kunnen zien waarom.',
  action_failed:
    'Dit is niet gelukt. De beheerders van je nieuwsbrief kunnen zien waarom en het herhalen.',
  done: 'Gedaan.',
  form_title: 'Voor de nieuwsbrief',
  form_save: 'Bewaren',
  form_cancel: 'Annuleren',
  form_field_title: 'Titel',
  form_title_missing: 'Schrijf een titel.',
  form_title_too_long: 'De titel is te lang: die mag {max, number} tekens hebben.',
  form_field_text: 'Tekst',
  form_field_kind: 'Soort',
  form_field_event: 'Evenement',
  form_no_event: 'Geen',
  type_general: 'Nieuws',
  type_ceo_update: 'Van de directie',
  type_team_spotlight: 'Team in de schijnwerpers',
  type_new_starter: 'Nieuwe collega',
  type_policy_change: 'Nieuwe regeling',
  type_event_announcement: 'Evenement',
  type_wins_milestones: 'Succes of mijlpaal',
  type_poll: 'Peiling',
  type_learning_development: 'Leren en ontwikkelen',
  form_private:
    'Let op: dit bericht komt uit een privégesprek. Iedereen die de nieuwsbrief krijgt, kan lezen wat je hier bewaart. Vraag het eerst aan de schrijver.',
  form_author: 'Geschreven door {author}; de naam komt bij de tekst te staan.',
  form_image: 'De afbeelding van het bericht wordt ook bewaard.',
  form_shortened: 'Het bericht is te lang voor een formulier: het einde is weggelaten.',
  not_opened: 'Dit ging niet open, dus er is niets gewijzigd. Gebruik de knop opnieuw.',
  form_not_opened:
    'Het formulier ging niet open, dus er is niets bewaard. Probeer het opnieuw, of schrijf je nieuws achter de opdracht: `{before}win Versie 2 is klaar`.',
  saved: 'Bewaard voor de nieuwsbrief.',
  saved_link_follows: 'Bewaard. De link volgt hier zo.',
  saved_by_reaction:
    'Bewaard voor de nieuwsbrief: {link}. De redactie beoordeelt het eerst. Haal de reactie binnen tien minuten weg om dit ongedaan te maken.',
  nothing_written: 'Er was geen tekst, dus er is niets bewaard.',
  elsewhere_server: 'Dit hoort bij de nieuwsbrief van een andere server, dus er is niets bewaard.',
  help_win: '`{before}win Versie 2 is klaar` bewaart een succes voor de nieuwsbrief.',
  help_other:
    '`{before}news …`, `{before}kudos …` en `{before}welcome …` doen hetzelfde voor nieuws, dank en nieuwe collega’s.',
  help_review: 'De redactie beoordeelt wat je bewaart voor verzending.',
  form_everyone: 'Iedereen die de nieuwsbrief krijgt, kan dit lezen.',
  form_written_by: 'Geschreven door {author}.',
  form_field_image: 'Afbeelding',
  form_image_hint: 'Wis het adres om de afbeelding weg te laten.',
  form_field_alt: 'Beschrijving van de afbeelding',
  form_alt_hint: 'Voor wie de afbeelding niet kan zien.',
  tidings_help:
    '`{command}next` toont de volgende nieuwsbrief, `{command}mine` wat er van je nieuws geworden is, en `{command}status` hoeveel er op beoordeling wacht.\n`{command}off` zet berichten over je nieuws uit, en `{command}on` weer aan. `{command}link` koppelt je account hier aan dat in Tidings.',
  tidings_help_commands:
    '`/win`, `/news`, `/kudos` en `/welcome` bewaren iets voor de nieuwsbrief.',
}
