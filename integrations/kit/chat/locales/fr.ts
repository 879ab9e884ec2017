import type { ChatTexts } from './en.ts'

export const fr: ChatTexts = {
  review_title:
    '{count, plural, one {# nouveau brouillon à relire} other {# nouveaux brouillons à relire}}',
  review_by: 'de {author}',
  review_private_title: 'Une nouvelle issue d’une conversation privée',
  review_private:
    'Lisez-la dans Tidings. Elle n’est pas affichée ici, car elle n’a pas été dite en public.',
  review_approve: 'Approuver',
  review_edit: 'Modifier',
  review_decline: 'Refuser',
  review_decline_title: 'Refuser ce brouillon ?',
  review_decline_text:
    'Il sera mis à la corbeille. Seule la personne qui l’a envoyé en est informée, avec un remerciement. Il peut être restauré dans Tidings pendant un jour.',
  review_cancel: 'Annuler',
  review_approved: 'Approuvé par {person}',
  review_declined: 'Refusé par {person}',
  review_approved_elsewhere: 'Approuvé dans Tidings',
  review_declined_elsewhere: 'Retiré dans Tidings',
  review_approved_before:
    '{person} a approuvé « {title} » juste avant vous : votre choix n’a pas été appliqué.',
  review_declined_before:
    '{person} a refusé « {title} » juste avant vous : votre choix n’a pas été appliqué.',
  review_approved_alike:
    '{person} a approuvé « {title} » juste avant vous, comme vous le souhaitiez.',
  review_declined_alike:
    '{person} a refusé « {title} » juste avant vous, comme vous le souhaitiez.',
  review_approved_elsewhere_before: '« {title} » est déjà approuvé : rien n’a été modifié.',
  review_declined_elsewhere_before: '« {title} » a déjà été retiré : rien n’a été modifié.',
  review_conflict_approve:
    '{other} a choisi d’approuver « {title} » après le refus de {first}. Le premier choix compte.',
  review_conflict_decline:
    '{other} a choisi de refuser « {title} » après l’approbation de {first}. Le premier choix compte.',
  review_done_approved: 'Le brouillon est approuvé.',
  review_done_declined:
    'Le brouillon est refusé. Il peut être restauré dans Tidings pendant un jour.',
  review_missing: 'Ce brouillon n’existe plus : rien n’a été modifié.',
  review_changed:
    '« {title} » a changé depuis que vous l’avez lu : rien n’a été décidé. Lisez le texte actuel, puis choisissez à nouveau.',
  review_in_newsletter:
    'Ce brouillon figure déjà dans une newsletter. Retirez-le d’abord de celle-ci, puis refusez-le.',
  review_not_linked:
    'Seule la rédaction de la newsletter peut faire cela, et votre compte ici n’en fait pas partie. Tidings vous reconnaît à votre adresse e-mail si elle est la même ici et là-bas.',
  review_viewer:
    'Seule la rédaction de la newsletter peut faire cela. Un administrateur de votre équipe dans Tidings peut vous y ajouter.',
  published:
    '{count, plural, one {Votre nouvelle figure dans la newsletter « {newsletter} ». Merci de l’avoir partagée.} other {Vos nouvelles figurent dans la newsletter « {newsletter} ». Merci de les avoir partagées.}}',
  published_thanked: 'On vous remercie dans la newsletter « {newsletter} ».',
  published_both:
    '{count, plural, one {Votre nouvelle figure dans la newsletter « {newsletter} », et on vous y remercie. Merci de l’avoir partagée.} other {Vos nouvelles figurent dans la newsletter « {newsletter} », et on vous y remercie. Merci de les avoir partagées.}}',
  published_yours: 'Vos nouvelles',
  published_thanks: 'Des remerciements pour vous',
  published_read: 'Lire la newsletter',
  declined:
    'Merci d’avoir envoyé « {title} ». La rédaction a décidé de ne pas l’utiliser cette fois-ci.',
  messages_off: 'Désactiver ces messages',
  messages_on: 'Réactiver',
  messages_are_off: 'Vous ne recevez plus de messages au sujet de vos nouvelles.',
  messages_off_for_team:
    'Vous souhaitez de nouveau des messages au sujet de vos nouvelles. Pour l’instant, personne n’en reçoit : l’administration de votre newsletter les a désactivés.',
  messages_are_on: 'Vous recevez de nouveau des messages au sujet de vos nouvelles.',
  submission_waiting: 'en attente de relecture',
  submission_approved: 'approuvée',
  submission_in_newsletter: 'dans la prochaine newsletter',
  submission_published: 'publiée',
  submission_not_used: 'non utilisée cette fois-ci, merci de l’avoir envoyée',
  submission_deleted: 'Une nouvelle qui n’est plus conservée',
  submissions_title: 'Ce que sont devenues vos nouvelles',
  submissions_none:
    'Vous n’avez encore rien envoyé. Écrivez, par exemple : {before}win La version 2 est disponible',
  next_title: 'Prochaine newsletter',
  next_dated:
    '« {title} » est prévue pour le {date}. Elle contient pour l’instant {blocks, plural, =0 {aucun élément} one {# élément} other {# éléments}}.',
  next_undated:
    '« {title} » est en préparation. Elle contient pour l’instant {blocks, plural, =0 {aucun élément} one {# élément} other {# éléments}}.',
  next_none: 'Aucune newsletter n’est encore en préparation.',
  status_counts:
    '{drafts, plural, =0 {Rien n’attend} one {# élément attend} other {# éléments attendent}} une relecture. {approved, plural, =0 {Rien n’est approuvé} one {# élément est approuvé} other {# éléments sont approuvés}} pour une newsletter.',
  write_news: 'Écrire une nouvelle',
  mention_reply: 'Vous pouvez enregistrer ici une nouvelle pour la newsletter.',
  unread_reply:
    'Je n’ai pas pu lire ce message : il n’est pas encore enregistré. Le formulaire contient ce que vous avez écrit.',
  ask_win_what: 'Qu’est-ce qui a été réussi ? Une phrase suffit.',
  ask_news_what: 'Quelle est la nouvelle ? Une phrase suffit.',
  ask_kudos_what: 'Pour quoi souhaitez-vous remercier ?',
  ask_kudos_who: 'Qui souhaitez-vous remercier ?',
  ask_welcome_who: 'Qui commence, et à quel poste ?',
  ask_mention: 'Mentionnez-moi dans votre réponse : je ne lis rien d’autre dans ce canal.',
  nothing_saved: 'Rien n’a été enregistré.',
  prompt_question: 'Qu’est-ce qui a bien marché cette semaine ?',
  prompt_text:
    'Un client gagné, un projet livré, quelqu’un à remercier : une phrase suffit. La rédaction de la newsletter relit ce que vous écrivez.',
  prompts_off: 'Ne plus demander ici',
  prompts_off_title: 'Ne plus demander ?',
  prompts_off_text:
    'Plus aucune question ne sera publiée dans ce canal. Seule la rédaction de la newsletter peut les arrêter.',
  prompts_on: 'Demander de nouveau ici',
  prompts_stopped: 'Ces questions sont désactivées dans ce canal.',
  prompts_stopped_by: '{person} a désactivé ces questions dans ce canal.',
  reminder:
    '{question} Vous avez souvent des nouvelles pour la newsletter, et il est encore temps pour ce numéro.',
  reminders_off: 'Ne plus me le rappeler',
  reminders_on: 'Me le rappeler de nouveau',
  reminders_are_off: 'Vous ne recevez plus de rappels.',
  reminders_are_on: 'Vous recevez de nouveau des rappels.',
  home_prompts: 'Questions posées',
  home_prompt_replies:
    '« {question} » dans {channel}, {date} : {count, plural, =0 {aucune réponse} one {# réponse} other {# réponses}}',
  account_link:
    '{link} pour indiquer qui vous êtes dans Tidings. Le lien fonctionne une fois, pendant 15 minutes, et n’est destiné qu’à vous.',
  account_link_label: 'Associez votre compte',
  edit_title: 'Modifier le brouillon',
  edit_open: 'Ouvrir dans Tidings',
  edit_in_tidings:
    'Ce formulaire ne peut pas afficher tout le texte : seul le titre peut être modifié ici.',
  edit_saved: 'Votre modification est enregistrée.',
  edit_conflict:
    '{person} a modifié « {title} » pendant que vous écriviez : votre texte n’a pas été enregistré. Voici ce que vous avez écrit :',
  edit_conflict_elsewhere:
    '« {title} » a été modifié pendant que vous écriviez : votre texte n’a pas été enregistré. Voici ce que vous avez écrit :',
  edit_conflict_first:
    '{person} modifiait aussi « {title} » quand vous avez enregistré. Votre version compte, et {person} le sait.',
  edit_reviewed:
    '« {title} » a été relu pendant que vous écriviez : votre texte n’a pas été enregistré. Voici ce que vous avez écrit :',
  edit_written: 'Voici ce que vous avez écrit :',
  home_review: 'En attente de votre relecture',
  home_review_oldest: 'Ce sont les brouillons les plus anciens. {link} les contient tous.',
  home_review_none: 'Aucun brouillon n’attend de relecture.',
  home_welcome: 'Des nouvelles pour la newsletter',
  command_help:
    '`/win La version 2 est disponible` enregistre un succès pour la newsletter.\n`/news`, `/kudos` et `/welcome` font de même pour les nouvelles, les remerciements et les nouveaux collègues.\nUne commande sans texte ouvre un formulaire. Pour enregistrer un message, utilisez « Add to newsletter » dans son menu.\nLa rédaction relit ce que vous enregistrez avant l’envoi.',
  too_long: 'C’est trop long (plus de 64 Kio) : rien n’a été enregistré.',
  elsewhere:
    'Cette commande appartient à la newsletter d’un autre espace de travail : rien n’a été enregistré.',
  undo: 'Annuler l’envoi',
  undo_not_yours: 'Seule la personne qui l’a enregistré peut l’annuler.',
  in_library: 'Enregistré pour la newsletter : {link}',
  in_library_already: 'C’est déjà enregistré pour la newsletter : {link}',
  undone: 'Retiré : ce ne sera pas dans la newsletter.',
  undone_kept:
    'C’est déjà dans une newsletter et y reste donc : {links}. Sa rédaction peut le retirer.',
  not_saved:
    'Ceci n’a pas été enregistré. Les administrateurs de votre newsletter peuvent voir pourquoi et réessayer.',
  not_public:
    'Seuls les messages des canaux publics peuvent être enregistrés ainsi. Avant d’enregistrer un autre message, demandez à son auteur. Écrivez-le ensuite dans le formulaire.',
  not_undone:
    'L’annulation n’a pas fonctionné. Les administrateurs de votre newsletter peuvent voir pourquoi.',
  action_failed:
    'Cela n’a pas fonctionné. Les administrateurs de votre newsletter peuvent voir pourquoi et réessayer.',
  done: 'C’est fait.',
  form_title: 'Pour la newsletter',
  form_save: 'Enregistrer',
  form_cancel: 'Annuler',
  form_field_title: 'Titre',
  form_title_missing: 'Écrivez un titre.',
  form_title_too_long: 'Le titre est trop long : il peut contenir {max, number} caractères.',
  form_field_text: 'Texte',
  form_field_kind: 'Type',
  form_field_event: 'Événement',
  form_no_event: 'Aucun',
  type_general: 'Nouvelle',
  type_ceo_update: 'Le mot de la direction',
  type_team_spotlight: 'Coup de projecteur sur une équipe',
  type_new_starter: 'Nouvelle recrue',
  type_policy_change: 'Nouvelle règle',
  type_event_announcement: 'Événement',
  type_wins_milestones: 'Succès ou étape clé',
  type_poll: 'Sondage',
  type_learning_development: 'Formation',
  form_private:
    'Attention : ce message vient d’une conversation privée. Toutes les personnes qui reçoivent la newsletter pourront lire ce que vous enregistrez ici. Demandez d’abord à son auteur.',
  form_author: 'Écrit par {author}, dont le nom figurera avec le texte.',
  form_image: 'L’image du message est enregistrée aussi.',
  form_shortened: 'Le message est trop long pour un formulaire : sa fin a été retirée.',
  not_opened: 'Cela ne s’est pas ouvert, donc rien n’a été modifié. Utilisez le bouton à nouveau.',
  form_not_opened:
    'Le formulaire ne s’est pas ouvert : rien n’a été enregistré. Réessayez, ou écrivez votre nouvelle après la commande : `{before}win La version 2 est disponible`.',
  saved: 'Enregistré pour la newsletter.',
  saved_link_follows: 'Enregistré. Le lien suivra ici dans un instant.',
  saved_by_reaction:
    'Enregistré pour la newsletter : {link}. La rédaction le relit d’abord. Retirez la réaction dans les dix minutes pour annuler.',
  nothing_written: 'Il n’y avait pas de texte : rien n’a été enregistré.',
  elsewhere_server: 'Ceci appartient à la newsletter d’un autre serveur : rien n’a été enregistré.',
  help_win: '`{before}win La version 2 est disponible` enregistre un succès pour la newsletter.',
  help_other:
    '`{before}news …`, `{before}kudos …` et `{before}welcome …` font de même pour les nouvelles, les remerciements et les nouveaux collègues.',
  help_review: 'La rédaction relit ce que vous enregistrez avant l’envoi.',
  form_everyone: 'Toutes les personnes qui reçoivent la newsletter peuvent lire ceci.',
  form_written_by: 'Écrit par {author}.',
  form_field_image: 'Image',
  form_image_hint: 'Supprimez l’adresse pour ne pas inclure l’image.',
  form_field_alt: 'Description de l’image',
  form_alt_hint: 'Pour les personnes qui ne peuvent pas la voir.',
  tidings_help:
    '`{command}next` montre la prochaine newsletter, `{command}mine` ce que sont devenues vos nouvelles, et `{command}status` combien attendent une relecture.\n`{command}off` arrête les messages au sujet de vos nouvelles, et `{command}on` les reprend. `{command}link` associe votre compte ici à celui de Tidings.',
  tidings_help_commands:
    '`/win`, `/news`, `/kudos` et `/welcome` enregistrent quelque chose pour la newsletter.',
}
