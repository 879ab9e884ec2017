import type { ChatTexts } from './en.ts'

export const es: ChatTexts = {
  review_title:
    '{count, plural, one {# borrador nuevo por revisar} other {# borradores nuevos por revisar}}',
  review_by: 'de {author}',
  review_private_title: 'Una noticia de una conversación privada',
  review_private: 'Léela en Tidings. No se muestra aquí porque no se dijo en público.',
  review_approve: 'Aprobar',
  review_edit: 'Editar',
  review_decline: 'Rechazar',
  review_decline_title: '¿Rechazar este borrador?',
  review_decline_text:
    'Irá a la papelera. Solo lo sabrá la persona que lo envió, con un agradecimiento. Se puede restaurar en Tidings durante un día.',
  review_cancel: 'Cancelar',
  review_approved: 'Aprobado por {person}',
  review_declined: 'Rechazado por {person}',
  review_approved_elsewhere: 'Aprobado en Tidings',
  review_declined_elsewhere: 'Eliminado en Tidings',
  review_approved_before:
    '{person} aprobó «{title}» justo antes que tú, así que tu decisión no se aplicó.',
  review_declined_before:
    '{person} rechazó «{title}» justo antes que tú, así que tu decisión no se aplicó.',
  review_approved_alike: '{person} aprobó «{title}» justo antes que tú, como también elegiste.',
  review_declined_alike: '{person} rechazó «{title}» justo antes que tú, como también elegiste.',
  review_approved_elsewhere_before: '«{title}» ya está aprobado, así que no se cambió nada.',
  review_declined_elsewhere_before: '«{title}» ya se había eliminado, así que no se cambió nada.',
  review_conflict_approve:
    '{other} quiso aprobar «{title}» después de que {first} lo rechazara. Vale la primera decisión.',
  review_conflict_decline:
    '{other} quiso rechazar «{title}» después de que {first} lo aprobara. Vale la primera decisión.',
  review_done_approved: 'El borrador está aprobado.',
  review_done_declined: 'El borrador está rechazado. Se puede restaurar en Tidings durante un día.',
  review_missing: 'Este borrador ya no existe, así que no se cambió nada.',
  review_changed:
    '«{title}» ha cambiado desde que lo leíste, así que no se decidió nada. Lee el texto actual y elige de nuevo.',
  review_in_newsletter:
    'Este borrador ya está en un boletín. Quítalo primero de allí y después recházalo.',
  review_not_linked:
    'Esto solo puede hacerlo la redacción del boletín, y tu cuenta de aquí no forma parte de ella. Tidings te reconoce por tu dirección de correo si es la misma aquí y allí.',
  review_viewer:
    'Esto solo puede hacerlo la redacción del boletín. Un administrador de tu equipo en Tidings puede incluirte.',
  published:
    '{count, plural, one {Tu noticia está} other {Tus noticias están}} en el boletín «{newsletter}». Gracias por compartir.',
  published_thanked: 'En el boletín «{newsletter}» te dan las gracias.',
  published_both:
    '{count, plural, one {Tu noticia está} other {Tus noticias están}} en el boletín «{newsletter}» y allí te dan las gracias. Gracias por compartir.',
  published_yours: 'Tus noticias',
  published_thanks: 'Agradecimientos para ti',
  published_read: 'Leer el boletín',
  declined: 'Gracias por enviar «{title}». La redacción ha decidido no usarlo esta vez.',
  messages_off: 'Desactivar estos mensajes',
  messages_on: 'Volver a activar',
  messages_are_off: 'Ya no recibirás mensajes sobre tus noticias.',
  messages_off_for_team:
    'Quieres volver a recibir mensajes sobre tus noticias. Ahora mismo nadie los recibe: la administración de tu boletín los ha desactivado.',
  messages_are_on: 'Vuelves a recibir mensajes sobre tus noticias.',
  submission_waiting: 'pendiente de revisión',
  submission_approved: 'aprobada',
  submission_in_newsletter: 'en el próximo boletín',
  submission_published: 'publicada',
  submission_not_used: 'no se ha usado esta vez, gracias por enviarla',
  submission_deleted: 'Una noticia que ya no está guardada',
  submissions_title: 'Qué ha sido de tus noticias',
  submissions_none:
    'Todavía no has enviado noticias. Escribe, por ejemplo: {before}win Ya está lista la versión 2',
  next_title: 'Próximo boletín',
  next_dated:
    '«{title}» está previsto para el {date}. De momento tiene {blocks, plural, one {# contenido} other {# contenidos}}.',
  next_undated:
    '«{title}» está en preparación. De momento tiene {blocks, plural, one {# contenido} other {# contenidos}}.',
  next_none: 'Todavía no hay ningún boletín en preparación.',
  status_counts:
    '{drafts, plural, =0 {No hay contenidos pendientes} one {Hay # contenido pendiente} other {Hay # contenidos pendientes}} de revisión. {approved, plural, =0 {No hay contenidos aprobados} one {Hay # contenido aprobado} other {Hay # contenidos aprobados}} para un boletín.',
  write_news: 'Escribir una noticia',
  mention_reply: 'Aquí puedes guardar noticias para el boletín.',
  unread_reply:
    'No pude leer este mensaje, así que aún no está guardado. El formulario contiene lo que escribiste.',
  ask_win_what: '¿Qué se ha logrado? Basta una frase.',
  ask_news_what: '¿Cuál es la noticia? Basta una frase.',
  ask_kudos_what: '¿Por qué quieres dar las gracias?',
  ask_kudos_who: '¿A quién quieres dar las gracias?',
  ask_welcome_who: '¿Quién empieza y en qué puesto?',
  ask_mention: 'Mencióname en tu respuesta: no leo nada más en este canal.',
  nothing_saved: 'No se guardó nada.',
  prompt_question: '¿Qué ha salido bien esta semana?',
  prompt_text:
    'Un cliente nuevo, algo terminado, alguien a quien dar las gracias: basta una frase. La redacción del boletín revisa lo que escribas.',
  prompts_off: 'No preguntar aquí',
  prompts_off_title: '¿Dejar de preguntar?',
  prompts_off_text:
    'En este canal no se publicarán más preguntas. Solo la redacción del boletín puede detenerlas.',
  prompts_on: 'Volver a preguntar aquí',
  prompts_stopped: 'Estas preguntas están desactivadas en este canal.',
  prompts_stopped_by: '{person} ha desactivado estas preguntas en este canal.',
  reminder:
    '{question} Sueles tener noticias para el boletín, y todavía hay tiempo para este número.',
  reminders_off: 'No recordármelo más',
  reminders_on: 'Volver a recordármelo',
  reminders_are_off: 'Ya no recibirás recordatorios.',
  reminders_are_on: 'Vuelves a recibir recordatorios.',
  home_prompts: 'Preguntas por noticias',
  home_prompt_replies:
    '«{question}» en {channel}, {date}: {count, plural, =0 {sin respuestas} one {# respuesta} other {# respuestas}}',
  account_link:
    '{link} para indicar quién eres en Tidings. El enlace sirve una vez, durante 15 minutos, y es solo para ti.',
  account_link_label: 'Vincula tu cuenta',
  edit_title: 'Editar el borrador',
  edit_open: 'Abrir en Tidings',
  edit_in_tidings:
    'Este formulario no puede mostrar todo el texto, por eso aquí solo se puede cambiar el título.',
  edit_saved: 'Tu cambio se ha guardado.',
  edit_conflict:
    '{person} cambió «{title}» mientras escribías, así que tu texto no se guardó. Esto es lo que escribiste:',
  edit_conflict_elsewhere:
    '«{title}» se cambió mientras escribías, así que tu texto no se guardó. Esto es lo que escribiste:',
  edit_conflict_first:
    '{person} también estaba escribiendo «{title}» cuando guardaste. Vale tu versión, y {person} lo sabe.',
  edit_reviewed:
    '«{title}» se revisó mientras escribías, así que tu texto no se guardó. Esto es lo que escribiste:',
  edit_written: 'Esto es lo que escribiste:',
  home_review: 'Pendiente de tu revisión',
  home_review_oldest: 'Estos son los borradores más antiguos. {link} los tiene todos.',
  home_review_none: 'No hay borradores pendientes de revisión.',
  home_welcome: 'Noticias para el boletín',
  command_help:
    '`/win Ya está lista la versión 2` guarda un éxito para el boletín.\n`/news`, `/kudos` y `/welcome` hacen lo mismo con noticias, agradecimientos y nuevas incorporaciones.\nUn comando sin texto abre un formulario. Para guardar un mensaje, usa «Add to newsletter» en su menú.\nLa redacción revisa lo que guardas antes del envío.',
  too_long: 'Esto es demasiado largo (más de 64 KiB), así que no se guardó nada.',
  elsewhere:
    'Este comando pertenece al boletín de otro espacio de trabajo, así que no se guardó nada.',
  undo: 'Deshacer',
  undo_not_yours: 'Solo puede deshacerlo la persona que lo guardó.',
  in_library: 'Guardado para el boletín: {link}',
  in_library_already: 'Esto ya está guardado para el boletín: {link}',
  undone: 'Eliminado: no saldrá en el boletín.',
  undone_kept: 'Ya está en un boletín, así que se queda: {links}. Su redacción puede quitarlo.',
  not_saved: 'Esto no se guardó. Los administradores de tu boletín pueden ver por qué y repetirlo.',
  not_public:
    'Así solo se pueden guardar mensajes de canales públicos. Antes de guardar otro mensaje, pregunta a quien lo escribió. Después escríbelo en el formulario.',
  not_undone: 'Esto no se pudo deshacer. Los administradores de tu boletín pueden ver por qué.',
  action_failed:
    'Esto no funcionó. Los administradores de tu boletín pueden ver por qué y repetirlo.',
  done: 'Hecho.',
  form_title: 'Para el boletín',
  form_save: 'Guardar',
  form_cancel: 'Cancelar',
  form_field_title: 'Título',
  form_title_missing: 'Escribe un título.',
  form_title_too_long: 'El título es demasiado largo: puede tener {max, number} caracteres.',
  form_field_text: 'Texto',
  form_field_kind: 'Tipo',
  form_field_event: 'Evento',
  form_no_event: 'Ninguno',
  type_general: 'Noticia',
  type_ceo_update: 'Mensaje de la dirección',
  type_team_spotlight: 'Un equipo en primer plano',
  type_new_starter: 'Nueva incorporación',
  type_policy_change: 'Cambio de normas',
  type_event_announcement: 'Evento',
  type_wins_milestones: 'Éxito o hito',
  type_poll: 'Encuesta',
  type_learning_development: 'Formación',
  form_private:
    'Atención: este mensaje viene de una conversación privada. Todas las personas que reciben el boletín podrán leer lo que guardes aquí. Pregunta antes a quien lo escribió.',
  form_author: 'Escrito por {author}, cuyo nombre aparecerá junto al texto.',
  form_image: 'También se guarda la imagen del mensaje.',
  form_shortened: 'El mensaje es demasiado largo para un formulario: se ha quitado el final.',
  not_opened: 'No se ha podido abrir, así que no se ha cambiado nada. Vuelve a usar el botón.',
  form_not_opened:
    'El formulario no se abrió, así que no se guardó nada. Inténtalo de nuevo o escribe tu noticia después del comando: `{before}win Ya está lista la versión 2`.',
  saved: 'Guardado para el boletín.',
  saved_link_follows: 'Guardado. Su enlace aparecerá aquí en un momento.',
  saved_by_reaction:
    'Guardado para el boletín: {link}. Antes lo revisa la redacción. Quita la reacción antes de diez minutos para deshacerlo.',
  nothing_written: 'No había texto, así que no se guardó nada.',
  elsewhere_server: 'Esto pertenece al boletín de otro servidor, así que no se guardó nada.',
  help_win: '`{before}win Ya está lista la versión 2` guarda un éxito para el boletín.',
  help_other:
    '`{before}news …`, `{before}kudos …` y `{before}welcome …` hacen lo mismo con noticias, agradecimientos y nuevas incorporaciones.',
  help_review: 'La redacción revisa lo que guardas antes del envío.',
  form_everyone: 'Todas las personas que reciben el boletín pueden leer esto.',
  form_written_by: 'Escrito por {author}.',
  form_field_image: 'Imagen',
  form_image_hint: 'Borra la dirección para no incluir la imagen.',
  form_field_alt: 'Descripción de la imagen',
  form_alt_hint: 'Para quienes no pueden verla.',
  tidings_help:
    '`{command}next` muestra el próximo boletín, `{command}mine` qué ha sido de tus noticias y `{command}status` cuántas esperan revisión.\n`{command}off` detiene los mensajes sobre tus noticias y `{command}on` los reanuda. `{command}link` vincula tu cuenta de aquí con la de Tidings.',
  tidings_help_commands: '`/win`, `/news`, `/kudos` y `/welcome` guardan algo para el boletín.',
}
