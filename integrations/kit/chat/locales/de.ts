import type { ChatTexts } from './en.ts'

export const de: ChatTexts = {
  review_title:
    '{count, plural, one {# neuer Entwurf zur Prüfung} other {# neue Entwürfe zur Prüfung}}',
  review_by: 'von {author}',
  review_private_title: 'Neuigkeit aus einer privaten Unterhaltung',
  review_private:
    'Lies sie in Tidings. Hier wird sie nicht gezeigt, weil sie nicht öffentlich gesagt wurde.',
  review_approve: 'Freigeben',
  review_edit: 'Bearbeiten',
  review_decline: 'Ablehnen',
  review_decline_title: 'Diesen Entwurf ablehnen?',
  review_decline_text:
    'Er kommt in den Papierkorb. Nur wer ihn eingereicht hat, erfährt davon, mit einem Dank. In Tidings lässt er sich einen Tag lang wiederherstellen.',
  review_cancel: 'Abbrechen',
  review_approved: 'Freigegeben von {person}',
  review_declined: 'Abgelehnt von {person}',
  review_approved_elsewhere: 'In Tidings freigegeben',
  review_declined_elsewhere: 'In Tidings entfernt',
  review_approved_before:
    '{person} hat „{title}“ kurz vor dir freigegeben, daher wurde deine Auswahl nicht übernommen.',
  review_declined_before:
    '{person} hat „{title}“ kurz vor dir abgelehnt, daher wurde deine Auswahl nicht übernommen.',
  review_approved_alike:
    '{person} hat „{title}“ kurz vor dir freigegeben, wie du es auch wolltest.',
  review_declined_alike: '{person} hat „{title}“ kurz vor dir abgelehnt, wie du es auch wolltest.',
  review_approved_elsewhere_before: '„{title}“ ist schon freigegeben, daher wurde nichts geändert.',
  review_declined_elsewhere_before: '„{title}“ wurde schon entfernt, daher wurde nichts geändert.',
  review_conflict_approve:
    '{other} wollte „{title}“ freigeben, nachdem {first} den Entwurf abgelehnt hatte. Die erste Entscheidung gilt.',
  review_conflict_decline:
    '{other} wollte „{title}“ ablehnen, nachdem {first} den Entwurf freigegeben hatte. Die erste Entscheidung gilt.',
  review_done_approved: 'Der Entwurf ist freigegeben.',
  review_done_declined:
    'Der Entwurf ist abgelehnt. In Tidings lässt er sich einen Tag lang wiederherstellen.',
  review_missing: 'Diesen Entwurf gibt es nicht mehr, daher wurde nichts geändert.',
  review_changed:
    '„{title}“ hat sich geändert, seit du es gelesen hast. Daher wurde nichts entschieden. Bitte lies den jetzigen Text und wähle noch einmal.',
  review_in_newsletter:
    'Dieser Entwurf ist schon in einem Newsletter. Entferne ihn erst dort, dann lehne ihn ab.',
  review_not_linked:
    'Das kann nur die Redaktion, und dein Konto hier gehört nicht dazu. Tidings erkennt dich an deiner E-Mail-Adresse, wenn sie hier und dort gleich ist.',
  review_viewer:
    'Das kann nur die Redaktion. Ein Admin deines Teams in Tidings kann dich aufnehmen.',
  published:
    '{count, plural, one {Dein Beitrag ist} other {Deine Beiträge sind}} im Newsletter „{newsletter}“. Danke fürs Teilen.',
  published_thanked: 'Im Newsletter „{newsletter}“ wird dir gedankt.',
  published_both:
    '{count, plural, one {Dein Beitrag ist} other {Deine Beiträge sind}} im Newsletter „{newsletter}“, und dir wird dort gedankt. Danke fürs Teilen.',
  published_yours: 'Deine Beiträge',
  published_thanks: 'Dank an dich',
  published_read: 'Newsletter lesen',
  declined: 'Danke für „{title}“. Die Redaktion hat entschieden, es diesmal nicht zu verwenden.',
  messages_off: 'Diese Nachrichten abschalten',
  messages_on: 'Wieder einschalten',
  messages_are_off: 'Du bekommst keine Nachrichten mehr zu deinen Beiträgen.',
  messages_off_for_team:
    'Du möchtest wieder Nachrichten zu deinen Beiträgen. Zurzeit bekommt niemand welche: Ein Admin eures Newsletters hat sie abgeschaltet.',
  messages_are_on: 'Du bekommst wieder Nachrichten zu deinen Beiträgen.',
  submission_waiting: 'wartet auf Prüfung',
  submission_approved: 'freigegeben',
  submission_in_newsletter: 'im nächsten Newsletter',
  submission_published: 'veröffentlicht',
  submission_not_used: 'diesmal nicht verwendet, danke fürs Einreichen',
  submission_deleted: 'Ein Beitrag, der nicht mehr gespeichert ist',
  submissions_title: 'Was aus deinen Beiträgen wurde',
  submissions_none:
    'Du hast noch nichts eingereicht. Schreib zum Beispiel: {before}win Version 2 ist fertig',
  next_title: 'Nächster Newsletter',
  next_dated:
    '„{title}“ ist für {date} geplant und hat bisher {blocks, plural, one {# Beitrag} other {# Beiträge}}.',
  next_undated:
    '„{title}“ ist in Vorbereitung und hat bisher {blocks, plural, one {# Beitrag} other {# Beiträge}}.',
  next_none: 'Noch ist kein Newsletter in Vorbereitung.',
  status_counts:
    '{drafts, plural, =0 {Nichts wartet} one {# Beitrag wartet} other {# Beiträge warten}} auf Prüfung. {approved, plural, =0 {Nichts ist} one {# Beitrag ist} other {# Beiträge sind}} für einen Newsletter freigegeben.',
  write_news: 'Beitrag schreiben',
  mention_reply: 'Hier kannst du etwas für den Newsletter speichern.',
  unread_reply:
    'Ich konnte diese Nachricht nicht lesen, sie ist daher noch nicht gespeichert. Das Formular enthält, was du geschrieben hast.',
  ask_win_what: 'Was wurde erreicht? Ein Satz genügt.',
  ask_news_what: 'Was ist die Neuigkeit? Ein Satz genügt.',
  ask_kudos_what: 'Wofür möchtest du danken?',
  ask_kudos_who: 'Wem möchtest du danken?',
  ask_welcome_who: 'Wer fängt an, und in welcher Rolle?',
  ask_mention: 'Erwähne mich in deiner Antwort: Sonst lese ich in diesem Kanal nichts.',
  nothing_saved: 'Es wurde nichts gespeichert.',
  prompt_question: 'Was ist diese Woche gut gelaufen?',
  prompt_text:
    'Ein neuer Kunde, etwas Fertiges, ein Dank an jemanden: Ein Satz genügt. Was du schreibst, prüft die Redaktion des Newsletters.',
  prompts_off: 'Hier nicht mehr fragen',
  prompts_off_title: 'Nicht mehr fragen?',
  prompts_off_text:
    'In diesem Kanal wird nicht mehr gefragt. Nur die Redaktion des Newsletters kann das abschalten.',
  prompts_on: 'Hier wieder fragen',
  prompts_stopped: 'Diese Fragen sind in diesem Kanal abgeschaltet.',
  prompts_stopped_by: '{person} hat diese Fragen in diesem Kanal abgeschaltet.',
  reminder:
    '{question} Du hast oft Neuigkeiten für den Newsletter, und für diese Ausgabe ist noch Zeit.',
  reminders_off: 'Keine Erinnerungen mehr',
  reminders_on: 'Wieder erinnern',
  reminders_are_off: 'Du wirst nicht mehr erinnert.',
  reminders_are_on: 'Du wirst wieder erinnert.',
  home_prompts: 'Fragen nach Neuigkeiten',
  home_prompt_replies:
    '„{question}“ in {channel} am {date}: {count, plural, =0 {keine Antworten} one {# Antwort} other {# Antworten}}',
  account_link:
    '{link}, um zu sagen, wer du in Tidings bist. Der Link gilt einmal, 15 Minuten lang und nur für dich.',
  account_link_label: 'Verknüpfe dein Konto',
  edit_title: 'Entwurf bearbeiten',
  edit_open: 'In Tidings öffnen',
  edit_in_tidings:
    'Dieses Formular kann nicht den ganzen Text zeigen, daher lässt sich hier nur der Titel ändern.',
  edit_saved: 'Deine Änderung ist gespeichert.',
  edit_conflict:
    '{person} hat „{title}“ geändert, während du geschrieben hast. Dein Text wurde daher nicht gespeichert. Das hast du geschrieben:',
  edit_conflict_elsewhere:
    '„{title}“ wurde geändert, während du geschrieben hast. Dein Text wurde daher nicht gespeichert. Das hast du geschrieben:',
  edit_conflict_first:
    '{person} hat auch an „{title}“ geschrieben, als du gespeichert hast. Deine Fassung gilt, und {person} weiß davon.',
  edit_reviewed:
    '„{title}“ wurde geprüft, während du geschrieben hast. Dein Text wurde daher nicht gespeichert. Das hast du geschrieben:',
  edit_written: 'Das hast du geschrieben:',
  home_review: 'Wartet auf deine Prüfung',
  home_review_oldest: 'Das sind die ältesten Entwürfe. {link} hat alle.',
  home_review_none: 'Kein Entwurf wartet auf eine Prüfung.',
  home_welcome: 'Beiträge für den Newsletter',
  command_help:
    '`/win Version 2 ist fertig` speichert einen Erfolg für den Newsletter.\n`/news`, `/kudos` und `/welcome` tun dasselbe für Neuigkeiten, Dank und neue Kolleginnen und Kollegen.\nEin Befehl ohne Text öffnet ein Formular. Eine Nachricht speicherst du über „Add to newsletter“ in ihrem Menü.\nWas du speicherst, prüft die Redaktion vor dem Versand.',
  too_long: 'Das ist zu lang (mehr als 64 KiB). Es wurde nichts gespeichert.',
  elsewhere:
    'Dieser Befehl gehört zum Newsletter eines anderen Workspaces. Es wurde nichts gespeichert.',
  undo: 'Rückgängig',
  undo_not_yours: 'Nur wer das gespeichert hat, kann es rückgängig machen.',
  in_library: 'Für den Newsletter gespeichert: {link}',
  in_library_already: 'Das ist schon für den Newsletter gespeichert: {link}',
  undone: 'Entfernt: Es kommt nicht in den Newsletter.',
  undone_kept:
    'Es ist schon in einem Newsletter und bleibt deshalb: {links}. Die Redaktion kann es entfernen.',
  not_saved:
    'Das wurde nicht gespeichert. Die Admins eures Newsletters sehen, warum, und können es wiederholen.',
  not_public:
    'So lassen sich nur Nachrichten aus öffentlichen Kanälen speichern. Bevor du eine andere Nachricht speicherst, frag die Person, die sie geschrieben hat. Schreib sie dann in das Formular.',
  not_undone: 'Das ließ sich nicht rückgängig machen. Die Admins eures Newsletters sehen, warum.',
  action_failed:
    'Das hat nicht funktioniert. Die Admins eures Newsletters sehen, warum, und können es wiederholen.',
  done: 'Erledigt.',
  form_title: 'Für den Newsletter',
  form_save: 'Speichern',
  form_cancel: 'Abbrechen',
  form_field_title: 'Titel',
  form_title_missing: 'Schreib einen Titel.',
  form_title_too_long: 'Der Titel ist zu lang: Er kann {max, number} Zeichen haben.',
  form_field_text: 'Text',
  form_field_kind: 'Art',
  form_field_event: 'Termin',
  form_no_event: 'Keiner',
  type_general: 'Neuigkeiten',
  type_ceo_update: 'Von der Geschäftsführung',
  type_team_spotlight: 'Team im Fokus',
  type_new_starter: 'Neu im Team',
  type_policy_change: 'Neue Regelung',
  type_event_announcement: 'Termin',
  type_wins_milestones: 'Erfolg oder Meilenstein',
  type_poll: 'Umfrage',
  type_learning_development: 'Weiterbildung',
  form_private:
    'Achtung: Diese Nachricht stammt aus einer privaten Unterhaltung. Was du hier speicherst, können alle lesen, die den Newsletter bekommen. Frag vorher die Person, die sie geschrieben hat.',
  form_author: 'Geschrieben von {author}; der Name steht beim Beitrag.',
  form_image: 'Das Bild der Nachricht wird mit gespeichert.',
  form_shortened: 'Die Nachricht ist zu lang für ein Formular: Ihr Ende wurde entfernt.',
  not_opened:
    'Das ließ sich nicht öffnen, deshalb wurde nichts geändert. Bitte benutze die Schaltfläche noch einmal.',
  form_not_opened:
    'Das Formular hat sich nicht geöffnet, also wurde nichts gespeichert. Versuch es noch einmal, oder schreib deinen Beitrag hinter den Befehl: `{before}win Version 2 ist fertig`.',
  saved: 'Für den Newsletter gespeichert.',
  saved_link_follows: 'Gespeichert. Der Link dazu folgt gleich hier.',
  saved_by_reaction:
    'Für den Newsletter gespeichert: {link}. Die Redaktion prüft es zuerst. Entferne die Reaktion innerhalb von zehn Minuten, um das rückgängig zu machen.',
  nothing_written: 'Es war kein Text da. Es wurde nichts gespeichert.',
  elsewhere_server: 'Das gehört zum Newsletter eines anderen Servers. Es wurde nichts gespeichert.',
  help_win: '`{before}win Version 2 ist fertig` speichert einen Erfolg für den Newsletter.',
  help_other:
    '`{before}news …`, `{before}kudos …` und `{before}welcome …` tun dasselbe für Neuigkeiten, Dank und neue Kolleginnen und Kollegen.',
  help_review: 'Was du speicherst, prüft die Redaktion vor dem Versand.',
  form_everyone: 'Das können alle lesen, die den Newsletter bekommen.',
  form_written_by: 'Geschrieben von {author}.',
  form_field_image: 'Bild',
  form_image_hint: 'Lösche die Adresse, um das Bild wegzulassen.',
  form_field_alt: 'Beschreibung des Bildes',
  form_alt_hint: 'Für alle, die es nicht sehen können.',
  tidings_help:
    '`{command}next` zeigt den nächsten Newsletter, `{command}mine`, was aus deinen Beiträgen wurde, und `{command}status`, wie viel auf Prüfung wartet.\n`{command}off` schaltet Nachrichten zu deinen Beiträgen ab, `{command}on` wieder ein. `{command}link` verknüpft dein Konto hier mit dem in Tidings.',
  tidings_help_commands:
    '`/win`, `/news`, `/kudos` und `/welcome` speichern etwas für den Newsletter.',
}
